#include "engine/onthefly/localised.hpp"

/// Counterexample-guided localisation (Kurshan 1994). The search runs on a coarse graph, in which
/// most variables are hidden and nodes between which nobody can tell are one
/// (model/boolean_program/abstraction.hpp). At first, all is hidden but what the property mentions.
/// Hiding only adds runs: a basis of the coarse graph is a proof about the program. A run of the
/// coarse graph is looked for in the program (lift.cpp); if it is not there, the variables that
/// stand in its way are hidden no longer. There are finitely many of them.
///
/// A search that takes long begins again with lemmas about pairs of threads (reachable_pairs.cpp).

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/invariant.hpp"
#include "engine/onthefly/bisimilar_nodes.hpp"
#include "engine/onthefly/forward_states.hpp"
#include "engine/onthefly/lift.hpp"
#include "engine/onthefly/thread_sets.hpp"

namespace heddle::engine::onthefly {

namespace {

using model::boolean::Abstraction;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::bit;
using model::boolean::CoarseFlow;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;
using model::boolean::Valuation;

/// Nothing but the variables on which it depends whether a thread fails.
Abstraction coarsest(const Flow& flow, bool hides_property) {
  Abstraction out;
  for (const FlowEdge& edge : flow.edges) {
    if (hides_property || !flow.nodes[edge.target.index()].failed) continue;
    for (const auto* formula : {&edge.guard, &edge.constraint})
      for_each_atom(*formula, [&](const Atom& a) {
        if (a.kind == AtomKind::Shared || a.kind == AtomKind::NextShared)
          out.shared |= bit(a.index);
        if (a.kind == AtomKind::Local || a.kind == AtomKind::NextLocal) out.local |= bit(a.index);
      });
  }
  if (flow.atomic_bit) {
    out.shared = out.shared & ~bit(*flow.atomic_bit);
    out.unseen_by_moves = bit(*flow.atomic_bit);
  }
  return out;
}

Abstraction refined(const Abstraction& before, const Unhide& unhide) {
  Abstraction out = before;  // if only the order of moves is impossible, that is seen
  out.shared |= unhide.variables.shared;
  out.local |= unhide.variables.local;
  out.conditions |= unhide.conditions;
  if (out == before) out.unseen_by_moves = {};
  return out;
}

/// Runs a search that may make so many steps. They count as steps of the whole.
template <class Search>
SearchResult within(std::uint64_t steps, base::RunContext& context, const Search& search) {
  base::Limits limits = context.limits();
  if (limits.steps)
    steps = std::min(steps, *limits.steps - std::min(*limits.steps, context.steps()));
  limits.steps = steps;
  base::RunContext part(limits, context.seed(), context.stop_token());
  part.listen([&](const base::Event& event) {
    if (context.wants_event()) context.emit(event);
  });
  SearchResult found = search(part);
  context.add_steps(part.steps());
  for (const auto& [name, value] : part.statistics().entries())
    context.statistics().set(name, value);
  return found;
}

/// Has something else ended the search than the number of steps that `within` gave it?
bool is_final(const SearchResult& found, const base::RunContext& context) {
  const auto* stop = std::get_if<base::StopReason>(&found);
  const auto& most = context.limits().steps;
  return !stop || *stop != base::StopReason::StepLimit || (most && context.steps() >= *most);
}

constexpr std::uint64_t kStepsWithoutLemmas = 5'000;
constexpr std::uint64_t kStepsWithLemmas = 100'000;
constexpr std::size_t kMostThreadsForward = 6;
constexpr std::size_t kMostStatesForward = 100'000;
constexpr std::uint64_t kStepsExploring = 500'000;

/// Does no thread fail, of so many? That all is explored, as diagrams.
bool never_fails(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
                 std::uint32_t threads, base::RunContext& context) {
  ThreadSets sets(flow, initial, threads, context);
  std::set<model::boolean::EdgeId> all;
  for (std::size_t e = 0; e < flow.edges.size(); ++e) all.emplace(e);
  for (std::uint32_t i = 1; i < threads; ++i) sets.add_helper_edges(i, all);
  if (sets.explore() != Explored::Everything) return false;
  for (std::size_t i = 0; i < flow.nodes.size(); ++i)
    if (flow.nodes[i].failed && !sets.at(NodeId(i)).is_false()) return false;
  return true;
}

}  // namespace

namespace {

/// Nodes without an edge are all alike for those who look ahead. Who asks who is there together
/// with whom has to look back: they stay apart if threads come from different classes.
void split_ends(const Flow& flow, std::vector<std::uint32_t>& classes) {
  std::map<NodeId, std::set<std::uint32_t>> from;
  for (std::size_t i = 0; i < flow.nodes.size(); ++i)
    if (!flow.nodes[i].waits) from[NodeId(i)];
  for (const FlowEdge& edge : flow.edges) from.erase(edge.source);
  for (const FlowEdge& edge : flow.edges)
    if (const auto end = from.find(edge.target); end != from.end())
      end->second.insert(classes[edge.source.index()]);
  std::map<std::pair<std::uint32_t, std::set<std::uint32_t>>, std::uint32_t> known;
  std::uint32_t next = classes.empty() ? 0 : std::ranges::max(classes) + 1;
  std::set<std::uint32_t> kept;  // classes of which one part has the old number
  for (auto& [node, sources] : from) {
    std::uint32_t& which = classes[node.index()];
    const auto [it, is_new] = known.try_emplace({which, std::move(sources)}, which);
    if (is_new && !kept.insert(which).second) it->second = next++;
    which = it->second;
  }
}

}  // namespace

std::optional<CoarseFlow> coarse_of(const Flow& flow, Abstraction& abstraction, bool ends_apart) {
  std::vector<FlowEdge> edges;
  std::vector<FlowEdge> wakes;
  for (const FlowEdge& edge : flow.edges) edges.push_back(hide(edge, abstraction));
  for (std::size_t i = 0; i < flow.nodes.size(); ++i)
    if (auto wake = free_wake(flow.nodes[i], NodeId(i), abstraction))
      wakes.push_back(*std::move(wake));
  abstraction.classes = bisimilar_nodes(flow, abstraction, edges, wakes);
  if (ends_apart) split_ends(flow, abstraction.classes);
  auto coarse = coarsen(flow, abstraction);
  return coarse ? std::optional(*std::move(coarse)) : std::nullopt;
}

namespace {

/// A run of some more threads, if it is found soon.
std::optional<answer::ProgramRun> run_of_more(const Flow& flow,
                                              const std::vector<model::ThreadsInMain>& initial,
                                              const SearchSettings& settings,
                                              base::RunContext& context) {
  if (!settings.roots.empty()) return std::nullopt;
  for (std::uint32_t threads = 2; threads <= kMostThreadsForward; ++threads) {
    const auto allows = [&](const auto& asked) { return asked.allows(threads); };
    if (std::ranges::none_of(initial, allows)) continue;
    if (auto run = failing_run(flow, initial, threads, kMostStatesForward, context)) return run;
  }
  return std::nullopt;
}

}  // namespace

/// Most searches are short. Those that are not begin again with lemmas about pairs of threads.
SearchResult search_coarse(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
                           const SearchSettings& settings, base::RunContext& context) {
  const auto plainly = [&](base::RunContext& part) {
    return search(flow, initial, settings, part);
  };
  if (!settings.use_facts) return plainly(context);
  SearchResult found = within(kStepsWithoutLemmas, context, plainly);
  if (is_final(found, context)) return found;
  if (settings.explores) {
    bool safe = false;
    within(kStepsExploring, context, [&](base::RunContext& part) -> SearchResult {
      safe = never_fails(flow, initial, *settings.explores, part);
      return base::StopReason::Cancelled;
    });
    if (safe) return answer::ProgramBasis{};
    if (const auto stop = context.stopped()) return *stop;
  }
  std::size_t threads = 0;
  for (const model::ThreadsInMain& asked : initial)
    threads = std::max(threads, asked.most && *asked.most < 3 ? asked.most->get_ui() : 3);
  auto pairs = ReachablePairs::find(flow, threads, context);
  if (!pairs && threads > 2) pairs = ReachablePairs::find(flow, 2, context);
  if (const auto stop = context.stopped()) return *stop;
  const auto with_lemmas = [&](base::RunContext& part) {
    std::optional<SearchResult> proof;
    if (pairs) proof = search_with_lemmas(flow, initial, settings, *pairs, part);
    if (!proof) pairs.reset();  // a lemma does not hold
    return proof ? *std::move(proof) : SearchResult(base::StopReason::StepLimit);
  };
  found = within(kStepsWithLemmas, context, with_lemmas);
  if (is_final(found, context)) return found;
  if (auto run = run_of_more(flow, initial, settings, context)) return *std::move(run);
  if (const auto stop = context.stopped()) return *stop;
  found = with_lemmas(context);
  return pairs ? found : plainly(context);
}

namespace {

/// An abstraction and its graph.
struct View {
  Abstraction abstraction;
  std::optional<CoarseFlow> coarse;  ///< nothing if a step has too many choices
};

View view_of(const Flow& flow, Abstraction abstraction, const SearchSettings& settings) {
  auto coarse = coarse_of(flow, abstraction, settings.ends_apart);
  return {std::move(abstraction), std::move(coarse)};
}

/// Of what stands in the way of a run, that is shown which leaves the smallest graph: data that
/// merely direct the control flow split its nodes, a lock hardly does.
View refined(const Flow& flow, const Abstraction& before, const std::vector<Unhide>& choices,
             const SearchSettings& settings) {
  std::optional<View> best;
  for (const Unhide& choice : choices) {
    Abstraction next = refined(before, choice);
    if (next == before) continue;
    View view = view_of(flow, std::move(next), settings);
    const auto size = [](const View& v) {
      return v.coarse ? v.coarse->flow.nodes.size() : std::numeric_limits<std::size_t>::max();
    };
    if (!best || size(view) < size(*best)) best = std::move(view);
  }
  HEDDLE_INVARIANT(best, "a run that the program does not have should show a variable");
  return *std::move(best);
}

}  // namespace

SearchResult search_localised(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
                              const SearchSettings& settings, base::RunContext& context) {
  View view = view_of(flow, coarsest(flow, settings.hides_property), settings);
  for (std::size_t rounds = 0;; ++rounds) {
    auto& [abstraction, coarse] = view;
    if (!coarse) return search(flow, initial, settings, context);
    SearchResult found = search_coarse(coarse->flow, initial, settings, context);
    const auto set = [&](std::string_view name, std::size_t value) {
      context.statistics().set(name, static_cast<double>(value));
    };
    set("nodes of the program", flow.nodes.size());
    set("variables seen", abstraction.shared.count() + abstraction.local.count());
    set("refinements", rounds);
    if (auto* basis = std::get_if<answer::ProgramBasis>(&found)) {
      basis->abstraction = std::move(abstraction);
      return found;
    }
    const auto* run = std::get_if<answer::ProgramRun>(&found);
    if (!run) return found;
    Lifted lifted = lift(flow, abstraction, *coarse, *run, context);
    if (auto* concrete = std::get_if<answer::ProgramRun>(&lifted)) return std::move(*concrete);
    if (const auto* stop = std::get_if<base::StopReason>(&lifted)) return *stop;
    view = refined(flow, abstraction, std::get<std::vector<Unhide>>(lifted), settings);
  }
}

}  // namespace heddle::engine::onthefly
