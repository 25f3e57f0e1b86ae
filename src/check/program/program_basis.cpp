/// U is the claimed basis, I the claimed thread states, both about the graph with calls unfolded
/// or, if the evidence has an abstraction, about the coarse graph that this defines: every run of
/// the program is one of that, whatever the abstraction. No thread can fail if
///
///  0. U and I name nodes and variables that exist, and every element of U has a thread;
///  1. I is an invariant, and at most one thread is inside atomic sections (thread_invariant.cpp);
///  2. every state with a failed thread is in ↑U or violates the invariant;
///  3. no initial state is in ↑U;
///  4. every state that satisfies the invariant and has a step into ↑U is in ↑U itself.
///
/// For 4, take an element u of U and an edge e. A state q of ↑u after a step by e consists of the
/// active thread, a child if e spawns one, and others, which may have been woken or assigned to.
/// u's threads are mapped to some of them: u's view of the step says which of u's threads is the
/// active one and which the child (perhaps none), and where each of the rest was before the step.
/// Threads of the state before the step that u does not see can be left out, since ↑U is upward
/// closed, but for one: a signal that u sees wake nobody although one of its threads waits wakes a
/// thread that u does not see. For each view the solver is asked for values before the step such
/// that the state of the seen threads satisfies the invariant and is in no element of U.

#include <algorithm>
#include <functional>
#include <string>

#include "check/certificates.hpp"
#include "check/program/edge_encoding.hpp"
#include "check/program/program_basis.hpp"
#include "check/program/thread_invariant.hpp"
#include "check/proof.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::ProgramBasis;
using answer::ProgramElement;
using answer::ThreadCube;
using answer::ThreadFact;
using model::boolean::Cube;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::NodeId;
using model::boolean::Valuation;
/// A thread that is not the active one: where it was before the step, and its values afterwards.
struct Other {
  NodeId before;
  Cube after;
};

/// How an element sees a step.
struct View {
  Cube active;  ///< demands on its values after the step
  Cube child;
  std::vector<Other> others;
};

/// Is it a cube of some of these variables?
bool is_cube_of(const Valuation& variables, const Cube& cube) {
  return (cube.mask & ~variables) == 0 && (cube.value & ~cube.mask) == 0;
}

class ProgramBasisCheck {
 public:
  ProgramBasisCheck(std::expected<Flow, std::string> graph,
                    const std::vector<model::ThreadsInMain>& initial, const ProgramBasis& basis,
                    bool contains_failures, base::RunContext& context)
      : graph_(std::move(graph)),
        initial_(initial),
        basis_(basis),
        contains_failures_(contains_failures),
        context_(context) {}

  /// All nodes exist, and each element has threads.
  Problem well_formed() {
    if (!graph_) return refuted(graph_.error());
    flow_ = *std::move(graph_);
    const auto exists = [&](const auto& part) { return part.node.index() < flow_.nodes.size(); };
    const auto is_right = [&](const ProgramElement& element) {
      return !element.threads.empty() && std::ranges::all_of(element.threads, exists);
    };
    if (!std::ranges::all_of(basis_.minimal, is_right) ||
        !std::ranges::all_of(basis_.thread_states, exists))
      return refuted(kBadNames);
    return std::nullopt;
  }

  /// Cubes are about variables that the program has and that are not hidden.
  Problem keeps_to_its_scope() {
    const auto& seen = basis_.abstraction;
    Valuation all_shared = Valuation::first(flow_.shared_names.size());
    Valuation all_local = Valuation::first(flow_.local_count);
    if (seen) all_shared = all_shared & seen->shared;
    if (seen) all_local = all_local & seen->local;
    const auto shared = [&](const auto& part) { return is_cube_of(all_shared, part.shared); };
    const auto local = [&](const Cube& cube) { return is_cube_of(all_local, cube); };
    const auto is_right = [&](const ProgramElement& element) {
      return shared(element) && std::ranges::all_of(element.threads, local, &ThreadCube::values);
    };
    if (!std::ranges::all_of(basis_.minimal, is_right) ||
        !std::ranges::all_of(basis_.thread_states, shared) ||
        !std::ranges::all_of(basis_.thread_states, local, &ThreadFact::local))
      return refuted(kBadNames);
    return std::nullopt;
  }

