/// From statements to the flow graph.
///
/// A node is a point of a procedure's code in a *frame* (a chain of calls from a thread's outermost
/// procedure) at a depth of nested atomic sections. Nodes are made as they are reached from the
/// start of main, so a point that is reached both inside and outside a section is two nodes, and
/// what no thread can reach has none. Without recursion there are finitely many frames; local
/// variables of a frame lie behind those of its caller, so frames that cannot be active together
/// share places.
///
/// With calls kept, a frame is a procedure, whoever calls it, with the depth at which it was
/// entered. Where a procedure can end at most n sections of its callers (levels_left.hpp), all
/// depths above n are the same to it: a thread there stays inside. So depths are cut to n + 1, and
/// a procedure that leaves its callers' sections alone has two frames at most, however deep
/// recursion goes. A procedure must return at the depth at which it was entered: the caller goes on
/// at its own.

#include <algorithm>
#include <utility>

#include "model/boolean_program/listed_threads.hpp"
#include "model/boolean_program/print.hpp"
#include "model/boolean_program/silent_nodes.hpp"
#include "model/boolean_program/through.hpp"
#include "model/boolean_program/unfolder.hpp"

namespace heddle::model::boolean {

void Unfolder::expand(const Point& point) {
  // A copy: new frames do not move codes, but a reader should not have to know.
  const Instruction code =
      codes_[flow_.frames[point.frame].procedure].instructions[point.instruction];
  switch (code.role) {
    case Instruction::Role::Plain: expand_plain(point, code); break;
    case Instruction::Role::Branch: expand_branch(point, code); break;
    case Instruction::Role::Begin: expand_begin(point, code); break;
    case Instruction::Role::End: expand_end(point, code); break;
    case Instruction::Role::Leave: expand_return(point, code); break;
  }
}

void Unfolder::expand_branch(const Point& point, const Instruction& code) {
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

void Unfolder::expand_begin(const Point& point, const Instruction& code) {
  if (point.depth == kDeepestAtomic)
    throw Refusal{"it enters atomic sections again and again without leaving them"};
  FlowEdge edge = edge_from(point, code);
  if (point.depth == 0) set_atomic(edge, true);
  add(std::move(edge), node(point.frame, code.next[0], point.depth + 1));
}

void Unfolder::expand_end(const Point& point, const Instruction& code) {
  FlowEdge edge = edge_from(point, code);
  edge.text = "end of atomic";
  if (point.depth == 1) set_atomic(edge, false);
  add(std::move(edge), node(point.frame, code.next[0], point.depth == 0 ? 0 : point.depth - 1));
}

void Unfolder::expand_plain(const Point& point, const Instruction& code) {
  const Statement& s = *code.statement;
  FlowEdge edge = edge_from(point, code);
  switch (s.kind) {
    case StatementKind::Goto:
      for (std::size_t i = 0; i < code.next.size(); ++i) {
        edge.text = written(s, i);
        add(edge, next(point, code, i));
      }
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
    case StatementKind::Assign:
      scope_.lower_assignment(s, point.frame, edge);
      if (!edge.passive.empty()) refuse_if_kept("threads assign to variables of others");
      break;
    case StatementKind::Dead:
      for (const std::string& name : s.names)
        Scope::assign(edge, scope_.variable(name, point.frame), Scope::choice(edge));
      break;
    case StatementKind::Constrain: scope_.lower_constraint(s, point.frame, edge); break;
    case StatementKind::Call:
      return is_asynchronous(s) ? expand_spawn(point, code, s) : expand_call(point, code, s);
    case StatementKind::StartThread: return expand_spawn(point, code, s);
    case StatementKind::Return: return expand_return(point, code);
    case StatementKind::EndThread: return expand_thread_end(point, std::move(edge));
    case StatementKind::Wait: return expand_wait(point, code, s);
    case StatementKind::Broadcast:
    case StatementKind::Signal:
      edge.kind = s.kind == StatementKind::Signal ? EdgeKind::Signal : EdgeKind::Broadcast;
      refuse_if_kept("threads wake others");
      edge.condition = condition(s);
      break;
    default: break;
  }
  add(std::move(edge), next(point, code));
}

void Unfolder::expand_assert(const Point& point, const Instruction& code, const Statement& s) {
  for (const bool holds : {true, false}) {
    if (!holds && !program_.failure_labels.empty()) continue;
    FlowEdge edge = edge_from(point, code);
    Formula claim = scope_.lower(s.expressions[0], point.frame, edge);
    if (!holds) claim = negation(std::move(claim));
    edge.guard = conjunction(std::move(edge.guard), std::move(claim));
    if (!holds) edge.text += " fails";
    NodeId target = holds ? next(point, code)
                          : sink(failed_, point.frame, point.depth, code.at, point.instruction);
    if (!holds) flow_.nodes[target.index()].failed = true;
    add(std::move(edge), target);
  }
}

void Unfolder::expand_call(const Point& point, const Instruction& code, const Statement& s) {
  FlowEdge edge = edge_from(point, code);
  if (calls_ == Calls::Kept) return expand_kept_call(point, code, s, std::move(edge));
  const std::uint32_t frame = called_frame(point, s, code.next[0]);
  edge.local = scope_.entry_values(frame, s.expressions, point.frame, edge);
  add(std::move(edge), entry_node(frame, point.depth));
}

void Unfolder::expand_return(const Point& point, const Instruction& code) {
  FlowEdge edge = edge_from(point, code);
  if (!code.statement) edge.text = "end of " + procedure_of(point.frame).name;
  if (calls_ == Calls::Kept) return expand_kept_return(point, code, std::move(edge));
  if (is_root(point.frame)) return expand_thread_end(point, std::move(edge));
  const Continuation continuation = continuations_[point.frame];
  const std::uint32_t caller = flow_.frames[point.frame].caller;
  for (std::size_t i = 0; i < continuation.call->names.size(); ++i) {
    const std::string& name = continuation.call->names[i];
    if (name == "_") continue;
    Scope::assign(edge, scope_.variable(name, caller), result(point, code, i, edge));
  }
  const std::uint32_t end = scope_.end_of_locals(point.frame);
  for (std::uint32_t i = flow_.frames[point.frame].first_local; i < end; ++i)
    Scope::assign(edge, {AtomKind::Local, i}, constant(false));
  add(std::move(edge), node(caller, continuation.next, point.depth));
}

Formula Unfolder::result(const Point& point, const Instruction& code, std::size_t i,
                         FlowEdge& edge) const {
  return code.statement ? scope_.lower(code.statement->expressions[i], point.frame, edge)
                        : Scope::choice(edge);
}

void Unfolder::expand_thread_end(const Point& point, FlowEdge edge) {
  std::uint32_t root = point.frame;
  while (!is_root(root)) root = flow_.frames[root].caller;
  if (point.depth > 0) set_atomic(edge, false);
  clears_locals_.push_back(flow_.edges.size());
  const Position at = edge.at;
  add(std::move(edge), sink(ended_, root, 0, at, 0));
}

void Unfolder::expand_wait(const Point& point, const Instruction& code, const Statement& s) {
  refuse_if_kept("threads wait for each other");
  const NodeId after = next(point, code);
  FlowNode& waiting = flow_.nodes[nodes_.at(point).index()];
  waiting.waits = true;
  waiting.condition = condition(s);
  waiting.woken = after;
}

void Unfolder::expand_spawn(const Point& point, const Instruction& code, const Statement& s) {
  refuse_if_kept("threads create others");
  FlowEdge edge = edge_from(point, code);
  edge.kind = EdgeKind::Spawn;
  if (s.callee.empty()) {
    const Code& procedure = codes_[flow_.frames[point.frame].procedure];
    edge.child = node(point.frame, procedure.labels.at(s.names[0]), 0);
  } else {
    const std::uint32_t root = root_frame(index_of(s.callee), 0);
    edge.child_values = scope_.entry_values(root, s.expressions, point.frame, edge);
    edge.child = entry_node(root, 0);
    fresh_children_.push_back(flow_.edges.size());
  }
  add(std::move(edge), next(point, code));
}

void Unfolder::finish() {
  for (const std::size_t edge : clears_locals_) {
    FlowEdge& end = flow_.edges[edge];
    const std::uint32_t frame = flow_.nodes[end.source.index()].frame;
    const std::size_t count = calls_ == Calls::Kept
                                  ? flow_.local_names[flow_.frames[frame].procedure].size()
                                  : flow_.local_count;
    end.local.clear();
    for (std::uint32_t i = 0; i < count; ++i) end.local.push_back({i, constant(false)});
  }
  for (const std::size_t edge : fresh_children_) {
    auto& values = flow_.edges[edge].child_values;
    for (auto i = static_cast<std::uint32_t>(values.size()); i < flow_.local_count; ++i)
      values.push_back({i, constant(false)});
  }
  if (calls_ == Calls::Kept) {
    flow_.initial_local = Cube::only(0);
    return;
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

std::uint32_t Unfolder::called_frame(const Point& from, const Statement& call, std::uint32_t next) {
  const auto [it, is_new] = called_.try_emplace(std::pair{from.frame, from.instruction}, 0);
  if (!is_new) return it->second;
  const std::uint32_t callee = index_of(call.callee);
  for (std::uint32_t frame = from.frame; !well_founded_[callee];
       frame = flow_.frames[frame].caller) {
    if (flow_.frames[frame].procedure == callee)
      throw Refusal{"its procedure '" + call.callee + "' is recursive"};
    if (is_root(frame)) break;
  }
  it->second = add_frame(callee, scope_.end_of_locals(from.frame), from.frame, {&call, next});
  return it->second;
}

/// By counting: a procedure is well founded when all its calls are known to be.
void Unfolder::find_well_founded() {
  std::vector<std::vector<std::uint32_t>> callers(codes_.size());
  std::vector<std::size_t> open(codes_.size(), 0);
  for (std::uint32_t i = 0; i < codes_.size(); ++i)
    for (const Instruction& code : codes_[i].instructions) {
      if (!code.statement || code.statement->kind != StatementKind::Call) continue;
      callers[index_of(code.statement->callee)].push_back(i);
      ++open[i];
    }
  well_founded_.assign(codes_.size(), false);
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < codes_.size(); ++i)
    if (open[i] == 0) found.push_back(i);
  while (!found.empty()) {
    const std::uint32_t procedure = found.back();
    found.pop_back();
    well_founded_[procedure] = true;
    for (const std::uint32_t caller : callers[procedure])
      if (--open[caller] == 0) found.push_back(caller);
  }
}

void Unfolder::declare_shared() {
  for (const Declaration& d : program_.globals) {
    const auto index = static_cast<std::uint32_t>(flow_.shared_names.size());
    flow_.shared_names.push_back(d.name);
    flow_.shared_encodings.push_back(d.encoding);
    check_count(flow_.shared_names.size(), "shared variables");
    if (d.initial) flow_.initial_shared = flow_.initial_shared.with(index, *d.initial);
  }
  const bool uses_atomic = std::ranges::any_of(codes_, [](const Code& code) {
    return std::ranges::any_of(
        code.instructions, [](const Instruction& i) { return i.role == Instruction::Role::Begin; });
  });
  if (!uses_atomic) return;
  atomic_ = static_cast<std::uint32_t>(flow_.shared_names.size());
  flow_.atomic_bit = atomic_;
  declare_false(kAtomicBit);
}

FlowEdge Unfolder::edge_from(const Point& point, const Instruction& code) const {
  FlowEdge edge;
  edge.source = nodes_.at(point);
  edge.at = code.at;
  if (code.statement) edge.text = written(*code.statement);
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

Flow Unfolder::run() {
  declare_shared();
  if (calls_ == Calls::Kept) {
    start_threads();
  } else {
    find_well_founded();
    start_main();
  }
  while (done_ < todo_.size()) {
    const Point point = todo_[done_++];
    if (nodes_.size() > kMostNodes) throw Refusal{"unfolding its calls gives too many nodes"};
    expand(point);
  }
  finish();
  if (program_.through.empty()) return std::move(flow_);
  declare_false(kVisited);
  return record_visits(std::move(flow_), program_.through);
}

void Unfolder::start_main() {
  if (lists_threads(program_)) throw Refusal{"it lists its threads as procedures"};
  if (!program_.find("main")) throw Refusal{"it has no procedure main"};
  const std::uint32_t root = root_frame(index_of("main"), 0);
  flow_.start = entry_node(root, 0);
}

std::expected<Flow, std::string> unfold(const BooleanProgram& program) {
  try {
    return count_failures(skip_silent_nodes(Unfolder(program, Calls::Unfolded).run()),
                          program.through);
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal.why);
  }
}

std::expected<Flow, std::string> unfold_step_by_step(const BooleanProgram& program) {
  try {
    return count_failures(Unfolder(program, Calls::Unfolded).run(), program.through);
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal.why);
  }
}

}  // namespace heddle::model::boolean
