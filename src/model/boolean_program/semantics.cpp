#include "model/boolean_program/semantics.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "model/boolean_program/listed_threads.hpp"

namespace heddle::model::boolean {

namespace {

/// The values that an expression can have.
struct Possible {
  bool zero = false;
  bool one = false;
};

/// What one thread sees: the shared variables, those of its innermost procedure and, in values for
/// another thread, those at the bottom of that thread's stack.
struct Store {
  Valuation shared = 0;
  Valuation local = 0;
  Valuation receiver = 0;
};

Valuation with(const Valuation& values, std::uint32_t index, bool value) {
  return value ? values | bit(index) : values & ~bit(index);
}

/// Names of one procedure, and the values of expressions with them.
class Names {
 public:
  Names(const BooleanProgram& program, const Procedure& procedure)
      : program_(program), procedure_(procedure) {}

  std::optional<std::uint32_t> local(const std::string& name) const {
    if (const auto found = position(procedure_.parameters, name)) return found;
    const auto found = position(procedure_.locals, name);
    if (!found) return std::nullopt;
    return *found + static_cast<std::uint32_t>(procedure_.parameters.size());
  }

  bool declares(const std::string& name) const {
    return local(name) || position(program_.globals, name);
  }

  /// The variable that `x$` means.
  std::uint32_t of_receiver(const std::string& name) const {
    return *local(name.substr(0, name.size() - 1));
  }

  bool read(const Store& store, const std::string& name) const {
    if (!declares(name)) return store.receiver[of_receiver(name)];
    const auto index = local(name);
    return index ? store.local[*index] : store.shared[*position(program_.globals, name)];
  }

  void write(Store& store, const std::string& name, bool value) const {
    if (name == "_") return;
    if (const auto index = local(name))
      store.local = with(store.local, *index, value);
    else
      store.shared = with(store.shared, *position(program_.globals, name), value);
  }

  /// Each `*` stands in one operand only, so that operands are chosen independently.
  Possible values(const Expression& e, const Store& now, const Store& next) const {
    const auto of = [&](std::size_t i) { return values(e.operands[i], now, next); };
    const auto combine = [&](const std::function<bool(bool, bool)>& f) {
      Possible out;
      const Possible a = of(0);
      const Possible b = of(1);
      for (const bool x : {false, true})
        for (const bool y : {false, true})
          if ((x ? a.one : a.zero) && (y ? b.one : b.zero)) (f(x, y) ? out.one : out.zero) = true;
      return out;
    };
    const auto either = [](bool first, const Possible& a, bool second, const Possible& b) {
      return Possible{(first && a.zero) || (second && b.zero),
                      (first && a.one) || (second && b.one)};
    };
    switch (e.op) {
      case Operator::False: return {true, false};
      case Operator::True: return {false, true};
      case Operator::Choice: return {true, true};
      case Operator::Variable: return {!read(now, e.name), read(now, e.name)};
      case Operator::Next: return {!read(next, e.name), read(next, e.name)};
      case Operator::Not: return {of(0).one, of(0).zero};
      case Operator::And: return combine([](bool a, bool b) { return a && b; });
      case Operator::Or: return combine([](bool a, bool b) { return a || b; });
      case Operator::Implies: return combine([](bool a, bool b) { return !a || b; });
      case Operator::Equal: return combine([](bool a, bool b) { return a == b; });
      case Operator::Xor:
      case Operator::Unequal: return combine([](bool a, bool b) { return a != b; });
      case Operator::Conditional: return either(of(0).one, of(1), of(0).zero, of(2));
      case Operator::Schoose:
        return either(of(0).one, {false, true}, of(0).zero,
                      either(of(1).one, {true, false}, of(1).zero, {true, true}));
    }
    return {};
  }

  Possible values(const Expression& e, const Store& now) const { return values(e, now, now); }

