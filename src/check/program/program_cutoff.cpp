#include "check/program/program_cutoff.hpp"

/// The claim: the thread states U are what any number of threads reaches, c threads reach all of
/// them, and c − 1 threads do not.
///
///  0. U, the helpers and all bases name what exists.
///  1. c threads reach every thread state of U: the checker explores what they do if one takes any
///     edge and each of the others those of one helper (helper_runs.cpp), and finds it all.
///  2. Every basis of `unreachable` is closed under predecessors and has no initial state
///     (program_basis.cpp). So no reachable state has a thread, or two different ones, in one of
///     its elements, or one that contradicts its invariant.
///  3. U contains the initial thread states. For each edge: a step of a thread of U leads into U,
///     and so is a thread that it starts; another thread of U with the same shared state, which
///     sees the step, is woken by it or assigned to, is then in U or, by 2, never there. Two
///     threads of U need not be looked at if both are inside atomic sections, which never happens
///     (thread_invariant.cpp), or if by 2 they are never there together, before the step. So by
///     induction on the length of a run, all its thread states are in U.
///  4. A thread state of U is not reached by c − 1 threads: with k in main, at most c − 1 − k are
///     started, and a basis of the program that counts them has no initial state; or all that they
///     do on a coarse graph of it, which has all runs of the program, does not lead there.

#include <algorithm>
#include <map>
#include <tuple>

#include "base/integer.hpp"
#include "check/diagrams/diagram_support.hpp"
#include "check/program/helper_runs.hpp"
#include "check/program/program_basis.hpp"
#include "check/program/thread_invariant.hpp"
#include "check/proof.hpp"

namespace heddle::check {

namespace {

using answer::ProgramBasis;
using model::boolean::EdgeKind;
using model::boolean::FlowNode;
using solver::Bdd;
using FlowGraph = model::boolean::Flow;
using GraphEdge = model::boolean::FlowEdge;
using GraphNodeId = model::boolean::NodeId;

class ProgramCutoffCheck {
 public:
  ProgramCutoffCheck(const model::ProgramTask& task, const answer::Cutoff& cutoff,
                     base::RunContext& context)
      : task_(task), cutoff_(cutoff), claim_(*cutoff.program), context_(context) {}

  Problem well_formed() {
    auto flow = model::boolean::unfold(task_.model);
    if (!flow) return refuted(flow.error());
    flow_ = std::move(*flow);
    variables_ = flow_.shared_names.size() + flow_.local_count;
    if (cutoff_.threads == 0 || cutoff_.threads > kMostThreads)
      return refuted("a cutoff of " + std::to_string(cutoff_.threads) + " threads");
    answer::Cutoff plain;
    plain.threads = cutoff_.threads;
    plain.program = claim_;
    if (!(cutoff_ == plain))
      return refuted("a program has no thread states of another kind of model");
    if (auto problem = check_form(claim_.nodes, variables_)) return problem;
    const auto exists = [&](std::uint32_t root) { return root < claim_.nodes.size() + 2; };
    if (claim_.reachable.size() != flow_.nodes.size() ||
        !std::ranges::all_of(claim_.reachable, exists))
      return refuted("the thread states are not those of the program's nodes");
    const auto exist = [&](const auto& edges) {
      return std::ranges::all_of(edges, [&](auto e) { return e.index() < flow_.edges.size(); });
    };
    if (claim_.helpers.size() + 1 != cutoff_.threads)
      return refuted("a cutoff of n threads has the edges of n − 1 helpers");
    if (!std::ranges::all_of(claim_.helpers, exist) ||
        (claim_.last && claim_.last->node.index() >= flow_.nodes.size()))
      return refuted("the evidence names edges or nodes that do not exist");
    return std::nullopt;
  }

  /// A basis speaks about the variables that it shows; program_basis.cpp looks at that. That fewer
  /// threads are not enough is shown here, too, before so many are explored.
  Problem keeps_to_its_scope() {
    if (auto problem = check_fewer()) return problem;
    return check_bases();
  }

