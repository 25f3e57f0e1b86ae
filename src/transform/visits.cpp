/// Failures that lie behind certain statements.
///
/// Let W be a set of statements. A new shared variable v, 0 at first, becomes 1 when a statement of
/// W is executed, and failures count only while it is 1. Error labels are read as assertions that
/// never hold, so all failures are steps. A failure of the new program should be one of the
/// original in which a statement of W was executed before, or fails itself, within the same number
/// of rounds; and the other way round.
///
/// How v is set depends on the statement s in W:
///
///  * Assignments and what can be one (skip, assume, abortif, dead): in the same step. `constrain`
///    says so in its condition; one outside of W says that v stays, for it may change everything.
///  * assert, starts of threads, wait, broadcast, signal, atomic_begin and atomic_end: in a step
///    behind s, of atomic { … } at the begin of the body. When v is set, s has been executed. When
///    s is executed, v can be set at once: the thread that has just made a step may make another
///    (an `enforce` holds still, for the variables have not changed; of `wait` it may be that it
///    does not, so what counts is that a thread goes on behind it).
///  * goto, calls, if, while, end_thread: in a step in front of s; of a loop, at the end of its
///  body
///    as well, for jumps lead there past the front. When s is executed, v can be set just before.
///    When v is set and s is executed later, s is executed. When v is set and s is not executed,
///    the thread does nothing any more. Then s could have been executed just when v was set: it is
///    possible without fail, and changes nothing but where the thread is and what it alone sees. (A
///    thread that ends inside an atomic section lets others in. But if it does not end, nothing
///    else happens at all.)
///  * return: likewise, but its results may go to shared variables, so the last argument fails. A
///    return counts as soon as a thread gets to it.
///
/// An assertion in W fails as it did. One outside becomes `assert(e | !v); assume(e)`: it fails if
/// v is 1 in the very step in which it does not hold, and whoever goes on has seen it hold, as the
/// original's thread does in the second step. A `*` in it is chosen twice, but the first choice is
/// without effect unless it fails. Steps that are new or doubled lie in turns of their thread, so
/// that no run needs more rounds.

#include "transform/visits.hpp"

#include <string>

#include "transform/error_labels.hpp"
#include "transform/program_syntax.hpp"

namespace heddle::transform {

namespace {

using model::BooleanProgram;
using model::boolean::Procedure;
using namespace syntax;

class VisitMarker {
 public:
  VisitMarker(std::string visited, const std::set<StatementPlace>& statements)
      : visited_(std::move(visited)), statements_(statements) {}

  Block marked(Block original) const {
    Block out;
    for (Statement& s : original) append(out, marked(std::move(s)));
    return out;
  }

 private:
  Block marked(Statement s) const {
    for (Block& inner : s.blocks) inner = marked(std::move(inner));
    const bool wanted = statements_.contains(place_of(s.at));
    if (s.kind == StatementKind::Constrain) return block(constrained(std::move(s), wanted));
    if (wanted) return visited(std::move(s));
    return s.kind == StatementKind::Assert ? counted(std::move(s)) : block(std::move(s));
  }

  Statement mark() const { return assign({visited_}, {truth(true)}); }

  Block visited(Statement s) const {
    switch (s.kind) {
      case StatementKind::Skip:
      case StatementKind::Sync:
      case StatementKind::Print:
      case StatementKind::Dead:
      case StatementKind::Assign:
      case StatementKind::Assume:
      case StatementKind::AbortIf: return block(marking(std::move(s)));
      case StatementKind::Goto:
      case StatementKind::Return:
      case StatementKind::EndThread:
      case StatementKind::If:
      case StatementKind::While: return put_before(block(mark()), std::move(s));
      case StatementKind::Call:
        if (!is_asynchronous(s)) return put_before(block(mark()), std::move(s));
        break;
      case StatementKind::Atomic:
        s.blocks[0].insert(s.blocks[0].begin(), mark());
        s.blocks[0].front().at = s.at;
        return block(std::move(s));
      default: break;
    }
    Statement behind = mark();
    behind.at = s.at;
    return block(std::move(s), std::move(behind));
  }

  /// The statement as an assignment that marks, too.
  Statement marking(Statement s) const {
    switch (s.kind) {
      case StatementKind::Assign: break;
      case StatementKind::Dead: s.expressions.assign(s.names.size(), leaf(Operator::Choice)); break;
      case StatementKind::Assume: s.constraint = std::move(s.expressions[0]); break;
      case StatementKind::AbortIf: s.constraint = no(std::move(s.expressions[0])); break;
      default: s.names.clear(); break;
    }
    if (s.kind != StatementKind::Assign && s.kind != StatementKind::Dead) s.expressions.clear();
    s.kind = StatementKind::Assign;
    s.names.push_back(visited_);
    s.expressions.push_back(truth(true));
    return s;
  }

  Statement constrained(Statement s, bool wanted) const {
    const Expression after = leaf(Operator::Next, visited_);
    s.expressions[0] =
        combined(Operator::And, std::move(s.expressions[0]),
                 wanted ? after : combined(Operator::Equal, after, value_of(visited_)));
    return s;
  }

  /// An assertion that fails only after a visit.
  Block counted(Statement s) const {
    Statement holds = statement(StatementKind::Assume, s.expressions);
    holds.at = s.at;
    s.expressions[0] = combined(Operator::Or, std::move(s.expressions[0]), no(value_of(visited_)));
    return block(std::move(s), std::move(holds));
  }

  std::string visited_;
  const std::set<StatementPlace>& statements_;
};

}  // namespace

std::set<StatementPlace> statements_of(const BooleanProgram& program) {
  std::set<StatementPlace> out;
  for (const Procedure& procedure : program.procedures)
    for_each_statement(procedure.body, [&](const Statement& s) { out.insert(place_of(s.at)); });
  return out;
}

BooleanProgram fail_through(const BooleanProgram& program,
                            const std::set<StatementPlace>& statements) {
  BooleanProgram out = fail_by_assertions(program);
  const std::string visited = unused_name(out, "visited");
  const VisitMarker marker(visited, statements);
  for (Procedure& procedure : out.procedures)
    procedure.body = marker.marked(std::move(procedure.body));
  out.globals.push_back({visited, false, {}});
  return out;
}

}  // namespace heddle::transform
