#include "engine/onthefly/cutoff.hpp"

/// The thread states that any number of threads reaches, from below and from above.
///
/// From below: all that n threads reach of which one takes any edge and the others, the helpers,
/// some of them (thread_sets.hpp). Let U be the states of the first one.
///
/// From above: if U contains the initial thread states and no step leads out of it, whichever two
/// thread states of U with the same shared state are put together (one steps, the other one sees
/// it), then U is all. Some do lead out, to a thread state t that U does not have. Whether t is
/// reachable is decided by the backward search, by localisation (localised.cpp):
///
///  * The two threads are never at their nodes together, whatever their values: the basis says so
///    of these nodes and many others, and U is not asked what such threads do to each other.
///  * Nothing that tells t from U by few variables is reached, by any number of threads: the basis
///    says so of t and many others, which are left out from now on. What is shown and what is
///    hidden serves for further questions.
///  * n threads reach such a state, in a run: its edges become edges of the helpers, and U grows.
///    Where there are many such runs, one helper takes all edges, if that is explored soon.
///  * The run has more than n threads. Then n is hardly a cutoff; it goes on with so many threads.
///
/// In the end U is exactly what is reachable, n threads reach it, and it is proved that fewer do
/// not reach what has taken the last thread. Every question decides a pair of nodes or at least one
/// thread state, so there is an end.
/// (Section 5 of papers/cutoff.txt, with questions about the thread state that would be new after
/// those about the pair that leads to it. Where a lock keeps two threads apart, one question about
/// a pair is worth thousands about what they would do to each other.)

#include <algorithm>
#include <map>

#include "base/invariant.hpp"
#include "engine/onthefly/localised.hpp"
#include "engine/onthefly/onthefly.hpp"
#include "engine/onthefly/pair_target.hpp"
#include "engine/onthefly/thread_sets.hpp"
#include "engine/search_verdict.hpp"

namespace heddle::engine::onthefly {

namespace {

using answer::ProgramBasis;
using answer::ProgramRun;
using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::StopReason;
using model::boolean::Abstraction;
using model::boolean::Assignment;
using model::boolean::CoarseFlow;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::NodeId;
using model::boolean::ThreadStateTarget;
using model::boolean::Valuation;
using solver::Bdd;

/// States that are unreachable, on a coarse graph.
struct Lemma {
  ProgramBasis basis;
  CoarseFlow coarse;
};

std::size_t thread_count(const Flow& flow, const ProgramRun& run) {
  return run.initial.threads.size() +
         static_cast<std::size_t>(std::ranges::count_if(run.steps, [&](const auto& step) {
           return flow.edges[step.edge.index()].kind == EdgeKind::Spawn;
         }));
}

/// The basis of a graph with a target, as one of the graph without it: nothing leads out of the
/// target's node, which is the last one.
ProgramBasis without_target(ProgramBasis basis) {
  const std::uint32_t target = basis.abstraction->classes.back();
  basis.abstraction->classes.pop_back();
  const auto shift = [&](auto& part) {
    if (part.node.value > target) part.node = NodeId(part.node.value - 1);
  };
  const auto is_target = [&](const auto& part) { return part.node.value == target; };
  std::erase_if(basis.minimal, [&](const answer::ProgramElement& element) {
    return std::ranges::any_of(element.threads, is_target);
  });
  std::erase_if(basis.thread_states, is_target);
  for (answer::ProgramElement& element : basis.minimal)
    std::ranges::for_each(element.threads, shift);
  std::ranges::for_each(basis.thread_states, shift);
  for (std::uint32_t& which : basis.abstraction->classes)
    if (which > target) --which;
  return basis;
}

class CutoffSearch {
 public:
  CutoffSearch(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
               base::RunContext& context)
      : flow_(flow), initial_(initial), context_(context) {}

  Verdict run() {
    is_careful_ = starts_threads(flow_);  // runs may start more threads than they need
    take_fewest();
    while (!is_closed() || !is_least()) {
      if (stop_) return Unknown{unknown_reason(*stop_), "the search stopped"};
    }
    return result();
  }

 private:
  static constexpr std::size_t kMostMet = 8;
  static constexpr std::size_t kManyRuns = 8;
  static constexpr std::uint32_t kFewThreads = 3;
  static constexpr std::uint64_t kStepsWithAllEdges = 100'000;

