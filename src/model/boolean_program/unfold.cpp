/// From statements to the flow graph.
///
/// A node is a point of a procedure's code in a *frame* (a chain of calls from a thread's outermost
/// procedure) at a depth of nested atomic sections. Nodes are made as they are reached from the
/// start of main, so a point that is reached both inside and outside a section is two nodes, and
/// what no thread can reach has none. Without recursion there are finitely many frames; local
/// variables of a frame lie behind those of its caller, so frames that cannot be active together
/// share places.

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/boolean_program/code.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/pass_over.hpp"
#include "model/boolean_program/print.hpp"
#include "model/boolean_program/scope.hpp"

namespace heddle::model::boolean {

namespace {

constexpr std::size_t kMostNodes = std::size_t{1} << 20;
constexpr std::uint32_t kDeepestAtomic = 64;

/// Where a frame goes on when it returns.
struct Continuation {
  const Statement* call = nullptr;
  std::uint32_t next = 0;  ///< an instruction of the caller
};

class Unfolder {
 public:
  explicit Unfolder(const BooleanProgram& program) : program_(program), scope_(program, flow_) {
    for (const Procedure& procedure : program.procedures) {
      codes_.push_back(code_of(procedure));
      flow_.procedures.push_back(procedure.name);
      std::vector<std::string> names;
      for (const Declaration& d : procedure.parameters) names.push_back(d.name);
      for (const Declaration& d : procedure.locals) names.push_back(d.name);
      flow_.local_names.push_back(std::move(names));
    }
  }

  Flow run() {
    if (!program_.find("main")) throw Refusal{"it has no procedure main"};
    declare_shared();
    const std::uint32_t root = root_frame(index_of("main"));
    flow_.start = node(root, codes_[flow_.frames[root].procedure].entry, 0);
    while (done_ < todo_.size()) {
      const Point point = todo_[done_++];
      if (nodes_.size() > kMostNodes) throw Refusal{"unfolding its calls gives too many nodes"};
      expand(point);
    }
    finish();
    return std::move(flow_);
  }

 private:
  struct Point {
    std::uint32_t frame;
    std::uint32_t instruction;
    std::uint32_t depth;
    auto operator<=>(const Point&) const = default;
  };

  // ---- variables ----

  void declare_shared() {
    for (const Declaration& d : program_.globals) {
      const auto index = static_cast<std::uint32_t>(flow_.shared_names.size());
      flow_.shared_names.push_back(d.name);
      check_count(flow_.shared_names.size(), "shared variables");
      if (d.initial) flow_.initial_shared = flow_.initial_shared.with(index, *d.initial);
    }
    const bool uses_atomic = std::ranges::any_of(codes_, [](const Code& code) {
      return std::ranges::any_of(code.instructions, [](const Instruction& i) {
        return i.role == Instruction::Role::Begin;
      });
    });
    if (!uses_atomic) return;
    atomic_ = static_cast<std::uint32_t>(flow_.shared_names.size());
    flow_.shared_names.emplace_back(kAtomicBit);
    check_count(flow_.shared_names.size(), "shared variables");
    flow_.initial_shared = flow_.initial_shared.with(*atomic_, false);
  }

  std::uint32_t index_of(std::string_view procedure) const {
    return static_cast<std::uint32_t>(program_.find(procedure) - program_.procedures.data());
  }

  const Procedure& procedure_of(std::uint32_t frame) const {
    return program_.procedures[flow_.frames[frame].procedure];
  }

  bool is_root(std::uint32_t frame) const { return flow_.frames[frame].caller == frame; }

  std::uint32_t end_of_locals(std::uint32_t frame) const {
    const Frame& f = flow_.frames[frame];
    return f.first_local + static_cast<std::uint32_t>(flow_.local_names[f.procedure].size());
  }

  // ---- frames and nodes ----