  Problem contains_beginning() {
    if (!sections_exclude(flow_))
      return refuted("the program's atomic sections do not exclude each other");
    layout_.emplace(flow_, cutoff_.threads);
    space_.emplace(layout_->total, context_.limits().memory_mb);
    read_sets();
    if (auto problem = check_reached()) return problem;
    if (!(initial() - at_[flow_.start.index()]).is_false())
      return refuted("an initial thread state is missing");
    return std::nullopt;
  }

  Problem is_closed() {
    relations_.emplace(flow_, *layout_, *space_);
    for (const GraphEdge& edge : flow_.edges)
      if (auto problem = check_own(edge)) return problem;
    for (auto& [key, group] : groups_)
      for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
        if (auto problem = check_other(group, GraphNodeId(i))) return problem;
    return std::nullopt;
  }

  static NotNeeded excludes_end() {
    return "nothing is claimed to be unreachable but what fewer threads do not reach";
  }

  std::string confirmation() const {
    std::string out = base::counted(cutoff_.threads, "thread") +
                      (cutoff_.threads == 1 ? " reaches" : " reach") + " all thread states (" +
                      base::counted(claim_.nodes.size(), "diagram node") + "), which are closed";
    if (!claim_.unreachable.empty())
      out += " by " + base::counted(claim_.unreachable.size(), "lemma");
    return out + (claim_.last ? "; fewer threads cannot reach line " +
                                    std::to_string(flow_.nodes[claim_.last->node.index()].at.line)
                              : "; no initial state has fewer threads");
  }

 private:
  static constexpr std::uint32_t kMostThreads = 1000;

  /// Edges that do the same to others: those that assign the same shared variables.
  struct Group {
    std::vector<const GraphEdge*> edges;
    bool is_special = false;  ///< there is one edge, which wakes threads or assigns to them
    Bdd effect;               ///< on the shared variables
    /// The same without those who are never beside a thread of these classes, one for each basis.
    std::map<std::vector<std::uint32_t>, Bdd> effects_beside = {};
  };

  Problem check_bases() {
    for (const ProgramBasis& basis : claim_.unreachable) {
      const auto result =
          check_basis_of_graph(flow_, task_.question.initial, basis, false, context_);
      if (result.status != answer::EvidenceStatus::Confirmed) return result;
    }
    return std::nullopt;
  }

  std::uint32_t variable(std::uint32_t claimed) const {
    const auto shared = static_cast<std::uint32_t>(flow_.shared_names.size());
    return claimed < shared ? layout_->shared(claimed) : layout_->local(0, claimed - shared);
  }

  void read_sets() {
    std::vector<Bdd> sets{space_->constant(false), space_->constant(true)};
    for (const answer::DiagramNode& node : claim_.nodes)
      sets.push_back(
          space_->variable(variable(node.variable)).ite(sets[node.high], sets[node.low]));
    for (const std::uint32_t root : claim_.reachable) at_.push_back(sets[root]);
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      unreachable_.push_back(excluded(GraphNodeId(i)));
  }

  Bdd cube(const model::boolean::Cube& shared, const model::boolean::Cube& local) const {
    Bdd out = space_->constant(true);
    const auto add = [&](std::uint32_t which, const std::optional<bool>& value) {
      if (value) out &= *value ? space_->variable(which) : !space_->variable(which);
    };
    for (std::uint32_t i = 0; i < flow_.shared_names.size(); ++i)
      add(layout_->shared(i), shared[i]);
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) add(layout_->local(0, i), local[i]);
    return out;
  }

  Bdd excluded(GraphNodeId node) const {
    Bdd out;
    for (const ProgramBasis& basis : claim_.unreachable) {
      const GraphNodeId there =
          basis.abstraction ? GraphNodeId(basis.abstraction->classes[node.index()]) : node;
      for (const answer::ProgramElement& element : basis.minimal)
        if (element.threads.size() == 1 && element.threads.front().node == there)
          out |= cube(element.shared, element.threads.front().values);
      Bdd allowed = space_->constant(basis.thread_states.empty());
      for (const answer::ThreadFact& fact : basis.thread_states)
        if (fact.node == there) allowed |= cube(fact.shared, fact.local);
      out |= !allowed;
    }
    return out;
  }

