/// From fixed threads to one (papers: Lal and Reps, sections 2 and 3.2).
///
/// The sequential program runs the threads one after the other, each through all of its turns. For
/// each round i there is a copy x_i of every shared variable x: before a thread runs it holds the
/// value with which the thread's turn in round i begins, afterwards the one with which it ends.
/// The first thread begins round 1 with the first values and round i > 1 with a guess, which is
/// kept in a constant c_i; at the end the copies of round i must be the constants of round i + 1.
///
/// A thread works on the variables x themselves. Where a turn may end, before each step outside of
/// atomic sections (statements, conditions of `if` and of loops, the end of a procedure that
/// enforces a condition), it may store them into the copies of its round and load those of the next
/// (`turn`). It may also stop for good (`stop`): it stores its variables and sets `done`, and every
/// procedure returns at its next statement; the rest of its rounds leaves the copies as they are,
/// as a thread that does nothing should. A failing assertion sets `failed` and stops the thread,
/// too. The program fails if `failed` is set when all guesses have proved right: threads that run
/// later, or go on in later rounds, can always do nothing, so no failure is lost. The paper writes
/// each statement once for each round instead of storing and loading; the runs are the same.
///
/// If any thread may have the first turn, main goes through the threads twice. In the first pass it
/// leaves threads out, marking them as late, until it decides to begin, with the last one at the
/// latest; in the second it runs those that are late. So it runs all of them, in the order of their
/// numbers from one of them on and around. Nothing else depends on that order.

#include "transform/sequential_program.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/listed_threads.hpp"
#include "transform/program_syntax.hpp"

namespace heddle::transform {

namespace {

using model::BooleanProgram;
using model::boolean::Declaration;
using model::boolean::Procedure;
using namespace syntax;

struct NoCounterpart {
  std::string why;
};

Statement call(std::string callee, std::size_t arguments = 0) {
  Statement s = statement(StatementKind::Call);
  s.callee = std::move(callee);
  s.expressions.assign(arguments, leaf(Operator::Choice));
  return s;
}

Statement branch(Expression condition, Block then, Block otherwise = {}) {
  Statement s = statement(StatementKind::If, {std::move(condition)});
  s.blocks.push_back(std::move(then));
  if (!otherwise.empty()) s.blocks.push_back(std::move(otherwise));
  return s;
}

class Sequentialiser {
 public:
  Sequentialiser(const BooleanProgram& program, std::uint32_t rounds, std::size_t copies_of_main,
                 FirstTurn first)
      : program_(program), rounds_(rounds), copies_of_main_(copies_of_main), first_(first) {
    while (is_used(mark_)) mark_ += '_';
    for (const Declaration& d : program.globals) shared_.push_back(d.name);
  }

  BooleanProgram run() {
    declare();
    for (const Procedure& procedure : program_.procedures)
      out_.procedures.push_back(translated(procedure));
    out_.procedures.push_back(turn());
    out_.procedures.push_back(stop());
    out_.procedures.push_back(main());
    return std::move(out_);
  }

 private:
  // ---- names ----

  /// Does a name of the program contain it?
  bool is_used(const std::string& mark) const {
    const auto contains = [&](const std::vector<Declaration>& list) {
      return std::ranges::any_of(
          list, [&](const Declaration& d) { return d.name.find(mark) != std::string::npos; });
    };
    return contains(program_.globals) ||
           std::ranges::any_of(program_.procedures, [&](const Procedure& p) {
             return p.name.find(mark) != std::string::npos || contains(p.parameters) ||
                    contains(p.locals);
           });
  }

  std::string own(const std::string& name) const { return name + mark_; }
  std::string copy(const std::string& name, std::uint32_t round) const {
    return name + mark_ + std::to_string(round);
  }
  std::string constant(const std::string& name, std::uint32_t round) const {
    return copy(name, round) + "c";
  }
  /// It holds in rounds from this one on.
  std::string since(std::uint32_t round) const { return copy("round", round); }
  /// Names that would mean something to a reader of the sequential program mean nothing any more.
  std::string renamed(const std::string& name) const {
    if (name.starts_with("thread")) return "run_" + own(name);
    const bool special = name == "main" || name == "init" || name == model::boolean::kErrorLabel;
    return special ? own(name) : name;
  }