  std::uint32_t add_frame(std::uint32_t procedure, std::uint32_t first_local, std::uint32_t caller,
                          Continuation continuation) {
    const auto number = static_cast<std::uint32_t>(flow_.frames.size());
    if (number > kMostNodes) throw Refusal{"unfolding its calls gives too many frames"};
    flow_.frames.push_back({procedure, first_local, caller});
    continuations_.push_back(continuation);
    const std::uint32_t end = end_of_locals(number);
    check_count(end, "local variables, those of callers included");
    flow_.local_count = std::max(flow_.local_count, end);
    return number;
  }

  std::uint32_t root_frame(std::uint32_t procedure) {
    const auto [it, is_new] = roots_.try_emplace(procedure, 0);
    if (is_new)
      it->second = add_frame(procedure, 0, static_cast<std::uint32_t>(flow_.frames.size()), {});
    return it->second;
  }

  std::uint32_t called_frame(const Point& from, const Statement& call, std::uint32_t next) {
    const auto [it, is_new] = called_.try_emplace(std::pair{from.frame, from.instruction}, 0);
    if (!is_new) return it->second;
    const std::uint32_t callee = index_of(call.callee);
    for (std::uint32_t frame = from.frame;; frame = flow_.frames[frame].caller) {
      if (flow_.frames[frame].procedure == callee)
        throw Refusal{"its procedure '" + call.callee + "' is recursive"};
      if (is_root(frame)) break;
    }
    it->second = add_frame(callee, end_of_locals(from.frame), from.frame, {&call, next});
    return it->second;
  }

  NodeId add_node(std::uint32_t frame, std::uint32_t depth, const Position& at) {
    FlowNode node;
    node.frame = frame;
    node.atomic_depth = depth;
    node.at = at;
    flow_.nodes.push_back(node);
    return NodeId(flow_.nodes.size() - 1);
  }

  NodeId node(std::uint32_t frame, std::uint32_t instruction, std::uint32_t depth) {
    const Point point{frame, instruction, depth};
    const auto found = nodes_.find(point);
    if (found != nodes_.end()) return found->second;
    const Instruction& code = codes_[flow_.frames[frame].procedure].instructions[instruction];
    const NodeId id = add_node(frame, depth, code.at);
    flow_.nodes[id.index()].failed = code.failed;
    nodes_.emplace(point, id);
    todo_.push_back(point);
    return id;
  }

  /// Where threads go that have failed or ended; they do nothing any more.
  using Sinks = std::map<std::pair<std::uint32_t, std::uint32_t>, NodeId>;
  NodeId sink(Sinks& sinks, std::uint32_t frame, std::uint32_t depth, const Position& at) {
    const auto [it, is_new] = sinks.try_emplace({frame, depth}, NodeId());
    if (is_new) it->second = add_node(frame, depth, at);
    return it->second;
  }

  // ---- edges ----

  FlowEdge edge_from(const Point& point, const Instruction& code) const {
    FlowEdge edge;
    edge.source = nodes_.at(point);
    edge.at = code.at;
    if (code.statement) edge.text = to_string(*code.statement);
    if (code.role == Instruction::Role::Branch && code.condition)
      edge.text = to_string(*code.condition);
    if (atomic_) {
      const Formula held = atom(AtomKind::Shared, *atomic_);
      edge.guard = point.depth == 0 ? negation(held) : held;
    }
    if (const auto& enforce = procedure_of(point.frame).enforce)
      edge.guard = conjunction(std::move(edge.guard), scope_.lower(*enforce, point.frame, edge));
    return edge;
  }

  void add(FlowEdge edge, NodeId target) {
    edge.target = target;
    const auto by_index = [](const Assignment& a, const Assignment& b) {
      return a.index < b.index;
    };
    std::ranges::sort(edge.shared, by_index);
    std::ranges::sort(edge.local, by_index);
    flow_.edges.push_back(std::move(edge));
  }

  static void assign(FlowEdge& edge, const Atom& variable, Formula value) {
    auto& list = variable.kind == AtomKind::Local ? edge.local : edge.shared;
    list.push_back({variable.index, std::move(value)});
  }

  void set_atomic(FlowEdge& edge, bool value) const {
    assign(edge, {AtomKind::Shared, *atomic_}, constant(value));
  }

