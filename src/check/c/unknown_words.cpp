#include "check/c/unknown_words.hpp"

#include <algorithm>

#include "check/c/operands.hpp"
#include "model/c/arithmetic.hpp"

namespace heddle::check::c {

using namespace model::c;

namespace {

bool is_comparison(Operator op) { return op >= Operator::Eq && op <= Operator::SLe; }

bool is_resizing(Operator op) {
  return op == Operator::Copy || op == Operator::ZeroExtend || op == Operator::SignExtend ||
         op == Operator::Truncate;
}

/// Whether something reads the results of threads.
bool reads_results(const Program& program) {
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      const auto* sync = std::get_if<Synchronise>(&instruction.effect);
      if (sync == nullptr || sync->operation != SyncOperation::JoinThread) continue;
      if (sync->arguments[1] != Operand{}) return true;
    }
  }
  return false;
}

/// Contents for one unknown operand that give every result of a comparison with `other`.
std::vector<std::uint64_t> contents_near(std::uint64_t other, std::uint8_t width) {
  const std::uint64_t half = std::uint64_t{1} << (width - 1);
  std::vector<std::uint64_t> words = {other, other + 1, other - 1, 0, ~std::uint64_t{0},
                                      half,  half - 1};
  for (std::uint64_t& word : words) word = low_bits(word, width);
  return words;
}

void set_content(State& state, ThreadId thread, const Operand& operand, std::uint64_t content) {
  Thread& changed = state.change(thread);
  changed.registers[changed.frames.back().first_register + operand.index] = content;
}

}  // namespace

bool UnknownWords::has(const State& state, ThreadId thread, const Operand& operand) const {
  if (operand.kind != Operand::Kind::Register || registers_.empty()) return false;
  const std::uint32_t first = state.thread(thread).frames.back().first_register;
  return registers_.contains({thread.value, first + operand.index});
}

bool UnknownWords::matter_to(const Interpreter& interpreter, const State& state,
                             ThreadId thread) const {
  if (registers_.empty() || !state.thread(thread).is_live()) return false;
  const auto operands = std::visit(OperandsOf{}, interpreter.next(state, thread).effect);
  return std::ranges::any_of(operands,
                             [&](const Operand& operand) { return has(state, thread, operand); });
}

void UnknownWords::add(const State& state, ThreadId thread, Register to) {
  registers_.emplace(thread.value, state.thread(thread).frames.back().first_register + to.value);
}

bool UnknownWords::are_only_copied(const Interpreter& interpreter, const State& before,
                                   ThreadId thread) const {
  const Effect& effect = interpreter.next(before, thread).effect;
  if (const auto* compute = std::get_if<Compute>(&effect)) return is_resizing(compute->op);
  if (const auto* call = std::get_if<Call>(&effect)) return !has(before, thread, call->callee);
  if (std::holds_alternative<Return>(effect)) {
    return before.thread(thread).frames.size() > 1 || !reads_results(interpreter.program());
  }
  return std::holds_alternative<Assign>(effect);
}

/// The registers of the frame after the step that get copies of unknown words.
std::vector<Register> UnknownWords::copies(const Effect& effect, const State& before,
                                           ThreadId thread) const {
  std::vector<Register> to;
  const auto copy = [&](Register target, const Operand& from) {
    if (has(before, thread, from)) to.push_back(target);
  };
  if (const auto* compute = std::get_if<Compute>(&effect)) {
    if (is_resizing(compute->op)) copy(compute->to, compute->a);
  } else if (const auto* assign = std::get_if<Assign>(&effect)) {
    for (const auto& [target, from] : assign->copies) copy(target, from);
  } else if (const auto* call = std::get_if<Call>(&effect)) {
    for (std::size_t i = 0; i < call->arguments.size(); ++i) copy(Register(i), call->arguments[i]);
  }
  return to;
}

