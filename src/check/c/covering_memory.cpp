#include <algorithm>

#include "check/c/covering_parts.hpp"

/// Memory. An access falls into a cell of an object that is listed for its address, or into an
/// object that is blurred; the semantics ends a run at any other place. An address that may be a
/// plain number might be any address: such an access leads to a point of kind Unsupported, and so
/// does one inside an object at no cell of it.

namespace heddle::check::c::covering {

using namespace model::c;
using model::threads::kMutexBytes;
using model::threads::kSummaryRange;
using model::threads::PointInfo;
using term::Term;
using words::bits_of;
using words::Word;

namespace {

constexpr std::uint64_t kNullPage = 4096;

Term address_term(std::uint64_t address) {
  return term::constant(base::Integer(static_cast<unsigned long>(address)));
}

}  // namespace

std::optional<std::uint32_t> Rebuild::find_cell(std::uint32_t object, std::uint64_t offset,
                                                std::uint8_t bytes) const {
  const auto found = cells_.find({object, offset, bytes});
  return found == cells_.end() ? std::nullopt : std::optional(found->second);
}

void Rebuild::add_targets(Access& out, std::uint32_t id, const Term& address,
                          std::uint8_t bytes) const {
  const auto& object = map_.objects[id];
  const Term from = term::at_most(address_term(object.base), address);
  if (object.is_blurred) {
    const bool is_bounded = object.size && !object.is_summary;
    const Term to = is_bounded ? term::at_most(address, address_term(object.base + *object.size))
                               : term::constant(true);
    out.list.push_back({term::conjunction({from, to}), id, std::nullopt, std::nullopt});
    return;
  }
  if (!object.size || *object.size < bytes) return;
  std::vector<Term> elsewhere = {
      from, term::at_most(address, address_term(object.base + *object.size - bytes))};
  for (const std::uint32_t c : cells_of_[id]) {
    if (map_.cells[c].bytes != bytes) continue;
    const Term there = term::equal(address, address_term(object.base + map_.cells[c].offset));
    elsewhere.push_back(term::negation(there));
    out.list.push_back({there, id, c, map_.cells[c].offset});
  }
  out.elsewhere = term::disjunction({out.elsewhere, term::conjunction(std::move(elsewhere))});
}

Access Rebuild::access(const Value& address, std::uint8_t bytes) const {
  Access out;
  if (const auto bits = bits_of(address.word)) {
    for (const std::uint32_t id : address.targets.objects) {
      const auto& object = map_.objects[id];
      if (*bits < object.base ||
          (object.size && *bits + bytes > object.base + *object.size && !object.is_summary))
        continue;
      if (object.is_blurred) {
        out.list.push_back({term::constant(true), id, std::nullopt, *bits - object.base});
      } else {
        const auto cell = find_cell(id, *bits - object.base, bytes);
        if (!cell) object_to("an access at no cell of object " + std::to_string(id));
        out.list.push_back({term::constant(true), id, cell, *bits - object.base});
      }
      out.is_certain = true;
      return out;
    }
    const bool is_address = !is_plain(address.targets) && !address.targets.is_arbitrary;
    if (*bits >= kNullPage && !is_address) give_up("an access at a number");
    return out;
  }
  const Term term =
      address.word.is_signed ? address.word.term : words::unsigned_value(address.word);
  for (const std::uint32_t id : address.targets.objects) add_targets(out, id, term, bytes);
  if (address.targets.is_arbitrary) {
    std::vector<Term> placed;
    for (const Target& target : out.list) placed.push_back(target.condition);
    placed.push_back(term::conjunction(
        {term::at_most(address_term(0), term), term::at_most(term, address_term(kNullPage - 1))}));
    out.elsewhere =
        term::disjunction({out.elsewhere, term::negation(term::disjunction(std::move(placed)))});
  }
  return out;
}

Term Rebuild::guard_of(const Access& access) {
  if (access.is_certain) return term::constant(true);
  may_block();
  if (access.elsewhere.op() != term::Operator::Boolean || access.elsewhere.boolean()) {
    Move move = move_on();
    move.guard = access.elsewhere;
    emit_special(std::move(move), PointInfo::Kind::Unsupported);
  }
  std::vector<Term> conditions;
  for (const Target& target : access.list) conditions.push_back(target.condition);
  return term::disjunction(std::move(conditions));
}

const model::threads::Covering::Mutex* Rebuild::mutex_over(
    const model::threads::Covering::Cell& cell) const {
  for (const std::uint32_t m : mutexes_of_[cell.object]) {
    const auto& mutex = map_.mutexes[m];
    if (mutex.offset < cell.offset + cell.bytes && cell.offset < mutex.offset + kMutexBytes)
      return &mutex;
  }
  return nullptr;
}

Value Rebuild::load_one(Move& move, const Target& target, std::uint8_t bytes) {
  const auto width = static_cast<std::uint8_t>(8 * bytes);
  if (!target.cell) {
    Value value = any(move, width, true);
    value.targets = united(value.targets, map_.objects[target.object].content);
    return value;
  }
  const auto& cell = map_.cells[*target.cell];
  if (mutex_over(cell) != nullptr) return any(move, width, true);
  const auto known = known_.find({true, 0, *target.cell});
  if (known != known_.end())
    return number(known->second, width, narrowed(cell.content, known->second));
  if (cell.is_constant) {
    Targets targets;
    const auto word = initial_word(cell, &targets);
    if (!word) object_to("a constant without a value");
    return number(*word, width, targets);
  }
  if (!cell.variable) {
    Value value = any(move, width, cell.is_signed);
    value.targets = cell.content;
    return value;
  }
  if (cell.lock_value)
    return {{term::choice(term::equal(read(*cell.variable), address_term(0)), address_term(0),
                          words::constant_word(*cell.lock_value, width, cell.is_signed).term),
             width, cell.is_signed},
            cell.content};
  return {{read(*cell.variable), width, cell.is_signed}, cell.content};
}

Value Rebuild::load(Move& move, const Access& access, std::uint8_t bytes, bool is_signed) {
  Value result = load_one(move, access.list.front(), bytes);
  if (access.list.size() == 1) return result;
  result.word = words::represent(result.word, is_signed);
  for (std::size_t i = 1; i < access.list.size(); ++i) {
    const Value other = load_one(move, access.list[i], bytes);
    result.targets = united(result.targets, other.targets);
    result.word.term = term::choice(access.list[i].condition,
                                    words::represent(other.word, is_signed).term, result.word.term);
  }
  return result;
}

void Rebuild::store_cell(Move& move, std::uint32_t id, const Value& value, const Term& when) {
  const auto& cell = map_.cells[id];
  if (cell.is_constant) object_to("a write to a cell that is listed as constant");
  if (!is_within(value.targets, cell.content))
    object_to("a cell may point to something that is not listed");
  check_number(value, cell.content);
  if (const auto* mutex = mutex_over(cell); mutex != nullptr && !mutex->is_broken)
    object_to("a write to the bytes of a mutex");
  const auto width = static_cast<std::uint8_t>(8 * cell.bytes);
  const Word word = value.word.width == width ? words::represent(value.word, cell.is_signed)
                                              : words::resize(value.word, width, cell.is_signed);
  const bool is_certain = when.op() == term::Operator::Boolean && when.boolean();
  const auto bits = bits_of(word);
  const Slot slot{true, 0, id};
  move.known.erase(slot);
  if (is_certain && bits) move.known.emplace(slot, *bits);
  // Whether a store that is conditional happens, it writes this value.
  writes_[id].push_back({thread_, point_, bits});
  if (!cell.variable) return;
  Term after = word.term;
  if (cell.lock_value) {
    // Who changes it from 0 holds it; setting it again changes nothing.
    if (!bits || (*bits != 0 && *bits != *cell.lock_value)) object_to("a lock gets another value");
    const Term is_free = term::equal(read(*cell.variable), address_term(0));
    after = *bits == 0 ? address_term(0) : term::choice(is_free, self(), read(*cell.variable));
  }
  write(move, *cell.variable, is_certain ? after : term::choice(when, after, read(*cell.variable)));
}

void Rebuild::store(Move& move, const Access& access, std::uint8_t bytes, const Value& value,
                    const Term& condition) {
  for (const Target& target : access.list) {
    if (target.cell) {
      if (map_.cells[*target.cell].bytes != bytes) object_to("a cell of another width");
      store_cell(move, *target.cell, value, term::conjunction({target.condition, condition}));
      continue;
    }
    if (!is_within(value.targets, map_.objects[target.object].content))
      object_to("a blurred object may hold something that is not listed");
    for (const std::uint32_t m : mutexes_of_[target.object]) {
      const auto& mutex = map_.mutexes[m];
      const bool is_beside = target.offset && (*target.offset + bytes <= mutex.offset ||
                                               mutex.offset + kMutexBytes <= *target.offset);
      if (!mutex.is_broken && !is_beside) object_to("a write to an object with a mutex");
    }
  }
}

/// The object is new, or its life begins again.
void Rebuild::begin_object(Move& move, std::uint32_t id, bool is_zeroed) {
  for (const std::uint32_t m : mutexes_of_[id])
    for (const auto& variable : {map_.mutexes[m].owner, map_.mutexes[m].depth})
      if (variable && !map_.mutexes[m].is_broken) write(move, *variable, address_term(0));
  for (const std::uint32_t c : cells_of_[id]) {
    const auto& cell = map_.cells[c];
    const auto width = static_cast<std::uint8_t>(8 * cell.bytes);
    if (mutex_over(cell) != nullptr) continue;  // is never read
    store_cell(move, c, is_zeroed ? number(0, width) : any(move, width, cell.is_signed),
               term::constant(true));
  }
}

std::uint32_t Rebuild::allocated(const Allocate&) const {
  const auto found = allocated_.find({thread_, place_->context, place_->at.value});
  if (found == allocated_.end()) object_to("an allocation without an object");
  return found->second;
}

std::optional<std::uint32_t> Rebuild::object_at(const Value& address) const {
  const auto bits = bits_of(address.word);
  if (!bits) return std::nullopt;
  for (const std::uint32_t o : address.targets.objects)
    if (map_.objects[o].base == *bits) return o;
  return std::nullopt;
}

std::optional<std::uint64_t> Rebuild::initial_word(const model::threads::Covering::Cell& cell,
                                                   Targets* targets) const {
  using Kind = model::threads::Covering::Object::Kind;
  const auto& object = map_.objects[cell.object];
  if (object.kind != Kind::Global && object.kind != Kind::ThreadLocal) return std::nullopt;
  const Global& global = program_.globals[object.global];
  if (global.is_extern) return std::nullopt;
  for (const Relocation& relocation : global.relocations) {
    if (relocation.offset + program_.pointer_bytes <= cell.offset ||
        cell.offset + cell.bytes <= relocation.offset)
      continue;
    if (relocation.offset != cell.offset || cell.bytes != program_.pointer_bytes)
      give_up("a part of an address in an initial value");
    if (relocation.target.kind == Operand::Kind::Function) {
      if (targets != nullptr) targets->functions.push_back(relocation.target.index);
      return model::threads::number_of_function(FunctionId(relocation.target.index));
    }
    const auto target = globals_.find({relocation.target.index, std::nullopt});
    if (target == globals_.end()) object_to("a global without an object");
    if (targets != nullptr) targets->objects.push_back(target->second);
    return map_.objects[target->second].base + relocation.target.value;
  }
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < cell.bytes && cell.offset + i < global.initial.size(); ++i)
    value |= std::uint64_t{global.initial[cell.offset + i]} << (8U * i);
  return value;
}