  /// The invariant holds initially and is closed, which is shown in one go; no initial state is in
  /// an element.
  Problem contains_beginning() {
    if (!sections_exclude(flow_))
      return refuted("the program's atomic sections do not exclude each other");
    invariant_.emplace(flow_, basis_.thread_states);
    if (const auto problem = why_not_invariant(flow_, *invariant_, context_))
      return problem->is_open ? not_checked(problem->why) : refuted(problem->why);
    return check_initial();
  }

  Problem is_closed() {
    index_elements();
    for (const FlowEdge& edge : flow_.edges) {
      if (invariant_->at(edge.source).empty()) continue;
      std::optional<EdgeEncoding> encoding;
      std::size_t asked_before = queries_;
      for (const ProgramElement& element : basis_.minimal) {
        if (is_contradicted(edge, element)) continue;
        // What is forgotten stays in the solver, which goes through all of it in every query.
        if (!encoding || queries_ - asked_before > kQueriesOfASolver) {
          encoding.emplace(flow_, edge);
          asked_before = queries_;
        }
        Problem problem;
        for_each_view(edge, element, [&](const View& view) {
          if (!problem) problem = check_view(edge, *encoding, element, view);
        });
        if (problem) return problem;
      }
    }
    return std::nullopt;
  }

  /// The failures are inside, unless the claim is that all inside is unreachable and no more.
  Problem excludes_end() {
    const FlowEdge nothing_happens;
    for (std::size_t i = 0; i < flow_.nodes.size() && contains_failures_; ++i) {
      const NodeId node(i);
      if (!flow_.nodes[i].failed || invariant_->at(node).empty()) continue;
      EdgeEncoding encoding(flow_, nothing_happens);
      encoding.assume_one_of(invariant_->at(node), encoding.shared(), encoding.local());
      const std::vector<Seen> seen{{node, &encoding.local()}};
      if (auto problem = ask(encoding, seen,
                             "a failed thread in line " + std::to_string(flow_.nodes[i].at.line) +
                                 " is in no element"))
        return problem;
    }
    return std::nullopt;
  }

  std::string confirmation() const {
    return "the set contains every failure, no initial state, and all its predecessors (" +
           base::counted(basis_.minimal.size(), "element") + ", " +
           base::counted(queries_, "SAT call") + ")";
  }

 private:
  static constexpr std::size_t kQueriesOfASolver = 64;
  static constexpr const char* kBadNames =
      "the basis names nodes or variables that do not exist, or no threads";

  /// A thread of a state that a question is about.
  struct Seen {
    NodeId node;
    const Bits* values;
  };

  bool is_inside(NodeId node) const { return flow_.nodes[node.index()].atomic_depth > 0; }

  bool waits_for(NodeId node, std::uint32_t condition) const {
    const FlowNode& which = flow_.nodes[node.index()];
    return which.waits && which.condition == condition;
  }

  void index_elements() {
    by_first_node_.resize(flow_.nodes.size());
    for (const ProgramElement& element : basis_.minimal)
      by_first_node_[element.threads.front().node.index()].push_back(&element);
    // Those with few threads have most states.
    for (auto& elements : by_first_node_)
      std::ranges::stable_sort(elements, {},
                               [](const ProgramElement* e) { return e->threads.size(); });
  }

  Problem check_initial() const {
    const bool any_number = std::ranges::any_of(
        initial_, [](const model::ThreadsInMain& threads) { return !threads.most; });
    base::Integer most = 0;
    for (const model::ThreadsInMain& threads : initial_)
      if (threads.most) most = std::max(most, *threads.most);
    for (const ProgramElement& element : basis_.minimal) {
      const bool few = any_number || base::Integer(element.threads.size()) <= most;
      const bool at_start = std::ranges::all_of(element.threads, [&](const ThreadCube& thread) {
        return thread.node == flow_.start && thread.values.meets(flow_.initial_local);
      });
      if (few && at_start && element.shared.meets(flow_.initial_shared))
        return refuted("an element has an initial state");
    }
    return std::nullopt;
  }

