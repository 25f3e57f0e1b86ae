#include <algorithm>

#include "check/c/covering_parts.hpp"

/// Values. The word of a register in the C program and its number here belong together if both are
/// the same plain number, or if the word is an address in an object and the number the invented
/// address of the same place. An operation is written down exactly where it respects that, and
/// gives any value otherwise:
///
///   - two addresses are equal iff their numbers are, unless one may be a plain number (it might
///     happen to be the address), or both may be addresses in an object that stands for many;
///     numbers below 4096 are never addresses;
///   - the numbers of handles say nothing: threads that have ended are forgotten, and their
///     handles used again;
///   - addresses in one object are ordered, and have distances, as in C;
///   - the sum of two addresses is no address: their distance to one would be the number of
///   another.

namespace heddle::check::c::covering {

using namespace model::c;
using model::threads::Input;
using model::threads::kFirstFunctionNumber;
using model::threads::kObjectNumbersEnd;
using term::Term;
using words::bits_of;
using words::constant_word;
using words::Word;

namespace {

constexpr std::uint64_t kNeverAnAddress = 4096;

bool is_small(const Value& value) {
  const auto bits = bits_of(value.word);
  return bits && *bits < kNeverAnAddress;
}

void unite(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& more) {
  std::vector<std::uint32_t> both;
  std::ranges::set_union(into, more, std::back_inserter(both));
  into = std::move(both);
}

bool is_one_object(const Targets& a, const Targets& b) {
  return a.objects == b.objects && a.objects.size() == 1 && !a.is_arbitrary && !b.is_arbitrary &&
         a.functions.empty() && b.functions.empty() && a.handles.empty() && b.handles.empty();
}

}  // namespace

bool is_plain(const Targets& targets) {
  return targets.objects.empty() && targets.functions.empty() && targets.handles.empty();
}

Targets united(const Targets& a, const Targets& b) {
  Targets out = a;
  out.is_arbitrary = a.is_arbitrary || b.is_arbitrary;
  unite(out.objects, b.objects);
  unite(out.functions, b.functions);
  unite(out.handles, b.handles);
  return out;
}

bool is_within(const Targets& inner, const Targets& outer) {
  return (!inner.is_arbitrary || outer.is_arbitrary) &&
         std::ranges::includes(outer.objects, inner.objects) &&
         std::ranges::includes(outer.functions, inner.functions) &&
         std::ranges::includes(outer.handles, inner.handles);
}

Targets arbitrary() {
  Targets out;
  out.is_arbitrary = true;
  return out;
}

const Function& Rebuild::function_of(std::uint32_t context) const {
  return program_.functions[map_.contexts[context].function.index()];
}

const model::threads::Covering::Register* Rebuild::register_of(std::uint32_t context,
                                                               std::uint32_t reg) const {
  const auto found = registers_.find({context, reg});
  return found == registers_.end() ? nullptr : &map_.registers[found->second];
}

bool Rebuild::is_signed(std::uint32_t context, Register reg) const {
  const auto* known = register_of(context, reg.value);
  return known == nullptr || known->is_signed;
}

Term Rebuild::read(std::uint32_t variable) const {
  const auto& owner = map_.variables[variable].owner;
  if (owner && *owner != thread_)
    object_to("reads " + map_.variables[variable].symbol + ", a local of another thread");
  return made_.variables[variable].term;
}

void Rebuild::write(Move& move, std::uint32_t variable, const Term& value) const {
  const auto& owner = map_.variables[variable].owner;
  if (owner && *owner != thread_ && owner != created_)
    object_to("writes " + map_.variables[variable].symbol + ", a local of another thread");
  move.assignments.insert_or_assign(variable, value);
}

Value Rebuild::number(std::uint64_t bits, std::uint8_t width, Targets targets) const {
  return {constant_word(bits, width, true), std::move(targets)};
}

Value Rebuild::any(Move& move, std::uint8_t width, bool is_signed) {
  const Term term = term::variable("input!" + std::to_string(inputs_++),
                                   width == 1 ? term::Sort::Boolean : term::Sort::Integer);
  Input input{term, 0, 0};
  if (width > 1) {
    input.least = words::least_of(width, is_signed);
    input.greatest = words::greatest_of(width, is_signed);
  }
  move.inputs.push_back(std::move(input));
  return {{term, width, is_signed}, arbitrary()};
}

Targets Rebuild::narrowed(const Targets& targets, std::uint64_t bits) const {
  Targets out;
  if (is_plain(targets) || bits < kNeverAnAddress) return out;
  for (const std::uint32_t o : targets.objects) {
    const auto& object = map_.objects[o];
    const bool is_inside = bits >= object.base && object.size && bits <= object.base + *object.size;
    if (!is_inside || object.is_summary) continue;
    out.objects.push_back(o);
    return out;
  }
  for (const std::uint32_t f : targets.functions)
    if (bits == model::threads::number_of_function(FunctionId(f))) out.functions.push_back(f);
  for (const std::uint32_t h : targets.handles)
    if (bits == map_.threads[h].handle) out.handles.push_back(h);
  return is_plain(out) ? targets : out;
}

Value Rebuild::eval(const Operand& operand, std::uint8_t width) {
  switch (operand.kind) {
    case Operand::Kind::Constant: return number(operand.value, width);
    case Operand::Kind::Register: {
      const Register reg(operand.index);
      const std::uint8_t own = function_of(place_->context).register_widths[reg.index()];
      const auto* known = register_of(place_->context, reg.value);
      const Targets targets = known != nullptr ? known->content : Targets{};
      const bool sign = is_signed(place_->context, reg);
      const auto constant = known_.find({false, place_->context, reg.value});
      const bool is_known = constant != known_.end();
      const auto term = [&]() -> Word {
        if (is_known) return constant_word(constant->second, own, sign);
        if (known != nullptr && known->variable) return {read(*known->variable), own, sign};
        return any(extra_, own, sign).word;
      };
      Value value{term(), is_known ? narrowed(targets, constant->second) : targets};
      if (own != width) value.word = words::resize(value.word, width, value.word.is_signed);
      return value;
    }
    case Operand::Kind::Function: {
      Targets targets;
      targets.functions.push_back(operand.index);
      if (width != pointer_width()) give_up("a function's address in a word of another size");
      return number(model::threads::number_of_function(FunctionId(operand.index)), width, targets);
    }
    case Operand::Kind::Global: break;
  }
  const bool is_local = program_.globals[operand.index].is_thread_local;
  const auto found =
      globals_.find({operand.index, is_local ? std::optional(thread_) : std::nullopt});
  if (found == globals_.end()) object_to("a global without an object");
  if (width != pointer_width()) give_up("an address in a word of another size");
  Targets targets;
  targets.objects.push_back(found->second);
  return number(map_.objects[found->second].base + operand.value, width, targets);
}

void Rebuild::check_number(const Value& value, const Targets& content) const {
  const auto bits = bits_of(value.word);
  if (bits && is_plain(value.targets) && !is_plain(content) && *bits >= kFirstFunctionNumber &&
      *bits < kObjectNumbersEnd)
    give_up("a number that is also an invented address");
}

void Rebuild::set(Move& move, std::uint32_t context, Register reg, const Value& value) {
  const auto* target = register_of(context, reg.value);
  const Function& f = function_of(context);
  if (!is_within(value.targets, target != nullptr ? target->content : Targets{}))
    object_to("register " + std::to_string(reg.value) + " of " + f.name +
              " may point to something that is not listed");
  if (target != nullptr) check_number(value, target->content);
  const std::uint8_t width = f.register_widths[reg.index()];
  const bool sign = is_signed(context, reg);
  const Word word = value.word.width == width ? words::represent(value.word, sign)
                                              : words::resize(value.word, width, sign);
  const Slot slot{false, context, reg.value};
  if (target != nullptr && target->variable) move.assignments.erase(*target->variable);
  if (const auto bits = bits_of(word)) {
    move.known.insert_or_assign(slot, *bits);
    return;
  }
  move.known.erase(slot);
  if (target != nullptr && target->variable) write(move, *target->variable, word.term);
}

bool Rebuild::is_comparable(const Value& a, const Value& b) const {
  if (is_plain(a.targets) && is_plain(b.targets)) return true;
  if (is_small(a) || is_small(b)) {
    const Value& small = is_small(a) ? a : b;
    const Value& other = is_small(a) ? b : a;
    return other.targets.handles.empty() || bits_of(small.word) == std::uint64_t{0};
  }
  if (!a.targets.handles.empty() || !b.targets.handles.empty()) return false;
  if (a.targets.is_arbitrary || b.targets.is_arbitrary) return false;
  if (is_plain(a.targets) || is_plain(b.targets)) return false;
  return std::ranges::none_of(a.targets.objects, [&](std::uint32_t o) {
    return stands_for_many(o) && std::ranges::binary_search(b.targets.objects, o);
  });
}

/// Where the result of an operation on addresses points to; none: any number.
std::optional<Targets> Rebuild::targets_of(const Compute& e, const Value& a, const Value& b,
                                           const Value& c) const {
  const bool same =
      is_one_object(a.targets, b.targets) && !stands_for_many(a.targets.objects.front());
  switch (e.op) {
    case Operator::Copy: return a.targets;
    case Operator::Select: return united(b.targets, c.targets);
    case Operator::Eq:
    case Operator::Ne: return is_comparable(a, b) ? std::optional(Targets{}) : std::nullopt;
    case Operator::ULt:
    case Operator::ULe:
    case Operator::SLt:
    case Operator::SLe: return same ? std::optional(Targets{}) : std::nullopt;
    case Operator::Sub:
      if (!is_plain(b.targets)) return same ? std::optional(Targets{}) : std::nullopt;
      [[fallthrough]];
    case Operator::Add: {
      if (!is_plain(a.targets) && !is_plain(b.targets)) return std::nullopt;
      Targets out = united(a.targets, b.targets);
      if (!out.handles.empty()) return std::nullopt;
      out.is_arbitrary = (a.targets.is_arbitrary || is_plain(a.targets)) &&
                         (b.targets.is_arbitrary || is_plain(b.targets));
      return out;
    }
    default: return std::nullopt;
  }
}

/// None: any value.
std::optional<Value> Rebuild::computed(const Compute& e, const Value& a, const Value& b,
                                       const Value& c, bool is_signed) const {
  const bool plain = is_plain(a.targets) && is_plain(b.targets) && is_plain(c.targets);
  std::optional<Targets> targets = Targets{};
  if (!plain) targets = targets_of(e, a, b, c);
  if (!targets) return std::nullopt;
  const std::optional<Word> word = words::compute(e, a.word, b.word, c.word, is_signed);
  if (!word) return std::nullopt;
  if (is_plain(*targets)) {
    const bool copies = e.op == Operator::Copy || e.op == Operator::Select;
    targets->is_arbitrary = a.targets.is_arbitrary || b.targets.is_arbitrary ||
                            c.targets.is_arbitrary || (!bits_of(*word) && !copies);
  }
  return Value{*word, *targets};
}

}  // namespace heddle::check::c::covering