  /// A variable, its copies and their constants side by side: tools with decision diagrams take the
  /// order of declarations for that of their variables.
  void declare() {
    for (const Declaration& d : program_.globals) {
      out_.globals.push_back({d.name, d.initial, d.at});  // its bits do not stay side by side
      for (std::uint32_t i = 1; i <= rounds_; ++i) {
        out_.globals.push_back({copy(d.name, i), i == 1 ? d.initial : std::nullopt, {}});
        if (i > 1) out_.globals.push_back({constant(d.name, i), std::nullopt, {}});
      }
    }
    for (std::uint32_t i = 2; i <= rounds_; ++i) out_.globals.push_back({since(i), false, {}});
    for (const char* flag : {"done", "failed", "inside"})
      out_.globals.push_back({own(flag), false, {}});
  }

  // ---- procedures of our own ----

  Statement move_all(const std::vector<std::string>& to,
                     const std::vector<std::string>& from) const {
    std::vector<Expression> values;
    for (const std::string& x : from) values.push_back(value_of(x));
    return assign(to, std::move(values));
  }

  std::vector<std::string> copies(std::uint32_t round) const {
    std::vector<std::string> out;
    for (const std::string& x : shared_) out.push_back(copy(x, round));
    return out;
  }

  /// Does this, for the current round.
  Statement by_round(const std::function<Block(std::uint32_t)>& what, std::uint32_t last) const {
    Statement s = statement(StatementKind::If);
    for (std::uint32_t i = 1; i < last; ++i) {
      s.expressions.push_back(no(value_of(since(i + 1))));
      s.blocks.push_back(what(i));
    }
    s.blocks.push_back(what(last));
    if (last == 1) s.expressions.push_back(truth(true));
    return s;
  }

  Procedure procedure(const std::string& name, Block body) const {
    Procedure p;
    p.name = own(name);
    p.body = std::move(body);
    return p;
  }

  /// A turn ends here, or several do, or the thread stops, or nothing happens.
  Procedure turn() const {
    const auto next = [&](std::uint32_t i) {
      if (i == rounds_) return block(call(own("stop")));
      return block(move_all(copies(i), shared_), move_all(shared_, copies(i + 1)),
                   assign({since(i + 1)}, {truth(true)}));
    };
    Statement loop =
        statement(StatementKind::While,
                  {combined(Operator::And, leaf(Operator::Choice), no(value_of(own("done"))))});
    loop.blocks.push_back(block(by_round(next, rounds_)));
    const Expression nothing =
        combined(Operator::Or, value_of(own("inside")), value_of(own("done")));
    return procedure(
        "turn", block(branch(nothing, block(statement(StatementKind::Return))), std::move(loop),
                      branch(leaf(Operator::Choice), block(call(own("stop"))))));
  }

  /// The thread does nothing any more. What procedures return from now on does not count.
  Procedure stop() const {
    const auto keep = [&](std::uint32_t i) { return block(move_all(copies(i), shared_)); };
    Block body = shared_.empty() ? Block{} : block(by_round(keep, rounds_));
    body.push_back(assign({own("done")}, {truth(true)}));
    return procedure("stop", block(branch(no(value_of(own("done"))), std::move(body))));
  }

  Procedure main() const {
    Block body;
    for (std::uint32_t i = 2; i <= rounds_ && !shared_.empty(); ++i) {
      std::vector<Expression> guesses;
      for (const std::string& x : shared_) guesses.push_back(value_of(constant(x, i)));
      body.push_back(assign(copies(i), std::move(guesses)));
    }
    const bool listed = model::boolean::lists_threads(program_);
    if (const Procedure* init = model::boolean::initialiser(program_))
      append(body, run_init(*init));
    Procedure p;
    p.name = "main";
    append(body, run_threads(listed, p.locals));
    append(body, right_guesses());
    body.push_back(statement(StatementKind::Assert, {no(value_of(own("failed")))}));
    p.body = std::move(body);
    return p;
  }