  /// What the edges of a group do to the shared variables that they assign.
  struct Group {
    Valuation assigned;
    const FlowEdge* wakes = nullptr;  ///< the only edge, if it wakes threads or assigns to them
    bool is_inside = false;           ///< of an atomic section
    std::vector<EdgeId> edges;
    Bdd effect;
  };

  void take_fewest() {
    for (threads_ = 1; !allows_at_most(threads_); ++threads_) {
    }
    helpers_.clear();
    few_.reset();
  }

  bool allows_at_most(std::uint32_t threads) const {
    return std::ranges::any_of(
        initial_, [&](const auto& in_main) { return in_main.least <= base::Integer(threads); });
  }

  /// True: the thread states of so many threads are all. False: the search has stopped, or takes
  /// one thread more.
  bool is_closed() {
    ThreadSets sets(flow_, initial_, threads_, context_);
    if (few_ && threads_ > kFewThreads) take_few_edges();
    helpers_.resize(threads_ - 1);
    for (std::uint32_t i = 1; i < threads_; ++i) sets.add_helper_edges(i, helpers_[i - 1]);
    sets_ = &sets;
    const bool closed = close();
    if (closed) keep(sets);
    groups_.clear();  // its diagrams are those of the sets
    sets_ = nullptr;
    return closed;
  }

  bool close() {
    if (ahead_) {
      const auto [run, target] = *std::exchange(ahead_, std::nullopt);
      if (!follow(run, target)) return false;
    }
    if (!explore()) return false;
    std::map<std::pair<std::size_t, std::size_t>, std::pair<Bdd, Bdd>> checked;
    groups_ = make_groups();
    for (has_grown_ = true; has_grown_;) {
      has_grown_ = false;
      for (std::size_t e = 0; e < flow_.edges.size(); ++e)
        if (!covers_child(EdgeId(e))) return false;
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        groups_[g].effect = effect_of(groups_[g], std::nullopt);
        if (groups_[g].effect.is_false()) continue;
        for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
          const Bdd& there = sets_->at(NodeId(i));
          if (there.is_false()) continue;
          auto& known = checked[{g, i}];
          if (known == std::pair(groups_[g].effect, there)) continue;
          const auto now = std::pair(groups_[g].effect, there);
          if (!covers_passive(groups_[g], NodeId(i))) return false;
          known = now;
        }
      }
    }
    return true;
  }

  /// If it takes too long with a helper that takes all edges, it begins again with few of them.
  bool explore() {
    std::optional<std::uint64_t> most;
    if (few_) most = kStepsWithAllEdges;
    switch (sets_->explore(most)) {
      case Explored::Everything: return true;
      case Explored::Part: take_few_edges(); return false;
      case Explored::Stopped: break;
    }
    return stopped(context_.stopped().value_or(StopReason::Cancelled));
  }

  void take_few_edges() { helpers_[0] = *std::exchange(few_, std::nullopt); }

  std::vector<Group> make_groups() const {
    std::map<std::tuple<Valuation, bool, std::size_t>, Group> found;
    for (std::size_t e = 0; e < flow_.edges.size(); ++e) {
      const FlowEdge& edge = flow_.edges[e];
      const bool wakes = edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal ||
                         !edge.passive.empty();
      if (!wakes && edge.shared.empty()) continue;
      Valuation assigned;
      for (const Assignment& a : edge.shared) assigned |= model::boolean::bit(a.index);
      const bool inside = flow_.nodes[edge.source.index()].atomic_depth > 0;
      Group& group = found[{assigned, inside, wakes ? e + 1 : 0}];
      group.assigned = assigned;
      group.wakes = wakes ? &edge : nullptr;
      group.is_inside = inside;
      group.edges.emplace_back(e);
    }
    std::vector<Group> out;
    for (auto& [key, group] : found) out.push_back(std::move(group));
    return out;
  }

