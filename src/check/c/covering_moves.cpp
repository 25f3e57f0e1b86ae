#include <algorithm>

#include "check/c/covering_parts.hpp"
#include "term/print.hpp"

/// The transitions of one instruction, without those of memory and synchronisation.

namespace heddle::check::c::covering {

using namespace model::c;
using model::threads::PointInfo;
using term::Term;
using words::bits_of;
using words::constant_word;

namespace {

bool is_false(const Term& term) { return term.op() == term::Operator::Boolean && !term.boolean(); }

}  // namespace

Move Rebuild::move_to(Location next) const {
  Move move;
  move.context = place_->context;
  move.at = next;
  move.sections = place_->sections;
  move.known = known_;
  return move;
}

void Rebuild::may_block() { made_.threads[thread_].points[point_].may_block = true; }

/// The place with the most constants of those that fit: the others may be forgotten.
void Rebuild::emit(Move move) {
  if (is_false(move.guard)) return;
  const auto found =
      places_.find({thread_, move.context, move.at.value, move.sections, move.is_asleep});
  const std::vector<std::uint32_t> none;
  std::optional<std::uint32_t> best;
  const auto& places = map_.threads[thread_].places;
  for (const std::uint32_t p : found == places_.end() ? none : found->second) {
    const bool fits = std::ranges::all_of(places[p].constants, [&](const auto& c) {
      const auto known = move.known.find({c.is_cell, c.context, c.index});
      return known != move.known.end() && known->second == c.value;
    });
    if (fits && (!best || places[p].constants.size() > places[*best].constants.size())) best = p;
  }
  if (!best) object_to("leads to a place that is not listed");
  std::set<Slot> kept;
  for (const auto& c : places[*best].constants) kept.insert({c.is_cell, c.context, c.index});
  for (const auto& [slot, value] : move.known) {
    // The variable of a cell always has its value; that of a register, unless it is known.
    if (slot.is_cell || kept.contains(slot)) continue;
    const auto* target = register_of(slot.context, slot.index);
    if (target == nullptr || !target->variable) continue;
    const std::uint8_t width = function_of(slot.context).register_widths[slot.index];
    write(move, *target->variable, constant_word(value, width, target->is_signed).term);
  }
  add(std::move(move), *best);
}

bool Rebuild::has_special(PointInfo::Kind kind) const {
  return special_.contains({thread_, point_, kind});
}

void Rebuild::emit_special(Move move, PointInfo::Kind kind) {
  if (is_false(move.guard)) return;
  const auto found = special_.find({thread_, point_, kind});
  if (found == special_.end()) object_to("leads to a point that is not listed");
  add(std::move(move), found->second);
}

void Rebuild::add(Move move, std::uint32_t to) {
  model::threads::Transition t;
  t.from = model::threads::Point(point_);
  t.to = model::threads::Point(to);
  t.guard = move.guard;
  std::vector<Term> used = {t.guard};
  for (auto& [variable, value] : move.assignments) {
    used.push_back(value);
    t.assignments.push_back({model::threads::VariableId(variable), value});
  }
  if (move.creation)
    for (const auto& local : move.creation->locals) used.push_back(local.value);
  std::set<std::string> names;
  for (const Term& v : term::variables(used)) names.insert(v.name());
  for (const auto* inputs : {&move.inputs, &extra_.inputs})
    for (const model::threads::Input& input : *inputs)
      if (names.contains(input.term.name())) t.inputs.push_back(input);
  t.creation = std::move(move.creation);
  next_[thread_][point_].push_back(to);
  made_.threads[thread_].transitions.push_back(std::move(t));
}

// ---- registers and control

void Rebuild::execute(const Compute& e) {
  const bool selects = e.op == Operator::Select;
  const Value a = eval(e.a, selects ? 1 : e.width);
  const Value b = eval(e.b, e.width);
  const Value c = eval(e.c, e.width);
  Move move = move_on();
  // Arithmetic over mathematical integers, if the covering says where it goes when it leaves the
  // range; wrapping arithmetic otherwise. Both are right.
  const auto unbounded = is_plain(a.targets) && is_plain(b.targets)
                             ? words::unbounded(e, a.word, b.word)
                             : std::nullopt;
  const auto* to = register_of(place_->context, e.to.value);
  if (unbounded && to != nullptr && to->variable && has_special(PointInfo::Kind::Overflow)) {
    Move leaves = move;
    move.guard = words::fits(*unbounded, e.width, true);
    leaves.guard = term::negation(move.guard);
    Targets anywhere = arbitrary();
    const Value value{{*unbounded, e.width, true}, std::move(anywhere)};
    set(move, place_->context, e.to, value);
    emit(std::move(move));
    return emit_special(std::move(leaves), PointInfo::Kind::Overflow);
  }
  if (e.op == Operator::UDiv || e.op == Operator::SDiv || e.op == Operator::URem ||
      e.op == Operator::SRem) {
    move.guard = term::negation(words::equal_words(b.word, constant_word(0, e.width, true)));
    if (move.guard.op() != term::Operator::Boolean || !move.guard.boolean()) may_block();
  }
  const bool sign = is_signed(place_->context, e.to);
  const std::optional<Value> result = computed(e, a, b, c, sign);
  set(move, place_->context, e.to, result ? *result : any(move, e.to_width, sign));
  emit(std::move(move));
}

void Rebuild::execute(const Choose& e) {
  Move move = move_on();
  set(move, place_->context, e.to, any(move, e.width, e.is_signed));
  emit(std::move(move));
}

void Rebuild::execute(const Assign& e) {
  Move move = move_to(e.next);
  const Function& f = function_of(place_->context);
  for (const auto& [to, from] : e.copies)
    set(move, place_->context, to, eval(from, f.register_widths[to.index()]));
  emit(std::move(move));
}

void Rebuild::execute(const Jump& e) { emit(move_to(e.next)); }

void Rebuild::execute(const Branch& e) {
  const Term condition = eval(e.condition, 1).word.term;
  Move yes = move_to(e.if_true);
  yes.guard = condition;
  Move no = move_to(e.if_false);
  no.guard = term::negation(condition);
  emit(std::move(yes));
  emit(std::move(no));
}

void Rebuild::execute(const Switch& e) {
  std::uint8_t width = 64;
  if (e.value.kind == Operand::Kind::Register)
    width = function_of(place_->context).register_widths[e.value.index];
  const Value value = eval(e.value, width);
  std::vector<Term> others;
  for (const auto& [bits, next] : e.cases) {
    Move move = move_to(next);
    const Term is_it =
        words::equal_words(value.word, constant_word(bits, width, value.word.is_signed));
    others.push_back(term::negation(is_it));
    move.guard = is_it;  // cases differ
    emit(std::move(move));
  }
  Move move = move_to(e.otherwise);
  move.guard = term::conjunction(std::move(others));
  emit(std::move(move));
}

void Rebuild::execute(const Call& e) {
  const Value callee = eval(e.callee, pointer_width());
  if (const auto bits = bits_of(callee.word)) {
    for (const std::uint32_t f : callee.targets.functions)
      if (*bits == model::threads::number_of_function(FunctionId(f)))
        return call(e, f, term::constant(true));
    const bool is_address = !is_plain(callee.targets) && !callee.targets.is_arbitrary;
    if (*bits != 0 && !is_address) give_up("a call of a number");
    return may_block();
  }
  may_block();
  const auto is_number = [&](std::uint64_t bits) {
    return words::equal_words(callee.word,
                              constant_word(bits, pointer_width(), callee.word.is_signed));
  };
  std::vector<Term> others = {term::negation(is_number(0))};
  for (const std::uint32_t f : callee.targets.functions) {
    const Term is_it = is_number(model::threads::number_of_function(FunctionId(f)));
    others.push_back(term::negation(is_it));
    call(e, f, is_it);
  }
  if (!callee.targets.is_arbitrary) return;
  Move move = move_on();
  move.guard = term::conjunction(std::move(others));
  emit_special(std::move(move), PointInfo::Kind::Unsupported);
}

void Rebuild::call(const Call& e, std::uint32_t id, const Term& guard) {
  const Function& callee = program_.functions[id];
  if (callee.code.empty()) give_up("a call of " + callee.name + ", which has no body");
  const auto context = contexts_.find({thread_, place_->context + 1, place_->at.value, id});
  if (context == contexts_.end()) object_to("a call of " + callee.name + " that is not listed");
  Move move = move_to(Location(std::size_t{0}));
  move.guard = guard;
  move.context = context->second;
  if (callee.is_atomic) ++move.sections;
  for (std::uint32_t i = 0; i < callee.register_widths.size(); ++i) {
    const std::uint8_t width = callee.register_widths[i];
    const bool is_given = i < callee.parameters && i < e.arguments.size();
    if (i < callee.parameters || register_of(move.context, i) != nullptr)
      set(move, move.context, Register(i),
          is_given ? eval(e.arguments[i], width) : number(0, width));
  }
  emit(std::move(move));
}

void Rebuild::execute(const Return& e) {
  const auto& context = map_.contexts[place_->context];
  if (!context.caller)
    return end_thread(e.values.empty() ? number(0, pointer_width())
                                       : eval(e.values[0], pointer_width()));
  const Function& caller = function_of(*context.caller);
  const auto& instruction = std::get<Call>(caller.code[context.call.index()].effect);
  Move move = move_to(Location(context.call.index() + 1));
  move.context = *context.caller;
  if (function_of(place_->context).is_atomic && move.sections > 0) --move.sections;
  std::erase_if(move.known, [&](const auto& entry) {
    return !entry.first.is_cell && entry.first.context == place_->context;
  });
  for (std::size_t i = 0; i < instruction.to.size(); ++i) {
    const std::uint8_t width = caller.register_widths[instruction.to[i].index()];
    set(move, *context.caller, instruction.to[i],
        i < e.values.size() ? eval(e.values[i], width) : number(0, width));
  }
  emit(std::move(move));
}

void Rebuild::end_thread(const Value& result) {
  Move move = move_on();
  const auto& thread = map_.threads[thread_];
  if (!thread.is_replicated && thread.status)
    write(move, *thread.status, term::constant(base::Integer(2)));
  if (!is_within(result.targets, thread.result_content))
    object_to("the result of a thread may point to something that is not listed");
  if (!thread.is_replicated && thread.result)
    write(move, *thread.result, words::represent(result.word, true).term);
  emit_special(std::move(move), PointInfo::Kind::End);
}

// ---- objects

void Rebuild::execute(const Allocate& e) {
  const std::uint32_t id = allocated(e);
  const auto& object = map_.objects[id];
  const auto size = bits_of(eval(e.size, pointer_width()).word);
  if (object.size && object.size != size) object_to("an object of another size");
  if (!object.size && !object.is_blurred) object_to("an object without a size");
  allocations_[id].emplace_back(thread_, point_);
  Move move = move_on();
  Targets targets;
  targets.objects.push_back(id);
  Value address = number(object.base, pointer_width(), targets);
  if (object.is_summary) {
    address = any(move, pointer_width(), true);
    address.targets = targets;
    move.inputs.back().least = base::Integer(static_cast<unsigned long>(object.base));
    move.inputs.back().greatest =
        move.inputs.back().least +
        base::Integer(static_cast<unsigned long>(model::threads::kSummaryRange));
  }
  begin_object(move, id, e.is_zeroed);
  set(move, place_->context, e.to, address);
  emit(std::move(move));
}

/// What was freed stays as it was: runs that use it end, and have more to do here.
void Rebuild::execute(const Free&) { emit(move_on()); }

void Rebuild::execute(const Lifetime& e) {
  Move move = move_on();
  const Value address = eval(e.address, pointer_width());
  if (e.begins) {
    if (const auto object = object_at(address)) {
      begin_object(move, *object, false);
    } else if (!bits_of(address.word)) {
      if (address.targets.is_arbitrary) give_up("a life that begins at an unknown address");
      for (const std::uint32_t o : address.targets.objects)
        if (!map_.objects[o].is_blurred || !mutexes_of_[o].empty())
          give_up("a life that begins at an address that depends on data");
    }
  }
  emit(std::move(move));
}

void Rebuild::execute(const ObjectSize& e) {
  Move move = move_on();
  const auto object = object_at(eval(e.address, pointer_width()));
  const std::uint8_t width = function_of(place_->context).register_widths[e.to.index()];
  const bool is_known = object && map_.objects[*object].size && !map_.objects[*object].is_summary;
  set(move, place_->context, e.to,
      is_known ? number(*map_.objects[*object].size, width) : any(move, width, true));
  emit(std::move(move));
}

// ---- ends

void Rebuild::execute(const Assume& e) {
  Move move = move_on();
  move.guard = eval(e.condition, 1).word.term;
  emit(std::move(move));
}

void Rebuild::execute(const Fail&) { emit_special(move_on(), PointInfo::Kind::Error); }

void Rebuild::execute(const Exit&) {
  may_block();
  emit_special(move_on(), PointInfo::Kind::End);
}

void Rebuild::execute(const Unsupported&) { emit_special(move_on(), PointInfo::Kind::Unsupported); }

}  // namespace heddle::check::c::covering
