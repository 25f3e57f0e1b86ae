#include <algorithm>

#include "transform/c_threads/explorer.hpp"

namespace heddle::transform::c_threads {

using namespace model::c;
using model::threads::PointInfo;
using term::Term;

bool Explorer::execute_checked(const Compute& e, const Value& a, const Value& b) {
  if (options_.arithmetic != Arithmetic::Checked || !a.set.is_plain() || !b.set.is_plain())
    return false;
  const std::optional<Term> value = words::unbounded(e, a.word, b.word);
  if (!value || value->op() == term::Operator::Integer) return false;
  Step step = step_on();
  if (!is_live(step, e.to)) return false;
  step.guard = words::fits(*value, e.width, true);
  step.range_check_of = register_variable(node_.context, e.to);
  Value result{{*value, e.width, true}, {}};
  result.set.is_arbitrary = true;
  set(step, node_.context, e.to, result);
  Step leaves = step_on();
  leaves.guard = term::negation(step.guard);
  leaves.range_check_of = step.range_check_of;
  emit(std::move(step));
  emit_to(std::move(leaves), special_point(node_, PointInfo::Kind::Overflow));
  return true;
}

/// A number tells which object it belongs to, but there is room for a small one where the size is
/// not known: a number that is far behind its beginning would belong to another object, or to none.
void Explorer::refuse_far_address(const Value& from, const Value& address) {
  const auto bits = bits_of(address.word);
  if (!bits || address.word.width != pointer_width()) return;
  for (const std::uint32_t id : from.set.objects) {
    const Object& object = memory_.at(ObjectId(id));
    if (!object.has_size &&
        (*bits < object.base || *bits - object.base > AbstractMemory::kSummaryRange))
      refuse("an address far from the beginning of an object whose size is not known");
  }
}

void Explorer::execute(const Compute& e) {
  const bool selects = e.op == Operator::Select;
  const Value a = eval(e.a, selects ? 1 : e.width);
  const Value b = eval(e.b, e.width);
  const Value c = eval(e.c, e.width);
  if (execute_checked(e, a, b)) return;
  const bool is_signed =
      facts_.functions[contexts_[node_.context].function.index()].is_signed[e.to.index()];
  Step step = step_on();
  const bool divides = e.op == Operator::UDiv || e.op == Operator::SDiv || e.op == Operator::URem ||
                       e.op == Operator::SRem;
  if (divides) {
    step.guard = term::negation(equal_words(b.word, constant_word(0, e.width, true)));
    if (step.guard.op() != term::Operator::Boolean) mark_blocking();
  }
  const std::optional<Value> result = compute_value(e, a, b, c, is_signed);
  if (result) {
    if (e.op == Operator::Add) refuse_far_address(b, *result);
    if (e.op == Operator::Add || (e.op == Operator::Sub && b.set.objects.empty()))
      refuse_far_address(a, *result);
    set(step, node_.context, e.to, *result);
  } else {
    step.is_abstract = true;
    set(step, node_.context, e.to, any(step, e.to_width, is_signed));
  }
  emit(std::move(step));
}

void Explorer::execute(const Choose& e) {
  Step step = step_on();
  set(step, node_.context, e.to, any(step, e.width, e.is_signed));
  emit(std::move(step));
}

void Explorer::execute(const Assign& e) {
  Step step = step_to(e.next);
  for (const auto& [to, from] : e.copies)
    set(step, node_.context, to, eval(from, function().register_widths[to.index()]));
  emit(std::move(step));
}

void Explorer::execute(const Jump& e) { emit(step_to(e.next)); }

void Explorer::execute(const Branch& e) {
  const Term condition = eval(e.condition, 1).word.term;
  Step yes = step_to(e.if_true);
  yes.guard = condition;
  Step no = step_to(e.if_false);
  no.guard = term::negation(condition);
  for (Step* step : {&yes, &no})
    if (step->guard.op() != term::Operator::Boolean || step->guard.boolean())
      emit(std::move(*step));
}

void Explorer::execute(const Switch& e) {
  std::uint8_t width = 64;
  if (e.value.kind == Operand::Kind::Register) width = function().register_widths[e.value.index];
  const Value value = eval(e.value, width);
  std::vector<Term> others;
  for (const auto& [bits, next] : e.cases) {
    Step step = step_to(next);
    step.guard = equal_words(value.word, constant_word(bits, width, value.word.is_signed));
    others.push_back(term::negation(step.guard));
    if (step.guard.op() != term::Operator::Boolean || step.guard.boolean()) emit(std::move(step));
  }
  Step step = step_to(e.otherwise);
  step.guard = term::conjunction(std::move(others));
  if (step.guard.op() != term::Operator::Boolean || step.guard.boolean()) emit(std::move(step));
}

void Explorer::execute(const Call& e) {
  const Value callee = eval(e.callee, pointer_width());
  const auto bits = bits_of(callee.word);
  if (bits) {
    const auto f = memory_.function_at(*bits);
    if (!f) return mark_blocking();
    return call(e, FunctionId(*f), term::constant(true));
  }
  mark_blocking();
  std::vector<Term> others;
  for (const std::uint32_t f : callee.set.functions) {
    const Term is_it = equal_words(
        callee.word,
        constant_word(memory_.of_function(FunctionId(f)), pointer_width(), callee.word.is_signed));
    others.push_back(term::negation(is_it));
    call(e, FunctionId(f), is_it);
  }
  if (!callee.set.is_arbitrary) return;
  others.push_back(term::negation(
      equal_words(callee.word, constant_word(0, pointer_width(), callee.word.is_signed))));
  Step step = step_on();
  step.guard = term::conjunction(std::move(others));
  emit_to(std::move(step), special_point(node_, PointInfo::Kind::Unsupported));
}

void Explorer::call(const Call& e, FunctionId callee, const Term& guard) {
  const Function& target = program_.functions[callee.index()];
  if (target.code.empty()) refuse("a call of " + target.name + ", which has no body");
  Context context{node_.thread, node_.context, node_.at, callee,
                  contexts_[node_.context].depth + 1};
  Step step;
  step.guard = guard;
  step.next = node_;
  step.next.at = Location(node_.at.index() + 1);
  forget_dead(step.next);  // of the caller: what it needs after the call
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < target.parameters; ++i) {
    const std::uint8_t width = target.register_widths[i];
    arguments.push_back(i < e.arguments.size() ? eval(e.arguments[i], width) : number(0, width));
  }
  step.next.context = context_for(context);
  step.next.at = Location(std::size_t{0});
  if (target.is_atomic) ++step.next.sections;
  for (std::size_t i = 0; i < target.parameters; ++i)
    set(step, step.next.context, Register(i), arguments[i]);
  emit(std::move(step));
}

