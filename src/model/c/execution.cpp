#include "model/c/execution.hpp"

#include <algorithm>

#include "base/invariant.hpp"
#include "model/c/arithmetic.hpp"

namespace heddle::model::c {

StepResult Execution::run() {
  const Thread& thread = state_.thread(thread_);
  const bool is_excluded = state_.section_owner && *state_.section_owner != thread_;
  if (state_.has_ended || !thread.is_live() || is_excluded) {
    result_.outcome = Outcome::Blocked;
    return std::move(result_);
  }
  const Instruction& instruction = interpreter_.next(state_, thread_);
  position_ = instruction.position;
  std::visit([&](const auto& effect) { execute(effect); }, instruction.effect);
  return std::move(result_);
}

// ---- What all instructions need

void Execution::set(Register to, std::uint64_t value) {
  Thread& thread = state_.change(thread_);
  const Frame& top = thread.frames.back();
  const Function& function = program_.functions[top.function.index()];
  thread.registers[top.first_register + to.index()] =
      low_bits(value, function.register_widths[to.index()]);
}

void Execution::go_on() { ++frame().at.value; }

std::optional<std::uint64_t> Execution::choose(const ChoiceRequest& request) {
  if (choices_.empty()) {
    result_.outcome = Outcome::NeedsChoice;
    result_.request = request;
    return std::nullopt;
  }
  const std::uint64_t chosen = choices_.front();
  choices_ = choices_.subspan(1);
  return request.count != 0 ? chosen % request.count : chosen;
}

Position Execution::position() const {
  return position_.line != 0 ? position_ : interpreter_.position(state_, thread_);
}

void Execution::report(Violation::Kind kind, std::string what) {
  result_.outcome = Outcome::Violated;
  result_.violation = Violation{kind, std::move(what), thread_, position()};
}

// ---- Registers and control

void Execution::execute(const Compute& effect) {
  const std::uint64_t c = effect.op == Operator::Select ? value(effect.c) : 0;
  const Computed computed = compute(effect, value(effect.a), value(effect.b), c);
  if (computed.error == ArithmeticError::DivisionByZero) {
    report(Violation::Kind::DivisionByZero, "division by zero");
    return;
  }
  result_.overflowed = computed.error != ArithmeticError::None;
  set(effect.to, computed.value);
  go_on();
}

void Execution::execute(const Choose& effect) {
  ChoiceRequest request;
  request.kind = effect.why == Choose::Why::Uninitialised ? ChoiceRequest::Kind::Uninitialised
                                                          : ChoiceRequest::Kind::Value;
  request.width = effect.width;
  request.undefined = low_bits(~std::uint64_t{0}, effect.width);
  const std::optional<std::uint64_t> chosen = choose(request);
  if (!chosen) return;
  set(effect.to, low_bits(*chosen, effect.width));
  go_on();
}

void Execution::execute(const Assign& effect) {
  std::vector<std::uint64_t> values;
  values.reserve(effect.copies.size());
  for (const auto& [to, from] : effect.copies) values.push_back(value(from));
  for (std::size_t i = 0; i < values.size(); ++i) set(effect.copies[i].first, values[i]);
  frame().at = effect.next;
}

void Execution::execute(const Jump& effect) { frame().at = effect.next; }

void Execution::execute(const Branch& effect) {
  frame().at = (value(effect.condition) & 1) != 0 ? effect.if_true : effect.if_false;
}

void Execution::execute(const Switch& effect) {
  const std::uint64_t selector = value(effect.value);
  const auto is_it = [&](const auto& one) { return one.first == selector; };
  const auto found = std::ranges::find_if(effect.cases, is_it);
  frame().at = found != effect.cases.end() ? found->second : effect.otherwise;
}

void Execution::execute(const Call& effect) {
  const std::uint64_t address = value(effect.callee);
  const std::optional<FunctionId> function = interpreter_.addresses().function_at(address);
  if (!function) {
    report(Violation::Kind::InvalidAccess, "call of an address that is not a function's");
    return;
  }
  if (program_.functions[function->index()].code.empty()) {
    report(Violation::Kind::Unsupported,
           "call of " + program_.functions[function->index()].name + ", which has no body");
    return;
  }
  std::vector<std::uint64_t> arguments;
  arguments.reserve(effect.arguments.size());
  for (const Operand& argument : effect.arguments) arguments.push_back(value(argument));
  if (program_.functions[function->index()].is_atomic) begin_section(state_);
  interpreter_.push_frame(state_.change(thread_), *function, arguments);
}

void Execution::execute(const Return& effect) {
  std::vector<std::uint64_t> values;
  for (const Operand& operand : effect.values) values.push_back(value(operand));
  const Frame top = state_.thread(thread_).frames.back();
  if (program_.functions[top.function.index()].is_atomic) end_section();
  if (state_.thread(thread_).frames.size() == 1) {
    end_thread(values.empty() ? 0 : values.front());
    return;
  }
  Thread& thread = state_.change(thread_);
  state_.memory.remove_range(top.stack_mark, std::max(thread.stack_next, top.stack_mark + 1));
  thread.stack_next = top.stack_mark;
  thread.frames.pop_back();
  thread.registers.resize(top.first_register);
  const auto* call = std::get_if<Call>(&interpreter_.next(state_, thread_).effect);
  HEDDLE_INVARIANT(call != nullptr, "a caller should stand at its call");
  for (std::size_t i = 0; i < call->to.size(); ++i) {
    set(call->to[i], i < values.size() ? values[i] : 0);
  }
  go_on();
}

// ---- Ends

void Execution::execute(const Assume& effect) {
  if ((value(effect.condition) & 1) == 0) {
    result_.outcome = Outcome::Pruned;
    return;
  }
  go_on();
}

void Execution::execute(const Fail& effect) { report(Violation::Kind::Failure, effect.what); }

void Execution::execute(const Exit&) {
  state_.has_ended = true;
  state_.section_owner.reset();
  state_.section_start.reset();
  result_.outcome = Outcome::ProcessEnded;
}

void Execution::execute(const Unsupported& effect) {
  report(Violation::Kind::Unsupported, effect.what);
}

}  // namespace heddle::model::c