// ---- instructions

void Rebuild::execute(const Load& e) {
  const Access where = access(eval(e.address, pointer_width()), e.bytes);
  Move move = move_on();
  move.guard = guard_of(where);
  if (where.list.empty()) return may_block();
  set(move, place_->context, e.to, load(move, where, e.bytes, is_signed(place_->context, e.to)));
  emit(std::move(move));
}

void Rebuild::execute(const Store& e) {
  const Access where = access(eval(e.address, pointer_width()), e.bytes);
  Move move = move_on();
  move.guard = guard_of(where);
  if (where.list.empty()) return may_block();
  store(move, where, e.bytes, eval(e.value, static_cast<std::uint8_t>(8 * e.bytes)));
  emit(std::move(move));
}

namespace {

/// The arithmetic operation that computes what is written; none for the others.
std::optional<Operator> operator_of(ReadModifyWrite::Operation operation) {
  using Operation = ReadModifyWrite::Operation;
  switch (operation) {
    case Operation::Add: return Operator::Add;
    case Operation::Sub: return Operator::Sub;
    case Operation::And: return Operator::And;
    case Operation::Or: return Operator::Or;
    case Operation::Xor: return Operator::Xor;
    case Operation::Exchange:
    case Operation::Nand:
    case Operation::Max:
    case Operation::Min:
    case Operation::UMax:
    case Operation::UMin: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

/// What an atomic operation writes.
Value Rebuild::modified(Move& move, const ReadModifyWrite& e, const Value& old,
                        const Value& operand) {
  using Operation = ReadModifyWrite::Operation;
  const auto width = static_cast<std::uint8_t>(8 * e.bytes);
  if (e.operation == Operation::Exchange) return operand;
  if (const auto op = operator_of(e.operation)) {
    Compute c;
    c.op = *op;
    c.width = c.to_width = width;
    const auto result = computed(c, old, operand, operand, old.word.is_signed);
    return result ? *result : any(move, width, true);
  }
  const bool is_plain_choice = is_plain(old.targets) && is_plain(operand.targets);
  if (e.operation == Operation::Nand || !is_plain_choice) return any(move, width, true);
  const bool is_unsigned = e.operation == Operation::UMax || e.operation == Operation::UMin;
  const bool is_least = e.operation == Operation::Min || e.operation == Operation::UMin;
  const auto value = [&](const Value& v) {
    return is_unsigned ? words::unsigned_value(v.word) : words::signed_value(v.word);
  };
  const Term is_less = term::negation(term::at_most(value(operand), value(old)));
  const Word a = words::represent(is_least ? old.word : operand.word, true);
  const Word b = words::represent(is_least ? operand.word : old.word, true);
  const Word chosen{term::choice(is_less, a.term, b.term), width, true};
  return {chosen, united(old.targets, operand.targets)};
}

void Rebuild::execute(const ReadModifyWrite& e) {
  const Access where = access(eval(e.address, pointer_width()), e.bytes);
  Move move = move_on();
  move.guard = guard_of(where);
  if (where.list.empty()) return may_block();
  const Value old = load(move, where, e.bytes, true);
  const Value operand = eval(e.value, static_cast<std::uint8_t>(8 * e.bytes));
  store(move, where, e.bytes, modified(move, e, old, operand));
  set(move, place_->context, e.to, old);
  emit(std::move(move));
}

void Rebuild::execute(const CompareExchange& e) {
  const auto width = static_cast<std::uint8_t>(8 * e.bytes);
  const Access where = access(eval(e.address, pointer_width()), e.bytes);
  Move move = move_on();
  move.guard = guard_of(where);
  if (where.list.empty()) return may_block();
  const Value old = load(move, where, e.bytes, true);
  const Value expected = eval(e.expected, width);
  Term succeeds = is_comparable(old, expected) ? words::equal_words(old.word, expected.word)
                                               : any(move, 1, false).word.term;
  if (e.may_fail) succeeds = term::conjunction({succeeds, any(move, 1, false).word.term});
  store(move, where, e.bytes, eval(e.desired, width), succeeds);
  set(move, place_->context, e.old, old);
  set(move, place_->context, e.success, {{succeeds, 1, false}, {}});
  emit(std::move(move));
}

}  // namespace heddle::check::c::covering