void Explorer::execute(const Return& e) {
  const Context& context = contexts_[node_.context];
  if (!context.caller) {
    const std::uint8_t width = pointer_width();
    return end_thread(e.values.empty() ? number(0, width) : eval(e.values[0], width));
  }
  const Function& caller = function_of(*context.caller);
  const auto& instruction = std::get<Call>(caller.code[context.call.index()].effect);
  std::vector<Value> values;
  for (std::size_t i = 0; i < instruction.to.size(); ++i) {
    const std::uint8_t width = caller.register_widths[instruction.to[i].index()];
    values.push_back(i < e.values.size() ? eval(e.values[i], width) : number(0, width));
  }
  Step step;
  step.next = node_;
  if (function().is_atomic && step.next.sections > 0) --step.next.sections;
  step.next.context = *context.caller;
  step.next.at = Location(context.call.index() + 1);
  std::erase_if(step.next.constants, [&](const auto& entry) {
    return !entry.first.is_cell && entry.first.context == node_.context;
  });
  for (std::size_t i = 0; i < values.size(); ++i)
    set(step, step.next.context, instruction.to[i], values[i]);
  emit(std::move(step));
}

void Explorer::end_thread(const Value& result) {
  Step step;
  step.next = node_;
  ThreadInfo& info = threads_[node_.thread];
  if (info.results.merge(result.set)) change();
  if (node_.thread != 0) {
    if (!info.is_replicated) {
      step.assignments.push_back({status_variable(node_.thread), term::constant(base::Integer(2))});
      step.assignments.push_back(
          {result_variable(node_.thread), represent(result.word, true).term});
    }
  }
  emit_to(std::move(step), special_point(node_, PointInfo::Kind::End));
}