void UnknownWords::follow(const Interpreter& interpreter, const State& before, State& after,
                          ThreadId thread) {
  if (registers_.empty()) return;
  const Effect& effect = interpreter.next(before, thread).effect;
  std::vector<Register> unknown = copies(effect, before, thread);
  std::vector<Register> written = std::visit(WrittenBy{}, effect);
  const auto& frames = before.thread(thread).frames;
  if (const auto* result = std::get_if<Return>(&effect); result != nullptr && frames.size() > 1) {
    const Frame& caller = frames[frames.size() - 2];
    const auto& code = interpreter.program().functions[caller.function.index()].code;
    const auto& call = std::get<Call>(code[caller.at.index()].effect);
    written = call.to;
    for (std::size_t i = 0; i < call.to.size() && i < result->values.size(); ++i) {
      if (has(before, thread, result->values[i])) unknown.push_back(call.to[i]);
    }
  }
  const auto size = static_cast<std::uint32_t>(after.thread(thread).registers.size());
  std::erase_if(registers_,
                [&](const auto& one) { return one.first == thread.value && one.second >= size; });
  if (after.thread(thread).frames.empty()) return;
  const std::uint32_t first = after.thread(thread).frames.back().first_register;
  for (const Register to : written) registers_.erase({thread.value, first + to.value});
  for (const Register to : unknown) {
    if (first + to.value >= size) continue;
    registers_.emplace(thread.value, first + to.value);
  }
  for (const auto& [owner, index] : registers_) {
    if (owner == thread.value) after.change(thread).registers[index] = 0;
  }
}

/// Each case of a switch, and none of them.
std::vector<UnknownWords::Trial> UnknownWords::case_trials(const State& state, ThreadId thread,
                                                           const Switch& effect) {
  std::vector<Trial> trials;
  std::uint64_t other = 0;
  const auto is_other = [&](const auto& one) { return one.first == other; };
  while (std::ranges::any_of(effect.cases, is_other)) ++other;
  for (const auto& [value, location] : effect.cases) {
    trials.push_back({state, effect.value});
    set_content(trials.back().state, thread, effect.value, value);
  }
  trials.push_back({state, std::nullopt});
  set_content(trials.back().state, thread, effect.value, other);
  return trials;
}

std::vector<UnknownWords::Trial> UnknownWords::trials(const Interpreter& interpreter,
                                                      const State& state, ThreadId thread) const {
  const Effect& effect = interpreter.next(state, thread).effect;
  if (const auto* cases = std::get_if<Switch>(&effect)) return case_trials(state, thread, *cases);
  const auto* compute = std::get_if<Compute>(&effect);
  if (compute == nullptr || !is_comparison(compute->op)) return {};
  std::vector<Trial> trials;
  const bool a_is_unknown = has(state, thread, compute->a);
  const bool b_is_unknown = has(state, thread, compute->b);
  const auto add_trial = [&](const Operand& operand, std::uint64_t content) {
    trials.push_back({state, std::nullopt});
    set_content(trials.back().state, thread, operand, content);
  };
  if (a_is_unknown && b_is_unknown) {  // both are 0: equal, less, greater
    trials.push_back({state, std::nullopt});
    add_trial(compute->b, 1);
    add_trial(compute->a, 1);
    return trials;
  }
  const Operand& unknown = a_is_unknown ? compute->a : compute->b;
  const Operand& known = a_is_unknown ? compute->b : compute->a;
  const std::uint64_t other = interpreter.value(state, thread, known);
  for (const std::uint64_t content : contents_near(other, compute->width)) {
    add_trial(unknown, content);
    const bool tests_equality = compute->op == Operator::Eq || compute->op == Operator::Ne;
    if (tests_equality && content == low_bits(other, compute->width)) trials.back().known = unknown;
  }
  return trials;
}

void UnknownWords::remove(const State& state, ThreadId thread, const Operand& operand) {
  registers_.erase(
      {thread.value, state.thread(thread).frames.back().first_register + operand.index});
}

void UnknownWords::write(std::vector<std::uint32_t>& row) const {
  for (const auto& [thread, index] : registers_) {
    row.push_back(thread);
    row.push_back(index);
  }
}

}  // namespace heddle::check::c