  // ---- instructions ----

  void expand(const Point& point) {
    // A copy: new frames do not move codes, but a reader should not have to know.
    const Instruction code =
        codes_[flow_.frames[point.frame].procedure].instructions[point.instruction];
    switch (code.role) {
      case Instruction::Role::Plain: expand_plain(point, code); break;
      case Instruction::Role::Branch: expand_branch(point, code); break;
      case Instruction::Role::Begin: expand_begin(point, code); break;
      case Instruction::Role::End: expand_end(point, code); break;
      case Instruction::Role::Leave: expand_return(point, code); break;
      case Instruction::Role::Stuck: break;
    }
  }

  NodeId next(const Point& point, const Instruction& code, std::size_t which = 0) {
    return node(point.frame, code.next[which], point.depth);
  }

  void expand_branch(const Point& point, const Instruction& code) {
    for (const std::size_t which : {0U, 1U}) {
      FlowEdge edge = edge_from(point, code);
      Formula condition = scope_.lower(*code.condition, point.frame, edge);
      if (which == 1) {
        condition = negation(std::move(condition));
        edge.text = "not " + edge.text;
      }
      edge.guard = conjunction(std::move(edge.guard), std::move(condition));
      add(std::move(edge), next(point, code, which));
    }
  }

  void expand_begin(const Point& point, const Instruction& code) {
    if (point.depth == kDeepestAtomic)
      throw Refusal{"it enters atomic sections again and again without leaving them"};
    FlowEdge edge = edge_from(point, code);
    if (point.depth == 0) set_atomic(edge, true);
    add(std::move(edge), node(point.frame, code.next[0], point.depth + 1));
  }

  void expand_end(const Point& point, const Instruction& code) {
    FlowEdge edge = edge_from(point, code);
    edge.text = "end of atomic";
    if (point.depth == 1) set_atomic(edge, false);
    add(std::move(edge), node(point.frame, code.next[0], point.depth == 0 ? 0 : point.depth - 1));
  }

  void expand_plain(const Point& point, const Instruction& code) {
    const Statement& s = *code.statement;
    FlowEdge edge = edge_from(point, code);
    switch (s.kind) {
      case StatementKind::Goto:
        for (std::size_t i = 0; i < code.next.size(); ++i) add(edge, next(point, code, i));
        return;
      case StatementKind::Assume:
        edge.guard =
            conjunction(std::move(edge.guard), scope_.lower(s.expressions[0], point.frame, edge));
        break;
      case StatementKind::AbortIf:
        edge.guard = conjunction(std::move(edge.guard),
                                 negation(scope_.lower(s.expressions[0], point.frame, edge)));
        break;
      case StatementKind::Assert: return expand_assert(point, code, s);
      case StatementKind::Assign: lower_assign(point, s, edge); break;
      case StatementKind::Dead:
        for (const std::string& name : s.names)
          assign(edge, scope_.variable(name, point.frame), Scope::choice(edge));
        break;
      case StatementKind::Constrain: lower_constrain(point, s, edge); break;
      case StatementKind::Call:
        return is_asynchronous(s) ? expand_spawn(point, code, s) : expand_call(point, code, s);
      case StatementKind::StartThread: return expand_spawn(point, code, s);
      case StatementKind::Return: return expand_return(point, code);
      case StatementKind::EndThread: return expand_thread_end(point, std::move(edge));
      case StatementKind::Wait: return expand_wait(point, code, s);
      case StatementKind::Broadcast:
      case StatementKind::Signal:
        edge.kind = s.kind == StatementKind::Signal ? EdgeKind::Signal : EdgeKind::Broadcast;
        edge.condition = condition(s);
        break;
      default: break;
    }
    add(std::move(edge), next(point, code));
  }