void Explorer::execute(const Allocate& e) {
  const Value size = eval(e.size, pointer_width());
  const ObjectId object = allocated_object(e, bits_of(size.word).value_or(0));
  if (!bits_of(size.word)) memory_.at(object).has_size = false;
  if (!memory_.at(object).has_size) blur(object);
  Step step = step_on();
  const Object& made = memory_.at(object);
  Value address = number(made.base, pointer_width());
  if (made.is_summary) {
    step.is_abstract = true;
    address = any(step, pointer_width(), true);
    step.inputs.back().least = base::Integer(static_cast<unsigned long>(made.base));
    step.inputs.back().greatest =
        step.inputs.back().least + base::Integer(AbstractMemory::kSummaryRange);
  }
  address.set = {};
  address.set.objects.insert(object.value);
  free_mutexes(step, object);
  if (e.is_zeroed) {
    for (const CellId cell : memory_.cells_of(object)) {
      if (made.is_blurred) break;
      Candidates here;
      here.list.push_back({term::constant(true), cell, object, memory_.at(cell).offset});
      const auto bytes = memory_.at(cell).bytes;
      store(step, here, bytes, number(0, static_cast<std::uint8_t>(8 * bytes)));
    }
  } else {
    havoc(step, object);
  }
  set(step, node_.context, e.to, address);
  emit(std::move(step));
}

/// The bytes of the object become undefined: each cell any value.
void Explorer::havoc(Step& step, ObjectId object) {
  if (memory_.at(object).is_blurred) return;
  for (const CellId cell : memory_.cells_of(object)) {
    const auto bytes = memory_.at(cell).bytes;
    Candidates here;
    here.list.push_back({term::constant(true), cell, object, memory_.at(cell).offset});
    Value value =
        any(step, static_cast<std::uint8_t>(8 * bytes), memory_.is_signed(memory_.at(cell)));
    store(step, here, bytes, value);
  }
}

void Explorer::free_mutexes(Step& step, ObjectId object) {
  for (const auto& [place, info] : mutexes_) {
    if (place.first != object.value || info.is_broken) continue;
    for (const auto variable : {info.owner, info.depth})
      step.assignments.push_back({variable, term::constant(base::Integer(0))});
  }
}

/// What was freed stays as it was. The program may do no more with it than with an object that
/// lives; runs that do are cut short by the semantics, and have more to do here.
void Explorer::execute(const Free&) { emit(step_on()); }

void Explorer::execute(const Lifetime& e) {
  Step step = step_on();
  const Value address = eval(e.address, pointer_width());
  const auto bits = bits_of(address.word);
  if (e.begins && bits) {
    const auto object = memory_.find(*bits);
    if (object && memory_.at(*object).base == *bits) {
      free_mutexes(step, *object);
      havoc(step, *object);
    }
  } else if (e.begins) {
    for (const std::uint32_t object : address.set.objects) blur(ObjectId(object));
  }
  emit(std::move(step));
}

void Explorer::execute(const ObjectSize& e) {
  Step step = step_on();
  const Value address = eval(e.address, pointer_width());
  const auto bits = bits_of(address.word);
  const auto object = bits ? memory_.find(*bits) : std::nullopt;
  const std::uint8_t width = function().register_widths[e.to.index()];
  if (object && memory_.at(*object).base == *bits && !memory_.at(*object).is_summary &&
      memory_.at(*object).has_size) {
    set(step, node_.context, e.to, {constant_word(memory_.at(*object).size, width, true), {}});
  } else {
    step.is_abstract = true;
    set(step, node_.context, e.to, any(step, width, true));
  }
  emit(std::move(step));
}

void Explorer::execute(const Assume& e) {
  Step step = step_on();
  step.guard = eval(e.condition, 1).word.term;
  if (step.guard.op() == term::Operator::Boolean && !step.guard.boolean()) return;
  emit(std::move(step));
}

void Explorer::execute(const Fail&) {
  emit_to(step_on(), special_point(node_, PointInfo::Kind::Error));
}

void Explorer::execute(const Exit&) {
  mark_blocking();
  Step step;
  step.next = node_;
  emit_to(std::move(step), special_point(node_, PointInfo::Kind::End));
}

void Explorer::execute(const Unsupported&) {
  emit_to(step_on(), special_point(node_, PointInfo::Kind::Unsupported));
}

}  // namespace heddle::transform::c_threads
