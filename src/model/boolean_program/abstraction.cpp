#include "model/boolean_program/abstraction.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::model::boolean {

namespace {

const Formula* value_in(const std::vector<Assignment>& assignments, std::uint32_t index) {
  const auto it = std::ranges::find(assignments, index, &Assignment::index);
  return it != assignments.end() ? &it->value : nullptr;
}

/// Hides variables of one edge. `*` and hidden variables are choices; each has a number, under
/// which it is counted how often it occurs in the edge.
class Hiding {
 public:
  Hiding(const FlowEdge& edge, const Abstraction& abstraction)
      : edge_(edge), abstraction_(abstraction) {}

  FlowEdge run() {
    FlowEdge out = edge_;
    const bool wakes = out.kind == EdgeKind::Broadcast || out.kind == EdgeKind::Signal;
    if (wakes && !abstraction_.shows_condition(out.condition)) out.kind = EdgeKind::Step;
    out.shared = hidden(edge_.shared, abstraction_.shared);
    out.local = hidden(edge_.local, abstraction_.local);
    out.child_values = hidden(edge_.child_values, abstraction_.local);
    hide_passive(out);
    moves_ = only_moves(out) && looks_at_nothing_else();
    out.guard = hidden(edge_.guard);
    out.constraint = hidden(without_next(edge_.constraint));
    out.guard = conjunction(std::move(out.guard), std::move(out.constraint));
    out.constraint = constant(true);
    if (numbers_.size() > kMostVariables || out.passive_choices > kMostVariables) {
      out.choices = std::max(static_cast<std::uint32_t>(numbers_.size()), out.passive_choices);
      return out;
    }
    each_formula(out, [&](Formula& f) { count(f); });
    out.guard = merged_condition(out.guard);
    for (auto* list : {&out.shared, &out.local, &out.child_values})
      for (Assignment& assignment : *list) assignment.value = merged(assignment.value);
    number_choices(out);
    return out;
  }

 private:
  bool is_visible(const Atom& a) const {
    switch (a.kind) {
      case AtomKind::Shared:
      case AtomKind::NextShared:
        return abstraction_.shared[a.index] && !(moves_ && abstraction_.unseen_by_moves[a.index]);
      case AtomKind::Local:
      case AtomKind::NextLocal:
      case AtomKind::Receiver: return abstraction_.local[a.index];
      case AtomKind::Choice: break;
    }
    return false;
  }

  /// Does the edge's condition mention no variable that moves see?
  bool looks_at_nothing_else() const {
    bool nothing = true;
    for (const Formula* f : {&edge_.guard, &edge_.constraint})
      for_each_atom(*f, [&](const Atom& a) {
        const bool shared = a.kind == AtomKind::Shared || a.kind == AtomKind::NextShared;
        const bool unseen = shared && abstraction_.unseen_by_moves[a.index];
        nothing = nothing && (unseen || !is_visible(a));
      });
    return nothing;
  }

  /// Values after the step, in terms of those before it.
  Formula without_next(const Formula& f) const {
    return substitute(f, [&](const Atom& a) -> Formula {
      if (a.kind != AtomKind::NextShared && a.kind != AtomKind::NextLocal)
        return atom(a.kind, a.index);
      const bool shared = a.kind == AtomKind::NextShared;
      const Formula* value = value_in(shared ? edge_.shared : edge_.local, a.index);
      return value ? *value : atom(shared ? AtomKind::Shared : AtomKind::Local, a.index);
    });
  }

  Formula hidden(const Formula& f) {
    return substitute(f, [&](const Atom& a) {
      if (is_visible(a)) return atom(a.kind, a.index);
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      return atom(AtomKind::Choice, numbers_.try_emplace(a, next).first->second);
    });
  }

  std::vector<Assignment> hidden(const std::vector<Assignment>& list, const Valuation& visible) {
    std::vector<Assignment> out;
    for (const Assignment& assignment : list)
      if (visible[assignment.index]) out.push_back({assignment.index, hidden(assignment.value)});
    return out;
  }

  /// What is hidden is a choice of each receiver, the same wherever it is mentioned.
  void hide_passive(FlowEdge& out) const {
    std::map<Atom, std::uint32_t> numbers;
    const auto chosen = [&](const Atom& a) {
      const auto next = static_cast<std::uint32_t>(numbers.size());
      return atom(AtomKind::Choice, numbers.try_emplace(a, next).first->second);
    };
    out.passive.clear();
    for (const Assignment& assignment : edge_.passive) {
      if (!abstraction_.local[assignment.index]) continue;
      const auto shown = [&](const Atom& a) {
        return is_visible(a) ? atom(a.kind, a.index) : chosen(a);
      };
      const bool both = is_any_value(assignment);
      out.passive.push_back({assignment.index, both
                                                   ? chosen({AtomKind::NextLocal, assignment.index})
                                                   : substitute(assignment.value, shown)});
    }
    out.passive_choices = static_cast<std::uint32_t>(numbers.size());
  }