  Bdd initial() const { return cube(flow_.initial_shared, flow_.initial_local); }

  Problem check_reached() {
    HelperRuns runs(flow_, *layout_, *space_, cutoff_.threads, claim_.helpers, context_);
    if (!runs.run(task_.question.initial))
      return not_checked(base::to_string(context_.stopped().value_or(base::StopReason::Cancelled)));
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      if (!(at_[i] - runs.met_at(GraphNodeId(i))).is_false())
        return refuted("thread states in line " + std::to_string(flow_.nodes[i].at.line) +
                       " are not reached by " + std::to_string(cutoff_.threads) + " threads");
    return std::nullopt;
  }

  // ---- steps ----

  static bool wakes(const GraphEdge& edge) {
    return edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal;
  }

  /// The set after a step, of which `gone` is forgotten and `copies` are the new values.
  Bdd after(const Bdd& before, const Bdd& relation, std::vector<std::uint32_t> gone,
            std::vector<std::pair<std::uint32_t, std::uint32_t>> copies,
            const GraphEdge& edge) const {
    for (const auto& a : edge.shared) {
      gone.push_back(layout_->shared(a.index));
      copies.emplace_back(layout_->shared_after(a.index), layout_->shared(a.index));
    }
    const Bdd out = space_->exists_and(before, relation, space_->all_of(gone));
    return copies.empty() ? out : solver::BddRenaming(copies)(out);
  }

  Problem leads_out(GraphNodeId node, const Bdd& states, const GraphEdge& edge,
                    std::string_view who) const {
    const Bdd open = states - at_[node.index()] - unreachable_[node.index()];
    if (open.is_false()) return std::nullopt;
    return refuted("'" + edge.text + "' in line " + std::to_string(edge.at.line) + " leads " +
                   std::string(who) + " in line " +
                   std::to_string(flow_.nodes[node.index()].at.line) + " out of the thread states");
  }

  Problem check_own(const GraphEdge& edge) {
    if (auto problem = count_step(context_)) return problem;
    const Bdd& source = at_[edge.source.index()];
    if (source.is_false()) return std::nullopt;
    const Bdd step = relations_->of(edge, 0);
    std::vector<std::uint32_t> all, assigned, others;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies, born;
    for (std::uint32_t i = 0; i < flow_.local_count; ++i) {
      all.insert(all.end(), {layout_->local(0, i), layout_->local_after(i)});
      others.push_back(layout_->child(i));
      born.emplace_back(layout_->child(i), layout_->local(0, i));
    }
    for (const auto& a : edge.local) {
      assigned.push_back(layout_->local(0, a.index));
      copies.emplace_back(layout_->local_after(a.index), layout_->local(0, a.index));
    }
    assigned.insert(assigned.end(), others.begin(), others.end());
    const Bdd own = relations_->drop(edge, after(source, step, assigned, copies, edge));
    if (auto problem = leads_out(edge.target, own, edge, "its thread")) return problem;
    if (edge.kind == EdgeKind::Spawn)
      if (auto problem =
              leads_out(edge.child, relations_->drop(edge, after(source, step, all, born, edge)),
                        edge, "the thread that it starts"))
        return problem;
    const bool special = wakes(edge) || !edge.passive.empty();
    if (edge.shared.empty() && !special) return std::nullopt;
    std::vector<std::uint32_t> names;
    for (const auto& a : edge.shared) names.push_back(a.index);
    Group& group = groups_[{names, flow_.nodes[edge.source.index()].atomic_depth > 0,
                            special ? &edge : nullptr}];
    group.edges.push_back(&edge);
    group.is_special = special;
    group.effect |= effect_of(edge, source);
    return std::nullopt;
  }