  void expand_assert(const Point& point, const Instruction& code, const Statement& s) {
    for (const bool holds : {true, false}) {
      FlowEdge edge = edge_from(point, code);
      Formula claim = scope_.lower(s.expressions[0], point.frame, edge);
      if (!holds) claim = negation(std::move(claim));
      edge.guard = conjunction(std::move(edge.guard), std::move(claim));
      if (!holds) edge.text += " fails";
      NodeId target = holds ? next(point, code) : sink(failed_, point.frame, point.depth, code.at);
      if (!holds) flow_.nodes[target.index()].failed = true;
      add(std::move(edge), target);
    }
  }

  void lower_assign(const Point& point, const Statement& s, FlowEdge& edge) {
    for (std::size_t i = 0; i < s.names.size(); ++i) {
      const std::string& name = s.names[i];
      if (name == "_") continue;
      const auto& locals = flow_.local_names[flow_.frames[point.frame].procedure];
      const bool declared =
          std::ranges::find(locals, name) != locals.end() ||
          std::ranges::find(program_.globals, name, &Declaration::name) != program_.globals.end();
      if (declared) {
        assign(edge, scope_.variable(name, point.frame),
               scope_.lower(s.expressions[i], point.frame, edge));
      } else {
        lower_passive(point, name.substr(0, name.size() - 1), s.expressions[i], edge);
      }
    }
    if (s.constraint) edge.constraint = scope_.lower(*s.constraint, point.frame, edge);
  }

  void lower_passive(const Point& point, const std::string& name, const Expression& value,
                     FlowEdge& edge) {
    if (!is_root(point.frame))
      throw Refusal{"'" + name + "$' is assigned in a procedure that is called"};
    FlowEdge probe;
    Formula formula = scope_.lower(value, point.frame, probe);
    if (probe.choices > 0 && value.op != Operator::Choice)
      throw Refusal{"the value of '" + name + "$' is neither '*' nor free of '*'"};
    edge.passive.push_back({scope_.variable(name, point.frame).index, std::move(formula)});
  }

  void lower_constrain(const Point& point, const Statement& s, FlowEdge& edge) {
    for (std::uint32_t i = 0; i < program_.globals.size(); ++i)
      assign(edge, {AtomKind::Shared, i}, Scope::choice(edge));
    const std::uint32_t end = end_of_locals(point.frame);
    for (std::uint32_t i = flow_.frames[point.frame].first_local; i < end; ++i)
      assign(edge, {AtomKind::Local, i}, Scope::choice(edge));
    edge.constraint = scope_.lower(s.expressions[0], point.frame, edge);
  }

  /// First values of a procedure's variables: arguments, declared values, or any.
  std::vector<Assignment> entry_values(std::uint32_t callee_frame, const Statement& call,
                                       std::uint32_t frame, FlowEdge& edge) const {
    std::vector<Assignment> out;
    std::uint32_t index = flow_.frames[callee_frame].first_local;
    for (const Expression& argument : call.expressions)
      out.push_back({index++, scope_.lower(argument, frame, edge)});
    for (const Declaration& d : procedure_of(callee_frame).locals)
      out.push_back({index++, d.initial ? constant(*d.initial) : Scope::choice(edge)});
    return out;
  }

  void expand_call(const Point& point, const Instruction& code, const Statement& s) {
    FlowEdge edge = edge_from(point, code);
    const std::uint32_t frame = called_frame(point, s, code.next[0]);
    edge.local = entry_values(frame, s, point.frame, edge);
    add(std::move(edge), node(frame, codes_[flow_.frames[frame].procedure].entry, point.depth));
  }

  void expand_return(const Point& point, const Instruction& code) {
    FlowEdge edge = edge_from(point, code);
    if (!code.statement) edge.text = "end of " + procedure_of(point.frame).name;
    if (is_root(point.frame)) return expand_thread_end(point, std::move(edge));
    const Continuation continuation = continuations_[point.frame];
    const std::uint32_t caller = flow_.frames[point.frame].caller;
    for (std::size_t i = 0; i < continuation.call->names.size(); ++i) {
      const std::string& name = continuation.call->names[i];
      if (name == "_") continue;
      assign(edge, scope_.variable(name, caller),
             code.statement ? scope_.lower(code.statement->expressions[i], point.frame, edge)
                            : Scope::choice(edge));
    }
    const std::uint32_t end = end_of_locals(point.frame);
    for (std::uint32_t i = flow_.frames[point.frame].first_local; i < end; ++i)
      assign(edge, {AtomKind::Local, i}, constant(false));
    add(std::move(edge), node(caller, continuation.next, point.depth));
  }