 private:
  static std::optional<std::uint32_t> position(const std::vector<Declaration>& list,
                                               const std::string& name) {
    const auto found = std::ranges::find(list, name, &Declaration::name);
    if (found == list.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - list.begin());
  }

  const BooleanProgram& program_;
  const Procedure& procedure_;
};

/// Every way to choose one value each.
std::vector<std::vector<bool>> choices(const std::vector<Possible>& possible) {
  std::vector<std::vector<bool>> out{{}};
  for (const Possible& next : possible) {
    std::vector<std::vector<bool>> longer;
    for (const auto& chosen : out)
      for (const bool value : {false, true}) {
        if (!(value ? next.one : next.zero)) continue;
        longer.push_back(chosen);
        longer.back().push_back(value);
      }
    out = std::move(longer);
  }
  return out;
}

Possible first_value(const Declaration& declaration) {
  return {declaration.initial != true, declaration.initial != false};
}

/// First values of a list of variables, the given ones in front of them.
std::vector<Valuation> first_values(const std::vector<Possible>& given,
                                    const std::vector<Declaration>& declarations) {
  std::vector<Possible> possible = given;
  for (const Declaration& declaration : declarations) possible.push_back(first_value(declaration));
  std::vector<Valuation> out;
  for (const auto& chosen : choices(possible)) {
    Valuation values;
    for (std::uint32_t i = 0; i < chosen.size(); ++i) values = with(values, i, chosen[i]);
    out.push_back(values);
  }
  return out;
}

bool is_inside(const Thread& thread) { return thread.sections > 0; }

/// One step of one thread, by the statement where it is.
class StatementStep {
 public:
  StatementStep(const Semantics& semantics, const ProgramState& before, std::uint32_t thread)
      : semantics_(semantics),
        before_(before),
        thread_(thread),
        top_(before.threads[thread].stack.back()),
        procedure_(semantics.program().procedures[top_.procedure]),
        code_(semantics.codes()[top_.procedure].instructions[top_.instruction]),
        names_(semantics.program(), procedure_),
        now_{before.shared, top_.values} {}

  std::vector<ProgramState> run() {
    if (procedure_.enforce && !values(*procedure_.enforce).one) return {};
    switch (code_.role) {
      case Instruction::Role::Plain: plain(*code_.statement); break;
      case Instruction::Role::Branch:
        if (values(*code_.condition).one) advance(now_, 0);
        if (values(*code_.condition).zero) advance(now_, 1);
        break;
      case Instruction::Role::Begin: advance(now_, 0).sections += 1; break;
      case Instruction::Role::End: {
        std::uint32_t& sections = advance(now_, 0).sections;
        if (sections > 0) --sections;
        break;
      }
      case Instruction::Role::Leave:
        give_back(std::vector<Possible>(procedure_.results, Possible{true, true}));
        break;
    }
    if (semantics_.is_wanted(code_.at))
      for (ProgramState& state : after_) state.visited = true;
    return std::move(after_);
  }

 private:
  Possible values(const Expression& e) const { return names_.values(e, now_); }

  std::vector<Possible> values(const std::vector<Expression>& expressions) const {
    std::vector<Possible> out;
    for (const Expression& e : expressions) out.push_back(values(e));
    return out;
  }

  /// A new successor, in which the thread goes on with these values.
  Thread& advance(const Store& store, std::size_t which = 0) {
    after_.push_back(before_);
    after_.back().shared = store.shared;
    Thread& thread = after_.back().threads[thread_];
    thread.stack.back().values = store.local;
    thread.stack.back().instruction = code_.next[which];
    return thread;
  }