  /// Does the passive value mention nothing but what is hidden and what no other value mentions,
  /// and can it be 0 and 1?
  bool is_any_value(const Assignment& passive) const {
    std::set<Atom> own;
    for_each_atom(passive.value, [&](const Atom& a) { own.insert(a); });
    bool alone = std::ranges::none_of(own, [&](const Atom& a) { return is_visible(a); });
    for (const Assignment& other : edge_.passive)
      if (other.index != passive.index && abstraction_.local[other.index])
        for_each_atom(other.value, [&](const Atom& a) { alone = alone && !own.contains(a); });
    return alone && satisfiable(passive.value, {}) && satisfiable(negation(passive.value), {});
  }

  /// Every formula in which choices are those of the edge.
  template <class Visit>
  static void each_formula(FlowEdge& edge, const Visit& visit) {
    visit(edge.guard);
    for (auto* list : {&edge.shared, &edge.local, &edge.child_values})
      for (Assignment& assignment : *list) visit(assignment.value);
  }

  void count(const Formula& f) {
    uses_.resize(numbers_.size());
    for_each_atom(f, [&](const Atom& a) {
      if (a.kind == AtomKind::Choice) ++uses_[a.index];
    });
  }

  /// Does it mention choices only, and are these mentioned nowhere else?
  bool is_on_its_own(const Formula& f) const {
    std::map<std::uint32_t, std::size_t> here;
    bool alone = true;
    for_each_atom(f, [&](const Atom& a) {
      alone = alone && a.kind == AtomKind::Choice;
      if (a.kind == AtomKind::Choice) ++here[a.index];
    });
    return alone && !here.empty() && std::ranges::all_of(here, [&](const auto& entry) {
             return uses_[entry.first] == entry.second;
           });
  }

  static Formula first_choice(const Formula& f) {
    std::optional<Formula> found;
    for_each_atom(f, [&](const Atom& a) {
      if (!found) found = atom(a.kind, a.index);
    });
    return *found;
  }

  /// What depends on choices of its own only is one of them, or a constant.
  Formula merged(const Formula& f) const {
    if (f.operands.empty()) return f;
    if (is_on_its_own(f)) {
      if (!satisfiable(f, {})) return constant(false);
      return satisfiable(negation(f), {}) ? first_choice(f) : constant(true);
    }
    Formula out = f;
    for (Formula& operand : out.operands) operand = merged(operand);
    if (out.kind == Formula::Kind::Equal)
      for (std::size_t i = 0; i < 2; ++i)
        if (is_single(out.operands[i])) return out.operands[i];
    return out;
  }

  bool is_single(const Formula& f) const {
    return f.kind == Formula::Kind::Atom && is_on_its_own(f);
  }

  /// As `merged`, but a choice is made so that the formula holds.
  Formula merged_condition(const Formula& f) const {
    if (is_on_its_own(f)) return constant(satisfiable(f, {}));
    if (f.kind != Formula::Kind::And && f.kind != Formula::Kind::Or) {
      Formula out = merged(f);
      return is_single(out) ? constant(true) : out;
    }
    Formula a = merged_condition(f.operands[0]);
    Formula b = merged_condition(f.operands[1]);
    return f.kind == Formula::Kind::And ? conjunction(std::move(a), std::move(b))
                                        : disjunction(std::move(a), std::move(b));
  }

  static void number_choices(FlowEdge& edge) {
    std::map<std::uint32_t, std::uint32_t> numbers;
    each_formula(edge, [&](Formula& f) {
      f = substitute(f, [&](const Atom& a) {
        if (a.kind != AtomKind::Choice) return atom(a.kind, a.index);
        const auto next = static_cast<std::uint32_t>(numbers.size());
        return atom(AtomKind::Choice, numbers.try_emplace(a.index, next).first->second);
      });
    });
    edge.choices = static_cast<std::uint32_t>(numbers.size());
  }

  const FlowEdge& edge_;
  const Abstraction& abstraction_;
  bool moves_ = false;  ///< it sees and changes nothing but its thread's node
  std::map<Atom, std::uint32_t> numbers_;
  std::vector<std::size_t> uses_;
};

class Coarsening {
 public:
  Coarsening(const Flow& flow, const Abstraction& abstraction)
      : flow_(flow), abstraction_(abstraction) {}

  std::expected<CoarseFlow, std::string> run() {
    if (abstraction_.classes.size() != flow_.nodes.size())
      return std::unexpected("the classes are of other nodes");
    if (auto problem = add_nodes()) return std::unexpected(*problem);
    copy_names();
    for (const FlowEdge& edge : flow_.edges) {
      FlowEdge seen = hide(edge, abstraction_);
      if (seen.choices > kMostVariables) return std::unexpected("a step hides too many variables");
      out_.edge_of.push_back(add(std::move(seen)));
    }
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      const auto edge = free_wake(flow_.nodes[i], NodeId(i), abstraction_);
      out_.wake_of.push_back(edge ? add(*edge) : std::nullopt);
    }
    return std::move(out_);
  }

 private:
  NodeId class_of(NodeId node) const { return NodeId(abstraction_.classes[node.index()]); }

  bool shows_sections() const { return flow_.atomic_bit && abstraction_.shared[*flow_.atomic_bit]; }