  /// Of a step from these states on the shared variables.
  Bdd effect_of(const GraphEdge& edge, const Bdd& source) const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < flow_.local_count; ++i)
      all.insert(all.end(), {layout_->local(0, i), layout_->local_after(i), layout_->child(i)});
    return space_->exists_and(source, relations_->of(edge, 0), space_->all_of(all));
  }

  std::vector<std::uint32_t> classes_of(GraphNodeId node) const {
    std::vector<std::uint32_t> out;
    for (const ProgramBasis& basis : claim_.unreachable)
      out.push_back(basis.abstraction ? basis.abstraction->classes[node.index()] : node.value);
    return out;
  }

  /// The states of a thread of classes `here` that never has another thread of classes `there`
  /// beside it, whatever the values of that one are.
  Bdd never_beside(const std::vector<std::uint32_t>& here,
                   const std::vector<std::uint32_t>& there) const {
    Bdd out;
    for (std::size_t b = 0; b < claim_.unreachable.size(); ++b)
      for (const answer::ProgramElement& element : claim_.unreachable[b].minimal) {
        if (element.threads.size() != 2) continue;
        for (const std::size_t one : {0u, 1u}) {
          const answer::ThreadCube& own = element.threads[one];
          const answer::ThreadCube& other = element.threads[1 - one];
          const bool has_any_values = other.values == model::boolean::Cube::all();
          if (own.node.value == here[b] && other.node.value == there[b] && has_any_values)
            out |= cube(element.shared, own.values);
        }
      }
    return out;
  }

  const Bdd& effect_beside(Group& group, GraphNodeId node) {
    const std::vector<std::uint32_t> there = classes_of(node);
    const auto [entry, is_new] = group.effects_beside.try_emplace(there);
    if (!is_new) return entry->second;
    for (const GraphEdge* edge : group.edges) {
      const Bdd never = never_beside(classes_of(edge->source), there);
      entry->second |= effect_of(*edge, at_[edge->source.index()] - never);
    }
    return entry->second;
  }

  /// First without a look at who is beside whom, which is mostly enough.
  Problem check_other(Group& group, GraphNodeId node) {
    if (auto problem = count_step(context_)) return problem;
    const bool both_inside = flow_.nodes[node.index()].atomic_depth > 0 &&
                             flow_.nodes[group.edges.front()->source.index()].atomic_depth > 0;
    if (both_inside || at_[node.index()].is_false()) return std::nullopt;
    if (!check_effect(group, group.effect, node)) return std::nullopt;
    return check_effect(group, effect_beside(group, node), node);
  }

  Problem check_effect(const Group& group, const Bdd& effect, GraphNodeId node) const {
    const GraphEdge& edge = *group.edges.front();
    const FlowNode& which = flow_.nodes[node.index()];
    Bdd states = after(at_[node.index()], effect, {}, {}, edge);
    if (!edge.passive.empty() && flow_.root_of(node) == flow_.root_of(edge.source))
      states = relations_->deliver(edge, 0, states);
    states = relations_->drop(edge, states);
    const bool woken =
        group.is_special && wakes(edge) && which.waits && which.condition == edge.condition;
    if (woken)
      if (auto problem = leads_out(which.woken, states, edge, "another thread")) return problem;
    if (woken && edge.kind == EdgeKind::Broadcast) return std::nullopt;
    return leads_out(node, states, edge, "another thread");
  }

  // ---- fewer threads ----

  bool allows(std::uint32_t in_main) const {
    return std::ranges::any_of(task_.question.initial,
                               [&](const auto& region) { return region.allows(in_main); });
  }

  Problem check_fewer() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;  // in main, started
    const bool starts = starts_threads(flow_);
    for (std::uint32_t in_main = cutoff_.threads - 1; in_main > 0; --in_main) {
      if (!allows(in_main)) continue;
      ways.emplace_back(in_main, starts ? cutoff_.threads - 1 - in_main : 0);
      if (!starts) break;  // fewer do what more do
    }
    if (ways.empty()) return std::nullopt;
    if (!claim_.last) return refuted("nothing shows that fewer threads are not enough");
    if (!contains(*claim_.last))
      return refuted("what fewer threads do not reach is not a reachable thread state");
    for (const auto& [in_main, started] : ways)
      if (auto problem = check_way(in_main, started)) return problem;
    return std::nullopt;
  }

  /// Is one of these thread states claimed to be reachable?
  bool contains(const model::boolean::ThreadStateTarget& states) const {
    const auto shared = static_cast<std::uint32_t>(flow_.shared_names.size());
    std::vector<bool> met{false, true};  // by diagram; children come first
    for (const answer::DiagramNode& node : claim_.nodes) {
      const auto value = node.variable < shared ? states.shared[node.variable]
                                                : states.local[node.variable - shared];
      met.push_back((value != true && met[node.low]) || (value != false && met[node.high]));
    }
    return met[claim_.reachable[states.node.index()]];
  }

  Problem check_way(std::uint32_t in_main, std::uint32_t started) {
    const auto proof = std::ranges::find_if(claim_.too_few, [&](const auto& candidate) {
      return candidate.in_main == in_main && candidate.started == started;
    });
    if (proof == claim_.too_few.end())
      return refuted("nothing shows what " + std::to_string(in_main) + " threads in main do not");
    const auto asked = bounded_target(flow_, *claim_.last, started);
    if (!asked) return refuted("the program has too many variables to count its threads");
    const std::vector<model::ThreadsInMain> initial{{in_main, base::Integer(in_main)}};
    if (proof->basis.minimal.empty() && proof->basis.thread_states.empty())
      return explore_all(*asked, initial, proof->basis);
    const auto result = check_basis_of_graph(*asked, initial, proof->basis, true, context_);
    if (result.status != answer::EvidenceStatus::Confirmed) return result;
    return std::nullopt;
  }

  /// All that one thread less does on the coarse graph: every helper takes every edge.
  Problem explore_all(const FlowGraph& asked, const std::vector<model::ThreadsInMain>& initial,
                      const ProgramBasis& basis) {
    const std::uint32_t threads = cutoff_.threads - 1;
    if (!basis.abstraction) return refuted("an exploration without its graph");
    const auto coarse = model::boolean::coarsen(asked, *basis.abstraction);
    if (!coarse) return refuted(coarse.error());
    const FlowGraph& graph = coarse->flow;
    const RunLayout layout(graph, threads);
    const solver::BddSpace space(layout.total, context_.limits().memory_mb);
    std::vector<model::boolean::EdgeId> all;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) all.emplace_back(e);
    const std::vector helpers(threads - 1, all);
    HelperRuns runs(graph, layout, space, threads, helpers, context_);
    if (!runs.run(initial))
      return not_checked(base::to_string(context_.stopped().value_or(base::StopReason::Cancelled)));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      if (graph.nodes[i].failed && !runs.met_at(GraphNodeId(i)).is_false())
        return refuted("fewer threads may reach line " + std::to_string(graph.nodes[i].at.line));
    return std::nullopt;
  }

  const model::ProgramTask& task_;
  const answer::Cutoff& cutoff_;
  const answer::ProgramThreadStates& claim_;
  base::RunContext& context_;
  FlowGraph flow_;
  std::size_t variables_ = 0;
  std::optional<RunLayout> layout_;
  std::optional<solver::BddSpace> space_;
  std::optional<StepRelations> relations_;
  std::vector<Bdd> at_;           ///< claimed, by node
  std::vector<Bdd> unreachable_;  ///< by node
  std::map<std::tuple<std::vector<std::uint32_t>, bool, const GraphEdge*>, Group> groups_;
};

}  // namespace

answer::CheckResult check_program_cutoff(const model::ProgramTask& task,
                                         const answer::Cutoff& cutoff, base::RunContext& context) {
  if (!cutoff.program) return *refuted("the thread states of a program are missing");
  return prove(ProgramCutoffCheck(task, cutoff, context));
}

}  // namespace heddle::check
