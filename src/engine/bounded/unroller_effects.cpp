#include <algorithm>

#include "base/invariant.hpp"
#include "engine/bounded/unroller.hpp"

namespace heddle::engine::bounded {

using model::c::Operand;
using model::c::Register;

// ---- Conditions

void Unroller::wait_for(Path& path, Wire condition) {
  if (condition == kTrue) return;
  may_block(path, condition);
  if (path.is_alone) return drop_if(path, !condition);  // nobody is there who could change it
  result_.requirements.push_back({!path.guard, path.moment->never, condition});
}

/// Outside of atomic sections a thread may stop where it is, and others go on. A section is made as
/// a whole or not at all.
void Unroller::drop_if(Path& path, Wire condition) {
  if (condition == kFalse) return;
  if (path.sections > 0 && !path.is_alone)
    result_.requirements.push_back({!path.guard, path.moment->never, !condition});
  path.guard = result_.circuit.conjunction(path.guard, !condition);
}

void Unroller::leave_out(Path& path, std::string_view what) {
  if (!result_.left_out) {
    std::uint32_t line = 0;  // in our library: of the call
    for (auto frame = path.frames.rbegin(); frame != path.frames.rend() && line == 0; ++frame)
      line = program_.functions[frame->function.index()].code[frame->at.index()].position.line;
    result_.left_out = (line > 0 ? "line " + std::to_string(line) + ": " : "") + std::string(what);
  }
  end_path(path);
}

Action& Unroller::act(Path& path) {
  Action action;
  action.function = path.top().function;
  action.at = path.top().at;
  action.guard = path.guard;
  action.moment = path.moment;
  result_.threads[thread_].actions.push_back(std::move(action));
  return result_.threads[thread_].actions.back();
}

void Unroller::violate(Path& path, Wire condition) {
  Action& action = act(path);
  action.ends = true;
  action.violation = result_.circuit.conjunction(executed(path), condition);
  result_.violations.push_back(action.violation);
}

// ---- Values

namespace {

/// The checker tries all values of words that are not wider.
constexpr std::uint8_t kMostBitsTried = 8;

}  // namespace

Word Unroller::value(const Path& path, const Operand& operand) {
  const unsigned pointer_bits = 8u * program_.pointer_bytes;
  switch (operand.kind) {
    case Operand::Kind::Register: {
      const PathFrame& frame = path.frames.back();
      const auto& held = path.registers[frame.first_register + operand.index];
      if (held != nullptr) return *held;
      const auto& function = program_.functions[frame.function.index()];
      return number(0, function.register_widths[operand.index]);
    }
    case Operand::Kind::Constant: return number(operand.value, 64);
    case Operand::Kind::Global: {
      const std::uint32_t object = objects_.of_global(model::c::GlobalId(operand.index), thread_);
      return {constant_bits(objects_[object].address + operand.value, pointer_bits), only(object)};
    }
    case Operand::Kind::Function: break;
  }
  const std::uint32_t object = objects_.of_function(model::c::FunctionId(operand.index));
  return {constant_bits(objects_[object].address, pointer_bits), only(object)};
}

void Unroller::set(Path& path, Register to, Word word) {
  const PathFrame& frame = path.top();
  const auto& function = program_.functions[frame.function.index()];
  word.bits.resize(function.register_widths[to.index()], kFalse);
  path.registers[frame.first_register + to.index()] = std::make_shared<const Word>(std::move(word));
}

void Unroller::execute(Path& path, const model::c::Compute& effect) {
  const Word a = value(path, effect.a);
  const Word b = value(path, effect.b);
  const bool selects = effect.op == model::c::Operator::Select;
  const Word c = selects ? value(path, effect.c) : Word();
  if (is_division(effect.op)) {
    const Bits divisor = resized(b.bits, effect.width);
    const Wire is_zero = equal(result_.circuit, divisor, std::uint64_t{0});
    if (property_ == model::c::Property::NoFault)
      fault_if(path, is_zero);
    else
      drop_if(path, is_zero);
    if (path.guard == kFalse) return;
  }
  if (property_ == model::c::Property::NoOverflow && model::c::Operator::Add <= effect.op &&
      effect.op <= model::c::Operator::AShr) {
    violate(path, overflows(result_.circuit, effect, a.bits, b.bits));
  }
  Word result{compute(result_.circuit, effect, a.bits, b.bits, c.bits), nullptr};
  const bool may_point = !(effect.to_width == 1 || is_division(effect.op));
  if (may_point) {
    result.pointees = selects ? joined(b.pointees, c.pointees) : joined(a.pointees, b.pointees);
  }
  set(path, effect.to, std::move(result));
  step_over(path);
}

void Unroller::execute(Path& path, const model::c::Choose& effect) {
  const Word chosen{input_bits(result_.circuit, effect.width), nullptr};
  act(path).choice = chosen.bits;
  if (effect.width > kMostBitsTried) result_.is_proof = false;
  set(path, effect.to, chosen);
  step_over(path);
}

// ---- Control

void Unroller::execute(Path& path, const model::c::Assign& effect) {
  std::vector<Word> values;
  values.reserve(effect.copies.size());
  for (const auto& [to, from] : effect.copies) values.push_back(value(path, from));
  for (std::size_t i = 0; i < values.size(); ++i)
    set(path, effect.copies[i].first, std::move(values[i]));
  go_to(path, effect.next);
}

void Unroller::execute(Path& path, const model::c::Jump& effect) { go_to(path, effect.next); }

/// Notes which loops one of the two ways leaves. A way to a failure is none out of a loop.
void Unroller::note_ways_out(PathFrame& frame, const model::c::Branch& branch, bool by_constants) {
  const ControlFlow& control = flow(frame.function);
  if (control.is_doomed(branch.if_true) || control.is_doomed(branch.if_false)) return;
  for (Iteration& iteration : frame.iterations) {
    const auto& body = control.loop(iteration.loop).body;
    if (body[branch.if_true.index()] == body[branch.if_false.index()]) continue;
    (by_constants ? iteration.stays_by_constants : iteration.may_leave) = true;
  }
}

void Unroller::execute(Path& path, const model::c::Branch& effect) {
  const Wire condition = value(path, effect.condition).bits.front();
  note_ways_out(path.top(), effect, condition.is_constant());
  if (condition.is_constant())
    return go_to(path, condition == kTrue ? effect.if_true : effect.if_false);
  Path other = path;
  other.guard = result_.circuit.conjunction(path.guard, !condition);
  go_to(other, effect.if_false);
  enqueue(std::move(other));
  path.guard = result_.circuit.conjunction(path.guard, condition);
  go_to(path, effect.if_true);
}

void Unroller::execute(Path& path, const model::c::Switch& effect) {
  const Word selector = value(path, effect.value);
  Wire rest = path.guard;
  for (const auto& [number, target] : effect.cases) {
    const Wire is_it = equal(result_.circuit, selector.bits, number);
    Path taken = path;
    taken.guard = result_.circuit.conjunction(rest, is_it);
    rest = result_.circuit.conjunction(rest, !is_it);
    if (taken.guard == kFalse) continue;
    go_to(taken, target);
    enqueue(std::move(taken));
  }
  path.guard = rest;
  if (rest != kFalse) go_to(path, effect.otherwise);
}

void Unroller::execute(Path& path, const model::c::Call& effect) {
  const Word callee = value(path, effect.callee);
  std::vector<Word> arguments;
  for (const Operand& argument : effect.arguments) arguments.push_back(value(path, argument));
  Wire rest = path.guard;
  const Path before = path;
  path.guard = kFalse;
  if (callee.pointees == nullptr) {  // a call of nothing ends the run
    if (!constant_value(callee.bits)) result_.is_proof = false;
    return;
  }
  for (const std::uint32_t object : *callee.pointees) {
    if (!objects_[object].is_function) continue;
    const Wire is_it = equal(result_.circuit, callee.bits, objects_[object].address);
    Path taken = before;
    taken.guard = result_.circuit.conjunction(rest, is_it);
    rest = result_.circuit.conjunction(rest, !is_it);
    if (taken.guard == kFalse) continue;
    const model::c::Function& function = program_.functions[objects_.function(object).index()];
    if (function.code.empty()) {
      leave_out(taken, "call of " + function.name + ", which has no body");
      continue;
    }
    if (function.is_atomic) {
      switch_before(taken);
      act(taken);
      ++taken.sections;
    }
    enter(taken, objects_.function(object), arguments);
    enqueue(std::move(taken));
  }
  Path nowhere = before;
  nowhere.guard = rest;
  if (rest != kFalse) end_path(nowhere);
}

void Unroller::execute(Path& path, const model::c::Return& effect) {
  std::vector<Word> values;
  for (const Operand& operand : effect.values) values.push_back(value(path, operand));
  const PathFrame frame = path.top();
  if (path.frames.size() == 1)
    return end_thread(path, values.empty() ? number(0, 64) : values.front());
  if (program_.functions[frame.function.index()].is_atomic) {
    act(path);
    if (path.sections > 0) --path.sections;
  }
  for (const std::uint32_t object : frame.stack_objects) path.memory.erase(object);
  path.frames.pop_back();
  path.registers.resize(frame.first_register);
  const PathFrame& caller = path.top();
  const auto& function = program_.functions[caller.function.index()];
  const auto* call = std::get_if<model::c::Call>(&function.code[caller.at.index()].effect);
  HEDDLE_INVARIANT(call != nullptr, "a caller should stand at its call");
  for (std::size_t i = 0; i < call->to.size(); ++i)
    set(path, call->to[i], i < values.size() ? values[i] : number(0, 64));
  step_over(path);
}

// ---- Ends

void Unroller::execute(Path& path, const model::c::Assume& effect) {
  drop_if(path, !value(path, effect.condition).bits.front());
  if (path.guard != kFalse) step_over(path);
}

void Unroller::execute(Path& path, const model::c::Fail&) {
  if (property_ == model::c::Property::Reach) {
    violate(path, kTrue);
    path.guard = kFalse;
  } else {
    end_path(path);
  }
}

void Unroller::execute(Path& path, const model::c::Exit&) { end_path(path); }

void Unroller::execute(Path& path, const model::c::Unsupported& effect) {
  leave_out(path, effect.what);
}

}  // namespace heddle::engine::bounded