  /// The edge sets a shared variable to a value that the element does not have.
  static bool is_contradicted(const FlowEdge& edge, const ProgramElement& element) {
    return std::ranges::any_of(edge.shared, [&](const model::boolean::Assignment& assignment) {
      const auto value = evaluate(assignment.value, {});
      return value && !element.shared.meets(Cube::all().with(assignment.index, *value));
    });
  }

  // ---- views ----

  using VisitView = std::function<void(const View&)>;

  void for_each_view(const FlowEdge& edge, const ProgramElement& element, const VisitView& visit) {
    const auto& threads = element.threads;
    const std::size_t none = threads.size();
    for (std::size_t active = 0; active <= none; ++active) {
      if (active < none && threads[active].node != edge.target) continue;
      for (std::size_t child = 0; child <= none; ++child) {
        if (child < none &&
            (edge.kind != EdgeKind::Spawn || child == active || threads[child].node != edge.child))
          continue;
        View view{active < none ? threads[active].values : Cube::all(),
                  child < none ? threads[child].values : Cube::all(),
                  {}};
        std::vector<ThreadCube> rest;
        for (std::size_t i = 0; i < none; ++i)
          if (i != active && i != child) rest.push_back(threads[i]);
        add_others(edge, rest, view, [&](const View& complete) {
          if (active < none || child < none || changes(edge, rest, complete)) visit(complete);
        });
      }
    }
  }

  /// Would the element without the step not cover the state before it anyway?
  static bool changes(const FlowEdge& edge, const std::vector<ThreadCube>& rest, const View& view) {
    if (!edge.shared.empty() || !edge.passive.empty() || rest.size() != view.others.size())
      return true;
    for (std::size_t i = 0; i < rest.size(); ++i)
      if (rest[i].node != view.others[i].before) return true;
    return false;
  }