  /// A node as the coarse graph shows it.
  FlowNode shown(const FlowNode& node) const {
    FlowNode out = node;
    if (!shows_sections()) out.atomic_depth = 0;
    out.atomic_depth = std::min(out.atomic_depth, 1U);
    out.waits = node.waits && abstraction_.shows_condition(node.condition);
    out.condition = out.waits ? node.condition : 0;
    out.woken = out.waits ? class_of(node.woken) : NodeId();
    return out;
  }

  std::optional<std::string> add_nodes() {
    std::vector<bool> met;
    std::vector<std::uint32_t> roots;
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
      const std::size_t number = abstraction_.classes[i];
      if (number >= flow_.nodes.size()) return "there are fewer nodes than classes";
      if (number >= met.size()) {
        met.resize(number + 1);
        roots.resize(number + 1);
        out_.flow.nodes.resize(number + 1);
      }
      const FlowNode node = shown(flow_.nodes[i]);
      const std::uint32_t root = flow_.root_of(NodeId(i));
      FlowNode& whole = out_.flow.nodes[number];
      if (!met[number]) {
        met[number] = true;
        roots[number] = root;
        whole = node;
        continue;
      }
      whole.failed = whole.failed || node.failed;
      const auto sides = [](const FlowNode& n) {
        return std::tie(n.atomic_depth, n.waits, n.condition, n.woken);
      };
      if (sides(whole) != sides(node) || roots[number] != root)
        return "nodes of class " + std::to_string(number) + " differ";
    }
    if (std::ranges::find(met, false) != met.end()) return "a class is empty";
    return std::nullopt;
  }

  void copy_names() {
    Flow& flow = out_.flow;
    flow.shared_names = flow_.shared_names;
    flow.local_count = flow_.local_count;
    flow.procedures = flow_.procedures;
    flow.local_names = flow_.local_names;
    flow.shared_encodings = flow_.shared_encodings;
    flow.local_encodings = flow_.local_encodings;
    flow.parameter_counts = flow_.parameter_counts;
    flow.frames = flow_.frames;
    flow.start = class_of(flow_.start);
    if (shows_sections()) flow.atomic_bit = flow_.atomic_bit;
    flow.initial_shared = flow_.initial_shared.without(~abstraction_.shared);
    flow.initial_local = flow_.initial_local.without(~abstraction_.local);
  }

  /// The coarse edge, which may be there already.
  std::optional<EdgeId> add(FlowEdge edge) {
    edge.source = class_of(edge.source);
    edge.target = class_of(edge.target);
    if (edge.kind == EdgeKind::Spawn) edge.child = class_of(edge.child);
    if (only_moves(edge) && edge.source == edge.target) return std::nullopt;
    const std::pair<NodeId, NodeId> ends{edge.source, edge.target};
    for (const EdgeId other : by_ends_[ends])
      if (are_alike(out_.flow.edges[other.index()], edge)) return other;
    const EdgeId number(out_.flow.edges.size());
    by_ends_[ends].push_back(number);
    out_.flow.edges.push_back(std::move(edge));
    return number;
  }

  static bool are_alike(const FlowEdge& a, const FlowEdge& b) {
    const auto parts = [](const FlowEdge& e) {
      return std::tie(e.kind, e.guard, e.shared, e.local, e.child_values, e.passive, e.choices,
                      e.passive_choices);
    };
    const bool wakes = a.kind == EdgeKind::Broadcast || a.kind == EdgeKind::Signal;
    return parts(a) == parts(b) && (a.kind != EdgeKind::Spawn || a.child == b.child) &&
           (!wakes || a.condition == b.condition);
  }

  const Flow& flow_;
  const Abstraction& abstraction_;
  CoarseFlow out_;
  std::map<std::pair<NodeId, NodeId>, std::vector<EdgeId>> by_ends_;
};

}  // namespace

FlowEdge hide(const FlowEdge& edge, const Abstraction& abstraction) {
  return Hiding(edge, abstraction).run();
}

std::optional<FlowEdge> free_wake(const FlowNode& node, NodeId which,
                                  const Abstraction& abstraction) {
  if (!node.waits || abstraction.shows_condition(node.condition)) return std::nullopt;
  FlowEdge edge;
  edge.source = which;
  edge.target = node.woken;
  edge.at = node.at;
  edge.text = "wait";
  return edge;
}

bool only_moves(const FlowEdge& edge) {
  return edge.kind == EdgeKind::Step && edge.shared.empty() && edge.local.empty() &&
         edge.passive.empty();
}

std::expected<CoarseFlow, std::string> coarsen(const Flow& flow, const Abstraction& abstraction) {
  return Coarsening(flow, abstraction).run();
}

std::expected<Flow, std::string> graph_of(const BooleanProgram& program,
                                          const std::optional<Abstraction>& abstraction) {
  auto flow = unfold(program);
  if (!flow) return std::unexpected("the program has no flow graph: " + flow.error());
  if (!abstraction) return flow;
  auto coarse = coarsen(*flow, *abstraction);
  if (!coarse)
    return std::unexpected("the abstraction does not fit the program: " + coarse.error());
  return std::move(coarse->flow);
}

}  // namespace heddle::model::boolean