  void plain(const Statement& s) {
    switch (s.kind) {
      case StatementKind::Skip:
      case StatementKind::Sync:
      case StatementKind::Print: advance(now_); break;
      case StatementKind::Goto:
        for (std::size_t i = 0; i < code_.next.size(); ++i) advance(now_, i);
        break;
      case StatementKind::Assume:
        if (values(s.expressions[0]).one) advance(now_);
        break;
      case StatementKind::AbortIf:
        if (values(s.expressions[0]).zero) advance(now_);
        break;
      case StatementKind::Assert:
        if (values(s.expressions[0]).one) advance(now_);
        if (values(s.expressions[0]).zero && semantics_.program().failure_labels.empty())
          advance(now_).phase = Thread::Phase::Failed;
        break;
      case StatementKind::Assign: assign(s); break;
      case StatementKind::Dead:
        assign(s.names, std::vector<Possible>(s.names.size(), Possible{true, true}), nullptr);
        break;
      case StatementKind::Constrain: constrain(s.expressions[0]); break;
      case StatementKind::Call: is_asynchronous(s) ? start(s) : call(s); break;
      case StatementKind::Return: give_back(values(s.expressions)); break;
      case StatementKind::StartThread: start(s); break;
      case StatementKind::EndThread: end(Thread::Phase::Ended); break;
      case StatementKind::Wait: break;
      case StatementKind::Broadcast: broadcast(s); break;
      case StatementKind::Signal: signal(s); break;
      case StatementKind::If:
      case StatementKind::While:
      case StatementKind::Atomic:
      case StatementKind::AtomicBegin:
      case StatementKind::AtomicEnd: break;  // not plain instructions
    }
  }

  // ---- variables ----

  /// Every choice of the values that the constraint allows, if there is one.
  void assign(const std::vector<std::string>& names, const std::vector<Possible>& possible,
              const Expression* constraint) {
    for (const auto& chosen : choices(possible)) {
      Store next = now_;
      for (std::size_t i = 0; i < names.size(); ++i) names_.write(next, names[i], chosen[i]);
      if (!constraint || names_.values(*constraint, now_, next).one) advance(next);
    }
  }

  void assign(const Statement& s) {
    std::vector<std::string> own;
    std::vector<Possible> possible;
    for (std::size_t i = 0; i < s.names.size(); ++i) {
      if (is_passive(s.names[i])) continue;
      own.push_back(s.names[i]);
      possible.push_back(values(s.expressions[i]));
    }
    assign(own, possible, s.constraint ? &*s.constraint : nullptr);
    if (own.size() < s.names.size()) assign_to_others(s);
  }

  bool is_passive(const std::string& name) const { return name != "_" && !names_.declares(name); }

  /// In every successor found so far, each of the other threads gets one of its values.
  void assign_to_others(const Statement& s) {
    for (std::size_t other = 0; other < before_.threads.size(); ++other) {
      const Thread& thread = before_.threads[other];
      if (other == thread_ || thread.stack.empty() ||
          thread.stack.front().procedure != top_.procedure)
        continue;
      std::vector<ProgramState> assigned;
      for (const ProgramState& state : after_)
        for (const Valuation& values : received(s, thread.stack.front().values)) {
          assigned.push_back(state);
          assigned.back().threads[other].stack.front().values = values;
        }
      after_ = std::move(assigned);
    }
  }

  /// What a thread with these values can have afterwards; just these, if the constraint allows
  /// none.
  std::vector<Valuation> received(const Statement& s, const Valuation& before) const {
    Store now = now_;
    now.receiver = before;
    std::vector<std::uint32_t> indices;
    std::vector<Possible> possible;
    for (std::size_t i = 0; i < s.names.size(); ++i) {
      if (!is_passive(s.names[i])) continue;
      indices.push_back(names_.of_receiver(s.names[i]));
      possible.push_back(names_.values(s.expressions[i], now));
    }
    std::vector<Valuation> out;
    for (const auto& chosen : choices(possible)) {
      Store next = now;
      for (std::size_t i = 0; i < indices.size(); ++i)
        next.receiver = with(next.receiver, indices[i], chosen[i]);
      if (!s.passive_constraint || names_.values(*s.passive_constraint, now, next).one)
        out.push_back(next.receiver);
    }
    return out.empty() ? std::vector{before} : out;
  }