  void add_others(const FlowEdge& edge, const std::vector<ThreadCube>& rest, View& view,
                  const VisitView& visit) {
    if (edge.kind == EdgeKind::Signal) return add_signalled(edge, rest, view, visit);
    if (view.others.size() == rest.size()) return visit(view);
    const ThreadCube& thread = rest[view.others.size()];
    const auto was_at = [&](NodeId node) {
      view.others.push_back({node, thread.values});
      add_others(edge, rest, view, visit);
      view.others.pop_back();
    };
    const bool broadcasts = edge.kind == EdgeKind::Broadcast;
    if (!broadcasts || !waits_for(thread.node, edge.condition)) was_at(thread.node);
    if (!broadcasts) return;
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i)
      if (waits_for(NodeId(i), edge.condition) && flow_.nodes[i].woken == thread.node)
        was_at(NodeId(i));
  }

  void add_signalled(const FlowEdge& edge, const std::vector<ThreadCube>& rest, View& view,
                     const VisitView& visit) {
    bool one_waits = false;
    for (const ThreadCube& thread : rest) {
      view.others.push_back({thread.node, thread.values});
      one_waits = one_waits || waits_for(thread.node, edge.condition);
    }
    if (!one_waits) visit(view);
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      if (!waits_for(NodeId(i), edge.condition)) continue;
      for (Other& other : view.others) {
        if (other.before != flow_.nodes[i].woken) continue;
        const NodeId there = std::exchange(other.before, NodeId(i));
        visit(view);
        other.before = there;
      }
      if (!one_waits) continue;
      view.others.push_back({NodeId(i), Cube::all()});
      visit(view);
      view.others.pop_back();
    }
  }

  // ---- queries ----

  Problem check_view(const FlowEdge& edge, EdgeEncoding& encoding, const ProgramElement& element,
                     const View& view) {
    std::size_t inside = is_inside(edge.source) ? 1 : 0;
    for (const Other& other : view.others) {
      if (invariant_->at(other.before).empty()) return std::nullopt;
      if (is_inside(other.before) && ++inside > 1) return std::nullopt;
    }
    if (inside > 1) return std::nullopt;
    encoding.assume(element.shared, encoding.shared_after());
    encoding.assume(view.active, encoding.local_after());
    if (edge.kind == EdgeKind::Spawn) encoding.assume(view.child, encoding.child());
    encoding.assume_one_of(invariant_->at(edge.source), encoding.shared(), encoding.local());
    std::vector<Seen> seen{{edge.source, &encoding.local()}};
    for (std::size_t k = 0; k < view.others.size(); ++k) {
      const Other& other = view.others[k];
      const bool same_root =
          !edge.passive.empty() && flow_.root_of(other.before) == flow_.root_of(edge.source);
      encoding.assume(other.after, encoding.other_after(k, same_root));
      encoding.assume_one_of(invariant_->at(other.before), encoding.shared(), encoding.other(k));
      seen.push_back({other.before, &encoding.other(k)});
    }
    return ask(encoding, seen,
               "'" + edge.text + "' in line " + std::to_string(edge.at.line) +
                   " leads into an element from a state in none");
  }

  /// Asks for a state before the step that is in no element. An element that has the state found is
  /// excluded, and the question asked again: a few elements do for most questions.
  Problem ask(EdgeEncoding& encoding, const std::vector<Seen>& seen,
              const std::string& counterexample) {
    Problem problem;
    ++queries_;
    for (bool is_open = true; is_open && !problem;) {
      problem = count_step(context_);
      if (problem) break;
      switch (encoding.find_step(context_)) {
        case solver::SatAnswer::Unsatisfiable: is_open = false; break;
        case solver::SatAnswer::Unknown: problem = not_checked(why_unknown(context_)); break;
        case solver::SatAnswer::Satisfiable:
          if (!exclude_element(encoding, seen)) problem = refuted(counterexample);
      }
    }
    encoding.forget();
    return problem;
  }

  /// Finds an element that has the state that the encoding shows; false if there is none.
  bool exclude_element(EdgeEncoding& encoding, const std::vector<Seen>& seen) const {
    const Valuation shared = encoding.value(encoding.shared());
    std::vector<Valuation> values;
    for (const Seen& thread : seen) values.push_back(encoding.value(*thread.values));
    for (const Seen& thread : seen)
      for (const ProgramElement* element : by_first_node_[thread.node.index()]) {
        if (element->threads.size() > seen.size() || !element->shared.contains(shared)) continue;
        std::vector<std::size_t> mapped;
        if (!map_threads(*element, seen, values, mapped)) continue;
        std::vector<EdgeEncoding::Part> parts{{element->shared, &encoding.shared()}};
        for (std::size_t i = 0; i < mapped.size(); ++i)
          parts.push_back({element->threads[i].values, seen[mapped[i]].values});
        encoding.assume_not(parts);
        return true;
      }
    return false;
  }

  static bool map_threads(const ProgramElement& element, const std::vector<Seen>& seen,
                          const std::vector<Valuation>& values, std::vector<std::size_t>& mapped) {
    if (mapped.size() == element.threads.size()) return true;
    const ThreadCube& thread = element.threads[mapped.size()];
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i].node != thread.node || !thread.values.contains(values[i]) ||
          std::ranges::find(mapped, i) != mapped.end())
        continue;
      mapped.push_back(i);
      if (map_threads(element, seen, values, mapped)) return true;
      mapped.pop_back();
    }
    return false;
  }

  std::expected<Flow, std::string> graph_;
  const std::vector<model::ThreadsInMain>& initial_;
  const ProgramBasis& basis_;
  bool contains_failures_;
  base::RunContext& context_;
  Flow flow_;
  std::optional<ThreadInvariant> invariant_;
  std::vector<std::vector<const ProgramElement*>> by_first_node_;
  std::size_t queries_ = 0;
};

}  // namespace

CheckResult check_certificate(const model::ProgramTask& task, const ProgramBasis& basis,
                              base::RunContext& context) {
  return prove(ProgramBasisCheck(graph_of(task.model, basis.abstraction), task.question.initial,
                                 basis, true, context));
}

CheckResult check_basis_of_graph(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
                                 const ProgramBasis& basis, bool contains_failures,
                                 base::RunContext& context) {
  std::expected<Flow, std::string> graph = flow;
  if (basis.abstraction) {
    auto coarse = coarsen(flow, *basis.abstraction);
    if (coarse)
      graph = std::move(coarse->flow);
    else
      graph = std::unexpected(coarse.error());
  }
  return prove(ProgramBasisCheck(std::move(graph), initial, basis, contains_failures, context));
}

}  // namespace heddle::check