  void expand_thread_end(const Point& point, FlowEdge edge) {
    std::uint32_t root = point.frame;
    while (!is_root(root)) root = flow_.frames[root].caller;
    if (point.depth > 0) set_atomic(edge, false);
    clears_locals_.push_back(flow_.edges.size());
    const Position at = edge.at;
    add(std::move(edge), sink(ended_, root, 0, at));
  }

  void expand_wait(const Point& point, const Instruction& code, const Statement& s) {
    const NodeId after = next(point, code);
    FlowNode& waiting = flow_.nodes[nodes_.at(point).index()];
    waiting.waits = true;
    waiting.condition = condition(s);
    waiting.woken = after;
  }

  void expand_spawn(const Point& point, const Instruction& code, const Statement& s) {
    FlowEdge edge = edge_from(point, code);
    edge.kind = EdgeKind::Spawn;
    if (s.callee.empty()) {
      const Code& procedure = codes_[flow_.frames[point.frame].procedure];
      edge.child = node(point.frame, procedure.at(s.names[0]), 0);
    } else {
      const std::uint32_t root = root_frame(index_of(s.callee));
      edge.child_values = entry_values(root, s, point.frame, edge);
      edge.child = node(root, codes_[flow_.frames[root].procedure].entry, 0);
      fresh_children_.push_back(flow_.edges.size());
    }
    add(std::move(edge), next(point, code));
  }

  std::uint32_t condition(const Statement& s) {
    const std::string name = s.names.empty() ? "" : s.names[0];
    return conditions_.try_emplace(name, static_cast<std::uint32_t>(conditions_.size()))
        .first->second;
  }

  // ---- the end ----

  /// What needs the number of local variables, which is known now.
  void finish() {
    for (const std::size_t edge : clears_locals_) {
      flow_.edges[edge].local.clear();
      for (std::uint32_t i = 0; i < flow_.local_count; ++i)
        flow_.edges[edge].local.push_back({i, constant(false)});
    }
    for (const std::size_t edge : fresh_children_) {
      auto& values = flow_.edges[edge].child_values;
      for (auto i = static_cast<std::uint32_t>(values.size()); i < flow_.local_count; ++i)
        values.push_back({i, constant(false)});
    }
    const Procedure& main = *program_.find("main");
    auto index = static_cast<std::uint32_t>(main.parameters.size());
    for (const Declaration& d : main.locals) {
      if (d.initial) flow_.initial_local = flow_.initial_local.with(index, *d.initial);
      ++index;
    }
    for (; index < flow_.local_count; ++index)
      flow_.initial_local = flow_.initial_local.with(index, false);
  }

  const BooleanProgram& program_;
  Flow flow_;
  Scope scope_;
  std::vector<Code> codes_;
  std::vector<Continuation> continuations_;  ///< by frame
  std::optional<std::uint32_t> atomic_;
  std::map<std::uint32_t, std::uint32_t> roots_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> called_;
  std::map<Point, NodeId> nodes_;
  std::vector<Point> todo_;
  std::size_t done_ = 0;
  Sinks failed_;
  Sinks ended_;
  std::map<std::string, std::uint32_t> conditions_;
  std::vector<std::size_t> clears_locals_;
  std::vector<std::size_t> fresh_children_;
};

}  // namespace

std::expected<Flow, std::string> unfold(const BooleanProgram& program) {
  auto flow = unfold_step_by_step(program);
  if (!flow) return flow;
  return pass_over_silent_nodes(std::move(*flow));
}

std::expected<Flow, std::string> unfold_step_by_step(const BooleanProgram& program) {
  try {
    return Unfolder(program).run();
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal.why);
  }
}

}  // namespace heddle::model::boolean