  Block run_threads(bool listed, std::vector<Declaration>& flags) const {
    std::vector<const Procedure*> threads;
    for (const Procedure& p : program_.procedures) {
      const bool is_thread = p.name == "main" || (listed && p.name.starts_with("thread"));
      threads.insert(threads.end(), p.name == "main" ? copies_of_main_ : is_thread ? 1 : 0, &p);
    }
    Block out, late;
    for (std::uint32_t j = 0; j < threads.size(); ++j) {
      Block run = run_thread(*threads[j], false);
      if (first_ == FirstTurn::First || j + 1 == threads.size()) {
        append(out, std::move(run));
        continue;
      }
      if (j == 0) flags.push_back({own("begun"), false, {}});
      flags.push_back({copy("late", j), false, {}});
      late.push_back(branch(value_of(copy("late", j)), run));
      run.insert(run.begin(), assign({own("begun")}, {truth(true)}));
      out.push_back(branch(combined(Operator::Or, value_of(own("begun")), leaf(Operator::Choice)),
                           std::move(run), block(assign({copy("late", j)}, {truth(true)}))));
    }
    append(out, std::move(late));
    return out;
  }

  Block run_thread(const Procedure& p, bool inside) const {
    std::vector<std::string> flags{own("inside"), own("done")};
    for (std::uint32_t i = 2; i <= rounds_; ++i) flags.push_back(since(i));
    std::vector<Expression> values(flags.size(), truth(false));
    values.front() = truth(inside);
    Block out = block(assign(flags, values));
    if (!shared_.empty()) out.push_back(move_all(shared_, copies(1)));
    out.push_back(call(renamed(p.name), p.parameters.size()));
    out.push_back(call(own("stop")));
    return out;
  }

  /// Nobody else runs meanwhile; threads start only if it returns.
  Block run_init(const Procedure& init) const {
    Block out = run_thread(init, true);
    out.insert(out.end() - 1,
               statement(StatementKind::Assume, {combined(Operator::Or, no(value_of(own("done"))),
                                                          value_of(own("failed")))}));
    out.push_back(statement(StatementKind::Assert, {no(value_of(own("failed")))}));
    return out;
  }

  Block right_guesses() const {
    Block out;
    for (std::uint32_t i = 1; i < rounds_; ++i)
      for (const std::string& x : shared_)
        out.push_back(statement(
            StatementKind::Assume,
            {combined(Operator::Equal, value_of(copy(x, i)), value_of(constant(x, i + 1)))}));
    return out;
  }

  // ---- the program's procedures ----

  Procedure translated(const Procedure& original) {
    procedure_ = &original;
    Procedure p = original;
    p.name = renamed(original.name);
    p.enforce.reset();
    levels_ = 0;
    p.body = translated(original.body, 0);
    if (original.enforce) append(p.body, step());  // of the end
    for (std::uint32_t i = 1; i <= levels_; ++i)
      p.locals.push_back({copy("outside", i), std::nullopt, {}});
    return p;
  }

  Block translated(const Block& original, std::uint32_t level) {
    Block out;
    for (const Statement& s : original) append(out, translated(s, level));
    return out;
  }

  Statement bail_out() const {
    return branch(
        value_of(own("done")),
        block(statement(StatementKind::Return,
                        std::vector<Expression>(procedure_->results, leaf(Operator::Choice)))));
  }

  /// What comes before each step: a turn may end, and the procedure's condition must hold.
  Block step() const {
    Block out = block(call(own("turn")), bail_out());
    if (procedure_->enforce)
      out.push_back(statement(StatementKind::Assume, {*procedure_->enforce}));
    return out;
  }

  /// The statement, with what comes before its steps.
  Block translated(const Statement& s, std::uint32_t level) {
    Block out = step();
    for (const std::string& label : s.labels) out.front().labels.push_back(renamed(label));
    if (is_failure(s, program_.failure_labels)) {
      Block failing = fail();
      out.insert(out.begin() + 2, failing.begin(), failing.end());
    }
    append(out, effect(s, level));
    for (Statement& inner : out) inner.at = s.at;
    return out;
  }

  Block fail() const {
    return block(assign({own("failed")}, {truth(true)}), call(own("stop")), bail_out());
  }

