#include <algorithm>

#include "model/c/control_flow.hpp"
#include "transform/c_threads/explorer.hpp"

namespace heddle::transform::c_threads {

using namespace model::c;
using model::threads::PointInfo;
using model::threads::Variable;
using model::threads::VariableId;
using term::Term;

namespace {

Term address_term(std::uint64_t address) {
  return term::constant(base::Integer(static_cast<unsigned long>(address)));
}

Term between(std::uint64_t least, const Term& value, std::uint64_t greatest) {
  return term::conjunction(
      {term::at_most(address_term(least), value), term::at_most(value, address_term(greatest))});
}

}  // namespace

namespace {

/// Whether a function may come back to an instruction without being called again.
bool is_in_loop(const Function& f, Location at) {
  std::set<Location> seen;
  std::vector<Location> work = {at};
  while (!work.empty()) {
    const Location from = work.back();
    work.pop_back();
    for (const Location to : successors(f, from)) {
      if (to == at) return true;
      if (seen.insert(to).second) work.push_back(to);
    }
  }
  return false;
}

}  // namespace

void Explorer::blur(ObjectId object) {
  if (memory_.at(object).is_blurred) return;
  memory_.at(object).is_blurred = true;
  for (const CellId cell : memory_.cells_of(object)) {
    blurred_sets_[object.value].merge(cell_sets_[cell.value]);
    unfollowed_cells_.insert(cell.value);
  }
  change();
}

bool Explorer::overlaps_mutex(ObjectId object, std::uint64_t offset, std::uint64_t bytes,
                              bool writes) {
  bool found = false;
  for (auto& [place, info] : mutexes_) {
    if (place.first != object.value || place.second >= offset + bytes ||
        offset >= place.second + model::threads::kMutexBytes)
      continue;
    found = true;
    if (!writes || info.is_broken) continue;
    info.is_broken = true;
    change();
  }
  return found;
}

Candidate Explorer::candidate_at(ObjectId object, std::uint64_t offset, std::uint8_t bytes) {
  Candidate out;
  out.object = object;
  out.offset = offset;
  if (!memory_.at(object).is_blurred) {
    const std::size_t before = memory_.cells();
    const CellId cell = memory_.cell(object, offset, bytes);
    if (memory_.cells() != before) {
      if (cell_sets_[cell.value].merge(memory_.initial_set(memory_.at(cell)))) change();
      change();
    }
    if (memory_.overlaps_others(object, offset, bytes)) blur(object);
    out.cell = cell;
  }
  if (memory_.at(object).is_blurred) out.cell.reset();
  return out;
}

void Explorer::add_candidates(Candidates& out, ObjectId id, const Term& address,
                              std::uint8_t bytes) {
  const Object object = memory_.at(id);
  if (object.is_blurred) {
    Candidate whole;
    whole.object = id;
    whole.condition = object.is_summary || !object.has_size
                          ? term::at_most(address_term(object.base), address)
                          : between(object.base, address, object.base + object.size);
    out.list.push_back(std::move(whole));
    return;
  }
  const auto places = memory_.places(id, bytes, options_.max_places);
  if (!places) {
    blur(id);
    return add_candidates(out, id, address, bytes);
  }
  std::vector<Term> elsewhere;
  for (const std::uint64_t offset : *places) {
    Candidate candidate = candidate_at(id, offset, bytes);
    if (!candidate.cell) return add_candidates(out, id, address, bytes);
    candidate.condition = term::equal(address, address_term(object.base + offset));
    elsewhere.push_back(term::negation(candidate.condition));
    out.list.push_back(std::move(candidate));
  }
  if (object.size < bytes) return;
  elsewhere.push_back(between(object.base, address, object.base + object.size - bytes));
  out.unknown = term::disjunction({out.unknown, term::conjunction(std::move(elsewhere))});
}

Candidates Explorer::resolve(const Value& address, std::uint8_t bytes) {
  Candidates out;
  if (const auto bits = bits_of(address.word)) {
    const auto object = memory_.find(*bits);
    if (!object) return out;
    if (!memory_.at(*object).has_size) blur(*object);  // which offsets are inside is not known
    const Object& found = memory_.at(*object);
    const std::uint64_t offset = *bits - found.base;
    if (!found.is_summary && found.has_size && offset + bytes > found.size) return out;
    out.list.push_back(candidate_at(*object, offset, bytes));
    out.is_total = true;
    return out;
  }
  const Term term = unsigned_value(address.word);
  for (const std::uint32_t object : address.set.objects)
    add_candidates(out, ObjectId(object), address.word.is_signed ? address.word.term : term, bytes);
  if (address.set.is_arbitrary) {
    std::vector<Term> known;
    for (const Candidate& candidate : out.list) known.push_back(candidate.condition);
    known.push_back(between(0, term, 4095));
    out.unknown =
        term::disjunction({out.unknown, term::negation(term::disjunction(std::move(known)))});
  }
  return out;
}

Term Explorer::access_guard(const Candidates& candidates) {
  if (candidates.is_total) return term::constant(true);
  mark_blocking();
  if (candidates.unknown.op() != term::Operator::Boolean || candidates.unknown.boolean()) {
    Step step = step_on();
    step.guard = candidates.unknown;
    emit_to(std::move(step), special_point(node_, PointInfo::Kind::Unsupported));
  }
  std::vector<Term> conditions;
  for (const Candidate& candidate : candidates.list) conditions.push_back(candidate.condition);
  return term::disjunction(std::move(conditions));
}

VariableId Explorer::cell_variable(CellId id) {
  const auto known = cell_variables_.find(id.value);
  if (known != cell_variables_.end()) return known->second;
  const Cell& cell = memory_.at(id);
  const auto width = static_cast<std::uint8_t>(8 * cell.bytes);
  const VariableId made =
      new_variable(memory_.name_of(cell), width, memory_.is_signed(cell), Variable::Kind::Memory);
  describe_cell(made, id);
  cell_variables_.emplace(id.value, made);
  return made;
}

void Explorer::describe_cell(VariableId id, CellId at) {
  const Cell& cell = memory_.at(at);
  const auto width = static_cast<std::uint8_t>(8 * cell.bytes);
  const bool is_signed = memory_.is_signed(cell);
  Variable& variable = variables_[id.index()];
  const bool is_lock = locks_.contains(at.value);
  variable.kind = is_lock ? Variable::Kind::Owner : Variable::Kind::Memory;
  variable.name = is_lock ? "owner(" + memory_.name_of(cell) + ")" : memory_.name_of(cell);
  variable.least = is_lock ? base::Integer(0) : words::least_of(width, is_signed);
  variable.greatest.reset();
  if (!is_lock) variable.greatest = words::greatest_of(width, is_signed);
  variable.initial = base::Integer(0);
  const auto initial = memory_.initial(cell);
  if (initial)
    variable.initial = constant_word(*initial, width, is_signed).term.integer();
  else if (memory_.at(cell.object).global)
    variable.initial.reset();
}

/// A cell of a global is taken for a lock if it is 0 at first, only 0 and one other constant are
/// stored in it, the latter in an atomic section or by an atomic instruction, and several threads
/// use it. Nothing depends on whether it is one: who changed it from 0 is remembered, that is all.
bool Explorer::find_locks() {
  bool found = false;
  for (const std::uint32_t id : tested_and_set_) {
    const Cell& cell = memory_.at(CellId(id));
    const Object& object = memory_.at(cell.object);
    const auto& values = stored_values_[id];
    const auto& users = cell_users_[id];
    const bool is_shared =
        users.size() > 1 || (users.size() == 1 && threads_[*users.begin()].is_replicated);
    if (locks_.contains(id) || not_locks_.contains(id) || stored_others_.contains(id)) continue;
    if (!object.global || object.owner || object.is_blurred || !is_shared) continue;
    if (memory_.initial(cell) != 0 || values.size() != 2 || !values.contains(0)) continue;
    locks_.emplace(id, *values.rbegin());
    describe_cell(cell_variable(CellId(id)), CellId(id));
    found = true;
  }
  return found;
}

Value Explorer::load_cell(Step& step, const Candidate& candidate, std::uint8_t bytes,
                          bool is_wanted) {
  const auto width = static_cast<std::uint8_t>(8 * bytes);
  if (!candidate.cell) {
    step.is_abstract = true;
    Value value = any(step, width, true);
    value.set.merge(blurred_sets_[candidate.object.value]);
    return value;
  }
  const CellId id = *candidate.cell;
  const Cell& cell = memory_.at(id);
  if (overlaps_mutex(cell.object, cell.offset, bytes, false)) {
    step.is_abstract = true;
    return any(step, width, true);
  }
  if (is_wanted && wanted_cells_.insert(id.value).second) change();
  const auto known = node_.constants.find({true, 0, id.value});
  if (known != node_.constants.end()) {
    Value value = number(known->second, width);
    if (cell_sets_[id.value].is_plain()) value.set = {};
    return value;
  }
  cell_users_[id.value].insert(node_.thread);
  const auto initial = memory_.initial(cell);
  if (initial && !stored_cells_.contains(id.value)) return number(*initial, width);
  const VariableId variable = cell_variable(id);
  const bool is_signed = memory_.is_signed(cell);
  const Term& term = variables_[variable.index()].term;
  if (const auto lock = locks_.find(id.value); lock != locks_.end())
    return {{term::choice(term::equal(term, address_term(0)), address_term(0),
                          constant_word(lock->second, width, is_signed).term),
             width, is_signed},
            {}};
  return {{term, width, is_signed}, cell_sets_[id.value]};
}

Value Explorer::load(Step& step, const Candidates& candidates, std::uint8_t bytes, bool is_signed,
                     bool is_wanted) {
  const auto width = static_cast<std::uint8_t>(8 * bytes);
  if (candidates.list.empty()) return {constant_word(0, width, is_signed), {}};
  Value result = load_cell(step, candidates.list.front(), bytes, is_wanted);
  if (candidates.list.size() == 1) return result;
  result.word = represent(result.word, is_signed);
  for (std::size_t i = 1; i < candidates.list.size(); ++i) {
    const Value other = load_cell(step, candidates.list[i], bytes, false);
    result.set.merge(other.set);
    result.word.term = term::choice(candidates.list[i].condition,
                                    represent(other.word, is_signed).term, result.word.term);
  }
  return result;
}

void Explorer::store(Step& step, const Candidates& candidates, std::uint8_t bytes,
                     const Value& value, const Term& condition) {
  const auto width = static_cast<std::uint8_t>(8 * bytes);
  for (const Candidate& candidate : candidates.list) {
    if (!candidate.cell) {
      step.is_abstract = true;
      if (blurred_sets_[candidate.object.value].merge(value.set)) change();
      const std::uint64_t all = memory_.at(candidate.object).size;
      overlaps_mutex(candidate.object, candidate.offset.value_or(0),
                     candidate.offset ? bytes : std::max<std::uint64_t>(all, 1 << 20), true);
      continue;
    }
    const CellId id = *candidate.cell;
    const Cell& cell = memory_.at(id);
    overlaps_mutex(cell.object, cell.offset, bytes, true);
    cell_users_[id.value].insert(node_.thread);
    if (stored_cells_.insert(id.value).second) change();
    if (cell_sets_[id.value].merge(value.set)) change();
    const VariableId variable = cell_variable(id);
    const bool is_signed = memory_.is_signed(cell);
    const Word word = value.word.width == width ? represent(value.word, is_signed)
                                                : resize(value.word, width, is_signed);
    const Term when = term::conjunction({candidate.condition, condition});
    const bool is_certain = when.op() == term::Operator::Boolean && when.boolean();
    const Slot slot{true, 0, id.value};
    step.next.constants.erase(slot);
    const auto bits = bits_of(word);
    if (bits)
      stored_values_[id.value].insert(*bits);
    else
      stored_others_.insert(id.value);
    const bool is_atomic =
        node_.sections > 0 || !std::holds_alternative<Store>(instruction_->effect);
    if (bits && *bits != 0 && is_atomic) tested_and_set_.insert(id.value);
    const auto [writer, is_first] = cell_writers_[id.value].emplace(current_, bits);
    if (!is_first && writer->second != bits) writer->second.reset();
    if (is_certain && bits && wanted_cells_.contains(id.value) &&
        !unfollowed_cells_.contains(id.value)) {
      step.next.constants.emplace(slot, *bits);
      followers_[id.value].insert(node_.thread);
    }
    const Term& before = variables_[variable.index()].term;
    Term after = word.term;
    if (const auto lock = locks_.find(id.value); lock != locks_.end()) {
      if (!bits || (*bits != 0 && *bits != lock->second)) {
        locks_.erase(lock);
        not_locks_.insert(id.value);
        describe_cell(variable, id);
        return change();
      }
      after = *bits == 0 ? address_term(0)
                         : term::choice(term::equal(before, address_term(0)), self(), before);
    }
    step.assignments.push_back({variable, term::choice(when, after, before)});
  }
}

/// Larger objects have no size, as if it depended on data: addresses here are small numbers.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 26;

ObjectId Explorer::allocated_object(const Allocate& e, std::uint64_t size) {
  const bool is_stack = e.where == Allocate::Where::Stack;
  const std::string key = std::string(is_stack ? "stack " : "heap ") +
                          std::to_string(node_.context) + " " + std::to_string(node_.at.value);
  Object properties;
  properties.name = e.name;
  if (e.name.empty())
    properties.name = "malloc@" + std::to_string(instruction_->position.line);
  else
    properties.name = function().name + "." + e.name;
  properties.size = size;
  properties.type = e.type;
  properties.owner = node_.thread;
  properties.allocation = {node_.context, node_.at};
  properties.is_heap = !is_stack;
  const bool fits = size <= kMostBytes;
  if (!fits) properties.size = 0;
  const ObjectId object = memory_.object(key, properties);
  if (!fits) memory_.at(object).has_size = false;
  if (is_stack && !memory_.at(object).is_summary && is_in_loop(function(), node_.at)) {
    memory_.at(object).is_summary = true;
    blur(object);
  }
  if (!is_stack) {
    allocations_[key].insert(current_);
    const bool is_many = repeated_allocations_.contains(key);
    if (is_many && !memory_.at(object).is_summary) {
      memory_.at(object).is_summary = true;
      blur(object);
      change();
    }
  }
  return object;
}

// ---- instructions

void Explorer::execute(const Load& e) {
  const Candidates candidates = resolve(eval(e.address, pointer_width()), e.bytes);
  Step step = step_on();
  step.guard = access_guard(candidates);
  if (candidates.list.empty()) return;
  const bool is_signed =
      facts_.functions[contexts_[node_.context].function.index()].is_signed[e.to.index()];
  set(step, node_.context, e.to,
      load(step, candidates, e.bytes, is_signed, is_followed(node_.context, e.to)));
  emit(std::move(step));
}

void Explorer::execute(const Store& e) {
  const Candidates candidates = resolve(eval(e.address, pointer_width()), e.bytes);
  Step step = step_on();
  step.guard = access_guard(candidates);
  if (candidates.list.empty()) return;
  store(step, candidates, e.bytes, eval(e.value, static_cast<std::uint8_t>(8 * e.bytes)));
  emit(std::move(step));
}

void Explorer::execute(const ReadModifyWrite& e) {
  using Operation = ReadModifyWrite::Operation;
  const auto width = static_cast<std::uint8_t>(8 * e.bytes);
  const Candidates candidates = resolve(eval(e.address, pointer_width()), e.bytes);
  Step step = step_on();
  step.guard = access_guard(candidates);
  if (candidates.list.empty()) return;
  const Value old = load(step, candidates, e.bytes, true, is_followed(node_.context, e.to));
  const Value operand = eval(e.value, width);
  std::optional<Value> result;
  Compute c;
  c.width = c.to_width = width;
  const auto compare = [&](Operator op, bool takes_old_if) {
    c.op = op;
    const auto less = words::compute(c, old.word, operand.word, operand.word, false);
    Value chosen = old;
    chosen.set.merge(operand.set);
    const Word a = represent(takes_old_if ? old.word : operand.word, true);
    const Word b = represent(takes_old_if ? operand.word : old.word, true);
    chosen.word = {term::choice(less->term, a.term, b.term), width, true};
    return chosen;
  };
  switch (e.operation) {
    case Operation::Exchange: result = operand; break;
    case Operation::Add: c.op = Operator::Add; break;
    case Operation::Sub: c.op = Operator::Sub; break;
    case Operation::And: c.op = Operator::And; break;
    case Operation::Or: c.op = Operator::Or; break;
    case Operation::Xor: c.op = Operator::Xor; break;
    case Operation::Min: result = compare(Operator::SLt, true); break;
    case Operation::Max: result = compare(Operator::SLt, false); break;
    case Operation::UMin: result = compare(Operator::ULt, true); break;
    case Operation::UMax: result = compare(Operator::ULt, false); break;
    case Operation::Nand: break;
  }
  if (!result && e.operation != Operation::Nand)
    result = compute_value(c, old, operand, operand, old.word.is_signed);
  if (!result) {
    step.is_abstract = true;
    result = any(step, width, true);
  }
  store(step, candidates, e.bytes, *result);
  set(step, node_.context, e.to, old);
  emit(std::move(step));
}

void Explorer::execute(const CompareExchange& e) {
  const auto width = static_cast<std::uint8_t>(8 * e.bytes);
  const Candidates candidates = resolve(eval(e.address, pointer_width()), e.bytes);
  Step step = step_on();
  step.guard = access_guard(candidates);
  if (candidates.list.empty()) return;
  const Value old = load(step, candidates, e.bytes, true, is_followed(node_.context, e.old));
  const Value expected = eval(e.expected, width);
  Term succeeds = is_comparable(old, expected) ? equal_words(old.word, expected.word)
                                               : any(step, 1, false).word.term;
  if (e.may_fail) succeeds = term::conjunction({succeeds, any(step, 1, false).word.term});
  store(step, candidates, e.bytes, eval(e.desired, width), succeeds);
  set(step, node_.context, e.old, old);
  set(step, node_.context, e.success, {{succeeds, 1, false}, {}});
  emit(std::move(step));
}

}  // namespace heddle::transform::c_threads