  void constrain(const Expression& constraint) {
    std::vector<std::string> names;
    for (const auto* list :
         {&procedure_.parameters, &procedure_.locals, &semantics_.program().globals})
      for (const Declaration& d : *list)
        if (std::ranges::find(names, d.name) == names.end()) names.push_back(d.name);
    assign(names, std::vector<Possible>(names.size(), Possible{true, true}), &constraint);
  }

  // ---- procedures ----

  /// Ways to enter the procedure that the statement names.
  std::vector<Activation> entries(const Statement& s) const {
    const Procedure& callee = *semantics_.program().find(s.callee);
    const auto index = static_cast<std::uint32_t>(&callee - semantics_.program().procedures.data());
    std::vector<Activation> out;
    for (const Valuation& first : first_values(values(s.expressions), callee.locals))
      out.push_back({index, semantics_.codes()[index].entry, first});
    return out;
  }

  void call(const Statement& s) {
    for (const Activation& entered : entries(s)) {
      after_.push_back(before_);
      after_.back().threads[thread_].stack.push_back(entered);
    }
  }

  /// Back to the caller, which goes on behind its call; from a thread's first procedure: its end.
  void give_back(const std::vector<Possible>& results) {
    const auto& stack = before_.threads[thread_].stack;
    if (stack.size() == 1) return end(Thread::Phase::Returned);
    const Activation& caller = stack[stack.size() - 2];
    const Instruction& call = semantics_.codes()[caller.procedure].instructions[caller.instruction];
    const Names callers_names(semantics_.program(),
                              semantics_.program().procedures[caller.procedure]);
    for (const auto& chosen : choices(results)) {
      Store store{before_.shared, caller.values};
      const auto& receivers = call.statement->names;
      for (std::size_t i = 0; i < receivers.size(); ++i)
        callers_names.write(store, receivers[i], chosen[i]);
      after_.push_back(before_);
      after_.back().shared = store.shared;
      auto& rest = after_.back().threads[thread_].stack;
      rest.pop_back();
      rest.back().values = store.local;
      rest.back().instruction = call.next[0];
    }
  }

  // ---- threads ----

  void start(const Statement& s) {
    std::vector<Thread> children;
    if (s.callee.empty()) {
      Thread copy{Thread::Phase::Running, 0, before_.threads[thread_].stack};
      copy.stack.back().instruction = semantics_.codes()[top_.procedure].labels.at(s.names[0]);
      children.push_back(std::move(copy));
    } else {
      for (const Activation& first : entries(s))
        children.push_back({Thread::Phase::Running, 0, {first}});
    }
    for (Thread& child : children) {
      advance(now_);
      after_.back().threads.push_back(std::move(child));
    }
  }

  void end(Thread::Phase phase) {
    after_.push_back(before_);
    after_.back().threads[thread_] = {phase, 0, {}};
  }

  bool waits(const Thread& thread, const std::vector<std::string>& condition) const {
    if (thread.phase != Thread::Phase::Running) return false;
    const Statement* s = semantics_.instruction_of(thread).statement;
    return s && s->kind == StatementKind::Wait && s->names == condition;
  }

  void wake(ProgramState& state, std::size_t which) const {
    Thread& thread = state.threads[which];
    if (semantics_.is_wanted(semantics_.instruction_of(thread).at)) state.visited = true;
    thread.stack.back().instruction = semantics_.instruction_of(thread).next[0];
  }

  void broadcast(const Statement& s) {
    advance(now_);
    for (std::size_t i = 0; i < before_.threads.size(); ++i)
      if (i != thread_ && waits(before_.threads[i], s.names)) wake(after_.back(), i);
  }