  Block effect(const Statement& s, std::uint32_t level) {
    Statement same = s;
    same.labels.clear();
    for (Block& inner : same.blocks) inner = translated(inner, level);
    switch (s.kind) {
      case StatementKind::Call:
        same.callee = renamed(s.callee);
        return block(std::move(same), bail_out());
      case StatementKind::Goto:
        for (std::string& label : same.names) label = renamed(label);
        return block(std::move(same));
      case StatementKind::If: return choice(std::move(same));
      case StatementKind::While:
        append(same.blocks[0], step());  // of the condition, when it comes back to it
        return block(std::move(same));
      case StatementKind::Assert:
        if (!program_.failure_labels.empty()) {
          same.kind = StatementKind::Assume;
          return block(std::move(same));
        }
        return block(branch(s.expressions[0], block(statement(StatementKind::Skip)), fail()));
      case StatementKind::EndThread: return block(call(own("stop")), bail_out());
      case StatementKind::Constrain: return block(constrained(s));
      case StatementKind::Atomic: return atomic(s, level + 1);
      case StatementKind::AtomicBegin:
      case StatementKind::AtomicEnd:
        throw NoCounterpart{"its atomic sections are not blocks; write atomic { … }"};
      default: return block(std::move(same));
    }
  }

  /// Each condition is evaluated in a step of its own.
  Block choice(Statement s) const {
    const bool has_else = s.blocks.size() > s.expressions.size();
    Block otherwise = has_else ? std::move(s.blocks.back()) : Block{};
    for (std::size_t i = s.expressions.size(); i-- > 0;) {
      Block both = i == 0 ? Block{} : step();
      both.push_back(
          branch(std::move(s.expressions[i]), std::move(s.blocks[i]), std::move(otherwise)));
      otherwise = std::move(both);
    }
    return otherwise;
  }

  /// All variables of the original program change, and none of ours.
  Statement constrained(const Statement& s) const {
    std::vector<std::string> names;
    for (const Declaration& d : procedure_->parameters) names.push_back(d.name);
    for (const Declaration& d : procedure_->locals) names.push_back(d.name);
    for (const std::string& x : shared_)
      if (std::ranges::find(names, x) == names.end()) names.push_back(x);
    Statement out = assign(names, std::vector<Expression>(names.size(), leaf(Operator::Choice)));
    out.constraint = s.expressions[0];
    return out;
  }

  /// No turn ends inside; who was inside already stays so.
  Block atomic(const Statement& s, std::uint32_t level) {
    require_no_jumps(s.blocks[0]);
    levels_ = std::max(levels_, level);
    Block out = block(move_all({copy("outside", level)}, {own("inside")}),
                      assign({own("inside")}, {truth(true)}));
    append(out, translated(s.blocks[0], level));
    if (procedure_->enforce) append(out, step());
    out.push_back(move_all({own("inside")}, {copy("outside", level)}));
    return out;
  }

  static void require_no_jumps(const Block& body) {
    for (const Statement& s : body) {
      if (s.kind == StatementKind::Goto || !s.labels.empty())
        throw NoCounterpart{"an atomic section has jumps or labels"};
      for (const Block& inner : s.blocks) require_no_jumps(inner);
    }
  }

  const BooleanProgram& program_;
  std::uint32_t rounds_;
  std::size_t copies_of_main_;
  FirstTurn first_;
  std::string mark_ = "__";  ///< in names of our own
  std::vector<std::string> shared_;
  const Procedure* procedure_ = nullptr;
  std::uint32_t levels_ = 0;  ///< of nested atomic sections in the procedure
  BooleanProgram out_;
};

}  // namespace

std::expected<BooleanProgram, std::string> sequentialise_program(const model::ProgramTask& task,
                                                                 FirstTurn first) {
  const BooleanProgram& program = task.model;
  const auto flow = model::boolean::keep_calls(program);
  if (!flow) return std::unexpected(flow.error());
  const auto threads = model::exact_threads(task.question);
  if (!threads || *threads < 1 || *threads > 1000)
    return std::unexpected("the number of threads is not fixed");
  const bool listed = model::boolean::lists_threads(program);
  const std::size_t count = listed ? 1 : static_cast<std::size_t>(threads->get_ui());
  try {
    return Sequentialiser(program, *task.question.contexts, count, first).run();
  } catch (const NoCounterpart& none) {
    return std::unexpected(none.why);
  }
}

}  // namespace heddle::transform