  std::vector<std::uint32_t> own_variables() const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) {
      out.push_back(sets_->variables().local(0, i));
      out.push_back(sets_->variables().next_local(i));
    }
    return out;
  }

  /// What the group does to the shared variables: beside any thread, or beside one at this node.
  Bdd effect_of(const Group& group, std::optional<NodeId> beside) {
    Bdd out;
    for (const EdgeId edge : group.edges) out |= effect_of(edge, beside);
    return out;
  }

  Bdd effect_of(EdgeId edge, std::optional<NodeId> beside) {
    std::vector<std::uint32_t> hidden = own_variables();
    for (std::uint32_t i = 0; i < flow_.local_count; ++i)
      hidden.push_back(sets_->variables().other_local(i));
    const FlowEdge& which = flow_.edges[edge.index()];
    Bdd from = sets_->at(which.source);
    if (beside) from = from - never_beside(which.source, *beside);
    if (from.is_false()) return from;
    if (!which.passive.empty()) from &= sets_->messages(which, 0);
    return sets_->space().exists_and(from, sets_->relation(edge).relation,
                                     sets_->space().all_of(hidden));
  }

  /// A set over the shared variables, those that were assigned in their values after the step.
  Bdd after_step(const Bdd& from, const Bdd& relation, Valuation assigned,
                 std::vector<std::uint32_t> forgotten) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i) {
      if (!assigned[i]) continue;
      forgotten.push_back(sets_->variables().shared(i));
      pairs.emplace_back(sets_->variables().next_shared(i), sets_->variables().shared(i));
    }
    const Bdd out = sets_->space().exists_and(from, relation, sets_->space().all_of(forgotten));
    return pairs.empty() ? out : solver::BddRenaming(pairs)(out);
  }

  /// A thread of U that starts another one, and its child. (There may be no room for it among the
  /// threads that are explored.)
  bool covers_child(EdgeId which) {
    const FlowEdge& edge = flow_.edges[which.index()];
    if (edge.kind != EdgeKind::Spawn || sets_->at(edge.source).is_false()) return true;
    const EdgeRelation& relation = sets_->relation(which);
    const ThreadVariables& variables = sets_->variables();
    std::vector<std::uint32_t> of_child, assigned;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> born, moved;
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) {
      of_child.push_back(variables.other_local(i));
      born.emplace_back(variables.other_local(i), variables.local(0, i));
    }
    assigned = of_child;
    for (const Assignment& a : edge.local) {
      assigned.push_back(variables.local(0, a.index));
      moved.emplace_back(variables.next_local(a.index), variables.local(0, a.index));
    }
    const auto after = [&](const std::vector<std::uint32_t>& forgotten, const auto& renamed) {
      const Bdd set =
          after_step(sets_->at(edge.source), relation.relation, relation.shared, forgotten);
      return renamed.empty() ? set : solver::BddRenaming(renamed)(set);
    };
    return covers(edge.target, after(assigned, moved)) &&
           covers(edge.child, after(own_variables(), born));
  }

  /// A thread of U at the node, while another thread of U takes an edge of the group.
  bool covers_passive(const Group& group, NodeId node) {
    if (group.is_inside && flow_.nodes[node.index()].atomic_depth > 0) return true;
    if (is_covered(seen_by(group, group.effect, node))) return true;
    while (excludes_pair(group, node)) continue;
    if (stop_) return false;
    for (const auto& [where, states] : seen_by(group, effect_of(group, node), node))
      if (!covers(where, states)) return false;
    return true;
  }

  /// Thread states at their nodes.
  using Places = std::vector<std::pair<NodeId, Bdd>>;

  /// Where threads of U at the node are after this effect of the group.
  Places seen_by(const Group& group, const Bdd& effect, NodeId node) {
    const FlowNode& which = flow_.nodes[node.index()];
    Bdd after = after_step(sets_->at(node), effect, group.assigned, {});
    if (!group.wakes) return {{node, after}};
    const FlowEdge& edge = *group.wakes;
    if (!edge.passive.empty()) {
      if (flow_.root_of(node) == flow_.root_of(edge.source))
        after = sets_->assigned_passively(after, edge, 0);
      after = sets_->forget_messages(after, edge);
    }
    const bool wakes = edge.kind != EdgeKind::Step && edge.kind != EdgeKind::Spawn;
    const bool woken = wakes && which.waits && which.condition == edge.condition;
    Places out;
    if (woken) out.emplace_back(which.woken, after);
    if (!woken || edge.kind != EdgeKind::Broadcast) out.emplace_back(node, after);
    return out;
  }

  bool is_covered(const Places& places) {
    return std::ranges::all_of(places, [&](const auto& place) {
      const Bdd missing = place.second - sets_->at(place.first);
      return missing.is_false() || (missing - unreachable_at(place.first)).is_false();
    });
  }

  /// Decides all of these thread states that are not known. False if the search has to stop, or to
  /// take more threads.
  bool covers(NodeId node, const Bdd& states) {
    for (Bdd missing = states - sets_->at(node); !missing.is_false();
         missing = states - sets_->at(node)) {
      missing = missing - unreachable_at(node);
      if (missing.is_false()) return true;
      if (!decide(widened(picked(node, missing)))) return false;
    }
    return true;
  }

  ThreadStateTarget picked(NodeId node, const Bdd& states) const {
    const std::vector<bool> values = sets_->space().pick(states);
    ThreadStateTarget out{node, {}, {}};
    for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
      out.shared = out.shared.with(i, values[sets_->variables().shared(i)]);
    for (std::uint32_t i = 0; i < flow_.local_count; ++i)
      out.local = out.local.with(i, values[sets_->variables().local(0, i)]);
    return out;
  }

  /// The question is better asked about more: as few variables as tell the thread state from all
  /// that are known at its node.
  ThreadStateTarget widened(ThreadStateTarget target) {
    const Bdd& known = sets_->at(target.node);
    const auto drop = [&](Cube ThreadStateTarget::* part, std::uint32_t i) {
      ThreadStateTarget wider = target;
      wider.*part = (wider.*part).without(model::boolean::bit(i));
      if ((known & sets_->state_cube(wider)).is_false()) target = wider;
    };
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) drop(&ThreadStateTarget::local, i);
    for (auto i = static_cast<std::uint32_t>(flow_.shared_names.size()); i-- > 0;)
      drop(&ThreadStateTarget::shared, i);
    return target;
  }

  Bdd cube(const Cube& shared, const Cube& local) const {
    std::vector<std::pair<std::uint32_t, bool>> bits;
    for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
      if (const auto value = shared[i]) bits.emplace_back(sets_->variables().shared(i), *value);
    for (std::uint32_t i = 0; i < flow_.local_count; ++i)
      if (const auto value = local[i]) bits.emplace_back(sets_->variables().local(0, i), *value);
    return sets_->space().cube(bits);
  }

  /// What the lemmas exclude of single threads at the node.
  Bdd unreachable_at(NodeId node) const {
    Bdd out;
    for (const Lemma& lemma : lemmas_) {
      const NodeId where(lemma.basis.abstraction->classes[node.index()]);
      for (const answer::ProgramElement& element : lemma.basis.minimal)
        if (element.threads.size() == 1 && element.threads[0].node == where)
          out |= cube(element.shared, element.threads[0].values);
      if (lemma.basis.thread_states.empty()) continue;
      Bdd allowed;
      for (const answer::ThreadFact& fact : lemma.basis.thread_states)
        if (fact.node == where) allowed |= cube(fact.shared, fact.local);
      out |= !allowed;
    }
    return out;
  }

  // ---- pairs of threads ----

  /// What the lemmas' graphs make of the node.
  std::vector<std::uint32_t> classes_of(NodeId node) const {
    std::vector<std::uint32_t> out;
    for (const Lemma& lemma : lemmas_)
      out.push_back(lemma.basis.abstraction->classes[node.index()]);
    return out;
  }

  /// What the lemmas exclude of threads at `source` that have another one, with any values, beside
  /// them at `node`.
  Bdd never_beside(NodeId source, NodeId node) const {
    Bdd out;
    for (const Lemma& lemma : lemmas_) {
      const std::vector<std::uint32_t>& classes = lemma.basis.abstraction->classes;
      const NodeId here(classes[source.index()]), there(classes[node.index()]);
      for (const answer::ProgramElement& element : lemma.basis.minimal) {
        if (element.threads.size() != 2) continue;
        for (const std::size_t own : {0u, 1u}) {
          const answer::ThreadCube& other = element.threads[1 - own];
          if (element.threads[own].node == here && other.node == there &&
              other.values == Cube::all())
            out |= cube(element.shared, element.threads[own].values);
        }
      }
    }
    return out;
  }

  /// Finds an edge of the group that leads out of U beside a thread at the node, and shows that no
  /// thread is ever there to take it. False if there is none, or if the search has to stop.
  bool excludes_pair(const Group& group, NodeId node) {
    for (const EdgeId edge : group.edges) {
      const NodeId source = flow_.edges[edge.index()].source;
      const Bdd effect = effect_of(edge, node);
      if (effect.is_false() || is_covered(seen_by(group, effect, node))) continue;
      if (!asked_pairs_.insert(std::minmax(source, node)).second) continue;
      std::size_t& met = met_[std::pair(classes_of(source), classes_of(node))];
      if (met >= kMostMet) continue;
      if (are_exclusive(source, node)) return true;
      ++met;
      if (stop_) return false;
    }
    return false;
  }

  bool are_exclusive(NodeId a, NodeId b) {
    const auto is_inside = [&](NodeId node) { return flow_.nodes[node.index()].atomic_depth > 0; };
    if (is_inside(a) || is_inside(b)) return false;
    ++questions_;
    const auto both = [&](const Abstraction& seen) {
      const NodeId first(seen.classes[a.index()]), second(seen.classes[b.index()]);
      return answer::ProgramElement{{},
                                    {{std::min(first, second), {}}, {std::max(first, second), {}}}};
    };
    for (Lemma& lemma : lemmas_)
      if (extend(lemma, both(*lemma.basis.abstraction))) return true;
    const auto asked = with_pair_target(flow_, a, b);
    if (stop_ || !asked) return false;
    SearchResult found = search_localised(*asked, initial_, {.ends_apart = true}, context_);
    if (const auto* stop = std::get_if<StopReason>(&found)) return stopped(*stop);
    auto* basis = std::get_if<ProgramBasis>(&found);
    if (!basis) return false;
    Abstraction seen = without_pair_target(*basis->abstraction, flow_);
    auto coarse = coarse_of(flow_, seen, true);
    if (!coarse) return false;
    const answer::ProgramElement root = both(seen);
    lemmas_.push_back({{{}, {}, std::move(seen)}, std::move(*coarse)});
    if (extend(lemmas_.back(), root)) return true;
    lemmas_.pop_back();
    return false;
  }

  // ---- questions ----

  bool decide(const ThreadStateTarget& target) {
    ++questions_;
    for (Lemma& lemma : lemmas_)
      if (extend(lemma, on_coarse(lemma, target))) return true;
    if (stop_) return false;
    const Flow asked = with_target(flow_, target);
    SearchResult found = search_localised(asked, initial_, settings(), context_);
    if (const auto* stop = std::get_if<StopReason>(&found)) return stopped(*stop);
    if (auto* basis = std::get_if<ProgramBasis>(&found)) return learn(std::move(*basis), target);
    const auto& run = std::get<ProgramRun>(found);
    const std::size_t needed = thread_count(asked, run);
    if (needed <= threads_) return follow(run, target);
    need_ = target;
    if (!is_careful_) {  // the search takes few threads first, so fewer will hardly do
      threads_ = static_cast<std::uint32_t>(needed);
      ahead_ = {run, target};
      return false;
    }
    if (const auto other = run_of(threads_, target)) return follow(*other, target);
    if (!stop_) ++threads_;
    return false;
  }

  static SearchSettings settings() { return {.hides_property = true, .ends_apart = true}; }

  bool stopped(StopReason reason) {
    stop_ = reason;
    return false;
  }

  /// The thread state on the lemma's graph.
  static answer::ProgramElement on_coarse(const Lemma& lemma, const ThreadStateTarget& target) {
    const Abstraction& seen = *lemma.basis.abstraction;
    return {target.shared.without(~seen.shared),
            {{NodeId(seen.classes[target.node.index()]), target.local.without(~seen.local)}}};
  }

  /// Are these states unreachable on the lemma's graph?
  bool extend(Lemma& lemma, answer::ProgramElement asked) {
    if (stop_) return false;
    SearchSettings from = settings();
    from.roots = {std::move(asked)};
    SearchResult found = search_coarse(lemma.coarse.flow, initial_, from, context_);
    if (const auto* stop = std::get_if<StopReason>(&found)) return stopped(*stop);
    auto* basis = std::get_if<ProgramBasis>(&found);
    if (!basis) return false;
    Antichain all(lemma.coarse.flow.nodes.size());
    for (auto* list : {&lemma.basis.minimal, &basis->minimal})
      for (answer::ProgramElement& element : *list)
        if (!all.includes(element)) all.add(std::move(element));
    lemma.basis.minimal = all.alive();
    lemma.basis.thread_states = std::move(basis->thread_states);
    return true;
  }

  /// The basis is about a graph in which the target is a node of its own. What it shows is mostly
  /// enough on a graph in which it is not; that says more.
  bool learn(ProgramBasis basis, const ThreadStateTarget& target) {
    Abstraction seen = *basis.abstraction;
    seen.classes.clear();
    if (auto coarse = coarse_of(flow_, seen, true)) {
      Lemma lemma{{{}, {}, std::move(seen)}, std::move(*coarse)};
      if (extend(lemma, on_coarse(lemma, target))) {
        lemmas_.push_back(std::move(lemma));
        return true;
      }
      if (stop_) return false;
    }
    basis = without_target(std::move(basis));
    auto coarse = coarsen(flow_, *basis.abstraction);
    HEDDLE_INVARIANT(coarse.has_value(), "the graph without a target should fit the classes");
    lemmas_.push_back({std::move(basis), std::move(*coarse)});
    return true;
  }

  /// n threads reach it, by these edges.
  bool follow(const ProgramRun& run, const ThreadStateTarget& target) {
    const std::uint32_t last = run.steps.back().thread;
    std::map<std::uint32_t, std::set<EdgeId>> edges;
    for (const auto& step : run.steps)
      if (step.thread != last && step.edge.index() < flow_.edges.size())
        edges[step.thread].insert(step.edge);
    std::vector<std::set<EdgeId>> parts;
    for (auto& [thread, part] : edges) parts.push_back(std::move(part));
    add_helpers(std::move(parts));
    has_grown_ = true;
    if (++runs_ == kManyRuns && threads_ > 1 && threads_ <= kFewThreads) {
      few_ = helpers_[0];
      give(1, all_edges());
    }
    if (!explore()) return false;
    HEDDLE_INVARIANT(!(sets_->at(target.node) & sets_->state_cube(target)).is_false(),
                     "helpers that take the steps of a run should show where it leads");
    return true;
  }

  std::set<EdgeId> all_edges() const {
    std::set<EdgeId> out;
    for (std::size_t e = 0; e < flow_.edges.size(); ++e) out.emplace(e);
    return out;
  }

  /// Gives each part to a helper of its own that has many of its edges already. Where threads are
  /// started, it is not known which helper will be which thread.
  void add_helpers(std::vector<std::set<EdgeId>> parts) {
    if (starts_threads(flow_)) {
      std::set<EdgeId> all;
      for (const auto& part : parts) all.insert(part.begin(), part.end());
      for (std::uint32_t i = 1; i < threads_; ++i) give(i, all);
      return;
    }
    std::ranges::sort(parts, std::greater<>(), &std::set<EdgeId>::size);
    std::set<std::uint32_t> free;
    for (std::uint32_t i = 1; i < threads_; ++i) free.insert(i);
    for (const auto& part : parts) {
      const auto missing = [&](std::uint32_t i) {
        return std::ranges::count_if(part,
                                     [&](EdgeId edge) { return !helpers_[i - 1].contains(edge); });
      };
      const std::uint32_t best = *std::ranges::min_element(free, {}, missing);
      free.erase(best);
      give(best, part);
    }
  }

  void give(std::uint32_t helper, const std::set<EdgeId>& edges) {
    std::set<EdgeId>& has = helpers_[helper - 1];
    const std::size_t before = has.size();
    has.insert(edges.begin(), edges.end());
    if (has.size() != before) sets_->add_helper_edges(helper, edges);
  }

  // ---- fewer threads ----

  /// Can so many threads reach it? A run, or nothing: then either `too_few_` says why they cannot,
  /// or the search has to stop.
  std::optional<ProgramRun> run_of(std::uint32_t threads, const ThreadStateTarget& target) {
    std::vector<answer::ProgramTooFew> proofs;
    const bool starts = starts_threads(flow_);
    SearchSettings exploring = settings();
    if (!sets_) exploring.explores = threads;  // there is one space of diagrams at a time
    for (std::uint32_t in_main = threads; in_main > 0; --in_main) {
      if (std::ranges::none_of(initial_, [&](const auto& n) { return n.allows(in_main); }))
        continue;
      const std::uint32_t started = starts ? threads - in_main : 0;
      const auto asked = bounded_target(flow_, target, started);
      if (!asked) stopped(StopReason::MemoryLimit);
      if (stop_) return std::nullopt;
      SearchResult found =
          search_localised(*asked, {{in_main, base::Integer(in_main)}}, exploring, context_);
      if (const auto* stop = std::get_if<StopReason>(&found)) stopped(*stop);
      if (auto* run = std::get_if<ProgramRun>(&found)) return std::move(*run);
      if (stop_) return std::nullopt;
      proofs.push_back({in_main, started, std::get<ProgramBasis>(std::move(found))});
      if (!starts) break;
    }
    last_ = target;
    too_few_ = std::move(proofs);
    return std::nullopt;
  }

  /// Shows that one thread less does not reach what made it take the last one. If it does after
  /// all, it begins again with one thread, and nothing is taken on trust.
  bool is_least() {
    if (!need_ || is_careful_) return true;
    const auto run = run_of(threads_ - 1, *need_);
    if (stop_) return false;
    if (!run) return true;
    is_careful_ = true;
    states_ = {};
    take_fewest();
    return false;
  }

  // ---- the answer ----

  void keep(ThreadSets& sets) {
    solver::BddWriter writer;
    std::map<std::uint32_t, std::uint32_t> numbers;
    const auto shared = static_cast<std::uint32_t>(flow_.shared_names.size());
    for (std::uint32_t i = 0; i < shared; ++i) numbers[sets.variables().shared(i)] = i;
    for (std::uint32_t i = 0; i < flow_.local_count; ++i)
      numbers[sets.variables().local(0, i)] = shared + i;
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      states_.reachable.push_back(writer.add(sets.at(NodeId(i))));
    for (const solver::BddNode& node : writer.nodes())
      states_.nodes.push_back({numbers.at(node.variable), node.low, node.high});
  }

  Verdict result() {
    for (const auto& edges : helpers_) states_.helpers.emplace_back(edges.begin(), edges.end());
    for (Lemma& lemma : lemmas_) states_.unreachable.push_back(std::move(lemma.basis));
    states_.last = last_;
    states_.too_few = std::move(too_few_);
    const auto set = [&](std::string_view name, std::size_t value) {
      context_.statistics().set(name, static_cast<double>(value));
    };
    set("nodes of the program", flow_.nodes.size());
    set("diagram nodes", states_.nodes.size());
    set("thread states asked about", questions_);
    std::size_t edges = 0;
    for (const auto& some : helpers_) edges += some.size();
    set("edges of helpers", edges);
    set("lemmas", lemmas_.size());
    answer::Cutoff out;
    out.threads = threads_;
    out.program = std::move(states_);
    return out;
  }

  const Flow& flow_;
  const std::vector<model::ThreadsInMain>& initial_;
  base::RunContext& context_;
  std::uint32_t threads_ = 1;
  ThreadSets* sets_ = nullptr;
  std::vector<Group> groups_;
  std::vector<std::set<EdgeId>> helpers_;  ///< from the first helper on
  /// What the first helper had before it got all edges. That is tried once, with few threads: it
  /// has to be explored again by the checker.
  std::optional<std::set<EdgeId>> few_;
  std::size_t runs_ = 0;                   ///< that were followed
  std::optional<ThreadStateTarget> need_;  ///< what made it take more threads
  std::vector<Lemma> lemmas_;
  std::set<std::pair<NodeId, NodeId>> asked_pairs_;  ///< the smaller one first
  /// By classes of two nodes: how many such pairs were found to be together.
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::size_t> met_;
  bool has_grown_ = false;
  bool is_careful_ = false;  ///< is it proved that n threads are too few before there are more?
  std::optional<std::pair<ProgramRun, ThreadStateTarget>> ahead_;  ///< to be followed first
  std::size_t questions_ = 0;
  std::optional<ThreadStateTarget> last_;
  std::vector<answer::ProgramTooFew> too_few_;
  answer::ProgramThreadStates states_;
  std::optional<StopReason> stop_;
};

Acceptance accepts_cutoff(const model::ProgramTask& task) {
  const auto flow = model::boolean::unfold(task.model);
  if (!flow) return {flow.error()};
  return {};
}

Verdict find_cutoff(const model::ProgramTask& task, const OntheflyOptions&,
                    base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  const auto flow = model::boolean::unfold(task.model);
  if (!flow) return Unknown{UnknownReason::Unsupported, flow.error()};
  return CutoffSearch(*flow, task.question.initial, context).run();
}

}  // namespace

EngineRow cutoff_row() {
  return row_for({.name = "onthefly",
                  .summary = "thread states of a Boolean program as decision diagrams, for 1, 2, … "
                             "threads until no further thread adds one",
                  .models = "Boolean programs without recursion",
                  .proves = true,
                  .refutes = true,
                  .complete = true,
                  .evidence = {"cutoff"}},
                 accepts_cutoff, find_cutoff, {"only Boolean programs are supported"});
}

}  // namespace heddle::engine::onthefly