  void signal(const Statement& s) {
    for (std::size_t i = 0; i < before_.threads.size(); ++i) {
      if (i == thread_ || !waits(before_.threads[i], s.names)) continue;
      advance(now_);
      wake(after_.back(), i);
    }
    if (after_.empty()) advance(now_);
  }

  const Semantics& semantics_;
  const ProgramState& before_;
  std::uint32_t thread_;
  const Activation& top_;
  const Procedure& procedure_;
  const Instruction& code_;
  Names names_;
  Store now_;
  std::vector<ProgramState> after_;
};

/// A running thread's ways to begin in the procedure, as the only one on its stack.
std::vector<Thread> threads_in(const BooleanProgram& program, const std::vector<Code>& codes,
                               const Procedure& procedure, Thread::Phase phase) {
  const auto index = static_cast<std::uint32_t>(&procedure - program.procedures.data());
  const std::vector<Possible> anything(procedure.parameters.size(), Possible{true, true});
  std::vector<Thread> out;
  for (const Valuation& first : first_values(anything, procedure.locals))
    out.push_back({phase, 0, {{index, codes[index].entry, first}}});
  return out;
}

}  // namespace

std::vector<ProgramState> Semantics::initial_states(std::size_t threads) const {
  std::vector<std::vector<Thread>> ways;  // for each thread
  const Procedure* init = initialiser(program_);
  if (init) ways.push_back(threads_in(program_, codes_, *init, Thread::Phase::Running));
  const auto phase = init ? Thread::Phase::BeforeInit : Thread::Phase::Running;
  for (const Procedure* procedure : listed_threads(program_))
    ways.push_back(threads_in(program_, codes_, *procedure, phase));
  if (ways.empty())
    ways.assign(threads, threads_in(program_, codes_, *program_.find("main"), phase));
  std::vector<ProgramState> out;
  for (const Valuation& shared : first_values({}, program_.globals))
    out.push_back({shared, {}, {}});
  for (const std::vector<Thread>& way : ways) {
    std::vector<ProgramState> longer;
    for (const ProgramState& state : out)
      for (const Thread& thread : way) {
        longer.push_back(state);
        longer.back().threads.push_back(thread);
      }
    out = std::move(longer);
  }
  return out;
}

const Instruction& Semantics::instruction_of(const Thread& thread) const {
  const Activation& top = thread.stack.back();
  return codes_[top.procedure].instructions[top.instruction];
}

std::vector<ProgramState> Semantics::successors(const ProgramState& state,
                                                std::uint32_t thread) const {
  const auto fails = [&](const Thread& which) { return has_failed(which); };
  if (!program_.through.empty() && std::ranges::any_of(state.threads, fails)) return {};
  for (std::uint32_t other = 0; other < state.threads.size(); ++other)
    if (other != thread && is_inside(state.threads[other])) return {};
  const Thread& active = state.threads[thread];
  if (active.phase == Thread::Phase::Running) return StatementStep(*this, state, thread).run();
  const bool starts = active.phase == Thread::Phase::BeforeInit &&
                      state.threads.front().phase == Thread::Phase::Returned;
  if (!starts) return {};
  std::vector<ProgramState> out{state};
  out.back().threads[thread].phase = Thread::Phase::Running;
  return out;
}

bool Semantics::is_wanted(const Position& at) const {
  return std::ranges::binary_search(program_.through, place_of(at));
}

bool Semantics::has_failed(const Thread& thread) const {
  return thread.phase == Thread::Phase::Failed ||
         (thread.phase == Thread::Phase::Running && instruction_of(thread).failed);
}

bool Semantics::has_failed(const ProgramState& state) const {
  const bool all_count = program_.through.empty() || state.visited;
  return std::ranges::any_of(state.threads, [&](const Thread& thread) {
    return has_failed(thread) && (all_count || (thread.phase == Thread::Phase::Running &&
                                                is_wanted(instruction_of(thread).at)));
  });
}

}  // namespace heddle::model::boolean
