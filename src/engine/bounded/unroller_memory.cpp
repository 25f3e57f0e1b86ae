#include <algorithm>

#include "engine/bounded/unroller.hpp"

namespace heddle::engine::bounded {

using model::c::Region;

namespace {

/// An access at a computed address is encoded for so many offsets of an object.
constexpr std::uint64_t kMostOffsets = 4096;
/// Objects of more bytes are allocated only if they are not accessed at computed addresses.
constexpr std::uint64_t kLargestObject = std::uint64_t{1} << 31;
/// An object whose size depends on inputs has this size or a smaller one.
constexpr std::uint64_t kRoomForUnknownSize = 512;

}  // namespace

// ---- Where an access falls

void Unroller::add_targets(std::vector<Target>& found, const Word& address, std::uint32_t object,
                           std::uint32_t bytes) {
  const ObjectInfo& info = objects_[object];
  if (info.is_function || info.size < bytes) return;
  if (const auto known = constant_value(address.bits)) {
    const std::uint64_t offset = *known - info.address;
    if (*known < info.address || offset > info.size - bytes) return;
    found.push_back({object, static_cast<std::uint32_t>(offset), kTrue});
    return;
  }
  for (std::uint64_t offset = 0; offset + bytes <= info.size; ++offset) {
    if (found.size() > kMostOffsets) return;
    const Wire matches = equal(result_.circuit, address.bits, info.address + offset);
    if (matches != kFalse) found.push_back({object, static_cast<std::uint32_t>(offset), matches});
  }
}

std::vector<Unroller::Target> Unroller::targets(Path& path, const Word& address,
                                                std::uint32_t bytes, bool is_write) {
  std::vector<Target> found;
  is_switched_ = false;
  Word place = address;
  place.bits.resize(8u * program_.pointer_bytes, kFalse);
  const std::optional<std::uint64_t> known = constant_value(place.bits);
  if (place.pointees == nullptr && known) {
    if (const auto object = objects_.at(*known)) place.pointees = only(*object);
  }
  if (place.pointees == nullptr) {
    if (known) {
      fault_if(path, kTrue);  // null, or no object
    } else {
      leave_out(path, "an access at an address that no pointer leads to");
    }
    return {};
  }
  for (const std::uint32_t object : *place.pointees)
    if (!is_write || !objects_[object].is_constant) add_targets(found, place, object, bytes);
  if (found.size() > kMostOffsets) {
    leave_out(path, "an access with too many possible addresses");
    return {};
  }
  if (follows_frees()) leave_freed(path, found);
  Wire is_valid = kFalse;
  for (Target& target : found) {
    if (const auto size = sizes_.find(target.object); size != sizes_.end()) {
      const auto width = static_cast<unsigned>(size->second.size());
      const Bits end = constant_bits(target.offset + bytes, width);
      target.matches = result_.circuit.conjunction(
          target.matches, !less(result_.circuit, size->second, end, false));
    }
    is_valid = result_.circuit.disjunction(is_valid, target.matches);
  }
  fault_if(path, !is_valid);
  return found;
}

// ---- Shared and other memory

bool Unroller::is_shared(const Path& path, const Target& target, std::uint32_t bytes) const {
  return !path.is_alone && facts_.is_shared(target.object, target.offset, target.offset + bytes);
}

void Unroller::note(const Path& path, const Target& target, std::uint32_t bytes, bool is_write) {
  NotedAccess access;
  access.thread = thread_;
  access.moment = ++moment_;
  access.first = target.offset;
  access.end = target.offset + bytes;
  access.is_write = is_write;
  facts_.note(target.object, access);
  if (path.is_alone) return;
  for (std::uint32_t i = 0; i < bytes; ++i)
    facts_.hold(target.object, target.offset + i, path.held);
}

bool Unroller::switch_before(Path& path) {
  if (path.is_alone || path.sections > 0) return false;
  Moment point;
  point.thread = thread_;
  point.number = moments_++;
  point.first = path.moment;
  point.never = !result_.circuit.input();  // solvers try true first: that it happens
  result_.requirements.push_back({!path.moment->never, point.never});
  path.moment = std::make_shared<const Moment>(std::move(point));
  result_.points.push_back(path.moment);
  return true;
}

bool Unroller::switch_before(Path& path, const std::vector<Target>& targets, std::uint32_t bytes) {
  const auto is_noticed = [&](const Target& target) {
    if (!is_shared(path, target, bytes)) return false;
    for (std::uint32_t i = 0; i < bytes; ++i)
      if (!facts_.is_protected(target.object, target.offset + i)) return true;
    return path.held.empty();
  };
  if (std::exchange(is_switched_, false)) return true;
  return std::ranges::any_of(targets, is_noticed) && switch_before(path);
}

Byte Unroller::byte_of(const Path& path, std::uint32_t object, std::uint32_t offset) {
  const auto found = path.memory.find(object);
  if (found != path.memory.end() && found->second != nullptr) {
    const auto byte = found->second->find(offset);
    if (byte != found->second->end()) return byte->second;
  }
  return objects_.initial(result_.circuit, object, offset);
}

Word Unroller::read_own(const Path& path, const Target& target, std::uint32_t bytes) {
  Word word;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const Byte byte = byte_of(path, target.object, target.offset + i);
    word.bits.insert(word.bits.end(), byte.bits.begin(), byte.bits.end());
    word.pointees = joined(word.pointees, byte.pointees);
  }
  return word;
}

Word Unroller::read_shared(const Path& path, const Target& target, std::uint32_t bytes) {
  Word word;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint32_t offset = target.offset + i;
    const Byte& initial = objects_.initial(result_.circuit, target.object, offset);
    for (unsigned bit = 0; bit < 8; ++bit) {
      const bool varies = facts_.varies(target.object, offset, bit);
      word.bits.push_back(varies ? result_.circuit.input() : initial.bits[bit]);
    }
    if (initial.pointees != nullptr) facts_.point(target.object, initial.pointees);
  }
  if (bytes >= program_.pointer_bytes) word.pointees = facts_.pointees(target.object);
  SharedAccess access{thread_,       target.object,
                      target.offset, result_.circuit.conjunction(path.guard, target.matches),
                      path.moment,   false,
                      word.bits,     kFalse};
  const bool is_race = property_ == model::c::Property::NoDataRace;
  const bool may_race = is_race && (path.sections > 0 || objects_[target.object].is_mark);
  if (property_ == model::c::Property::NoDeadlock || may_race)
    access.at_end = result_.circuit.conjunction(stands(path), target.matches);
  result_.accesses.push_back(std::move(access));
  return word;
}

Word Unroller::read(Path& path, const std::vector<Target>& targets, std::uint32_t bytes) {
  Word word = number(0, 8 * bytes);
  bool is_first = true;
  for (const Target& target : targets) {
    note(path, target, bytes, false);
    const bool shared = is_shared(path, target, bytes);
    const Word found = shared ? read_shared(path, target, bytes) : read_own(path, target, bytes);
    word = is_first ? found : select(target.matches, found, word);
    is_first = false;
  }
  return word;
}

void Unroller::write_own(Path& path, const Target& target, const Word& value) {
  auto& kept = path.memory[target.object];
  if (kept == nullptr) kept = std::make_shared<Content>();
  if (kept.use_count() > 1) kept = std::make_shared<Content>(*kept);
  for (std::uint32_t i = 0; i < value.bits.size() / 8; ++i) {
    const std::uint32_t offset = target.offset + i;
    const Byte old = byte_of(path, target.object, offset);
    Byte& byte = (*kept)[offset];
    for (unsigned bit = 0; bit < 8; ++bit)
      byte.bits[bit] =
          result_.circuit.choice(target.matches, value.bits[8 * i + bit], old.bits[bit]);
    byte.pointees = target.matches == kTrue ? value.pointees : joined(old.pointees, value.pointees);
  }
}

void Unroller::write_shared(const Path& path, const Target& target, const Word& value) {
  for (std::uint32_t i = 0; i < value.bits.size(); ++i) {
    const Byte& initial = objects_.initial(result_.circuit, target.object, target.offset + i / 8);
    if (initial.bits[i % 8] != value.bits[i])
      facts_.vary(target.object, target.offset + i / 8, i % 8);
  }
  if (value.pointees != nullptr) facts_.point(target.object, value.pointees);
  SharedAccess access{thread_,       target.object,
                      target.offset, result_.circuit.conjunction(path.guard, target.matches),
                      path.moment,   true,
                      value.bits,    kFalse};
  result_.accesses.push_back(std::move(access));
}

void Unroller::write(Path& path, const std::vector<Target>& targets, const Word& value) {
  const auto bytes = static_cast<std::uint32_t>(value.bits.size() / 8);
  for (const Target& target : targets) {
    note(path, target, bytes, true);
    if (is_shared(path, target, bytes))
      write_shared(path, target, value);
    else
      write_own(path, target, value);
  }
}

void Unroller::stop_being_alone(Path& path) {
  if (!path.is_alone) return;
  path.is_alone = false;
  for (auto& [object, kept] : path.memory) {
    if (kept == nullptr || facts_.shared_bytes(object).empty()) continue;
    Content own;
    for (const auto& [offset, byte] : *kept) {
      if (!facts_.is_shared(object, offset)) {
        own.emplace(offset, byte);
        continue;
      }
      const Word value{Bits(byte.bits.begin(), byte.bits.end()), byte.pointees};
      write_shared(path, {object, offset, kTrue}, value);
    }
    kept = std::make_shared<Content>(std::move(own));
  }
}

// ---- Instructions

void Unroller::execute(Path& path, const model::c::Allocate& effect) {
  const Bits asked = value(path, effect.size).bits;
  const std::uint64_t size = constant_value(asked).value_or(kRoomForUnknownSize);
  const bool is_stack = effect.where == model::c::Allocate::Where::Stack;
  PlaceKey place = key_of(path);
  place.insert(place.begin(), thread_);
  const auto object =
      size < kLargestObject
          ? objects_.allocated(place, thread_, is_stack ? Region::Stack : Region::Heap, size,
                               effect.is_zeroed)
          : std::nullopt;
  if (!object) return leave_out(path, "an object that does not fit into memory");
  if (!constant_value(asked)) {
    const Bits room = constant_bits(size, static_cast<unsigned>(asked.size()));
    const Wire is_larger = less(result_.circuit, room, asked, false);
    Path larger = path;
    larger.guard = result_.circuit.conjunction(path.guard, is_larger);
    if (larger.guard != kFalse) leave_out(larger, "a large object whose size depends on inputs");
    path.guard = result_.circuit.conjunction(path.guard, !is_larger);
    if (path.guard == kFalse) return;
    sizes_[*object] = asked;
  }
  if (is_stack) path.top().stack_objects.push_back(*object);
  set(path, effect.to,
      {constant_bits(objects_[*object].address, 8u * program_.pointer_bytes), only(*object)});
  step_over(path);
}

void Unroller::execute(Path& path, const model::c::Lifetime& effect) {
  const Word address = value(path, effect.address);
  const auto known = constant_value(address.bits);
  const auto object = known ? objects_.at(*known) : std::nullopt;
  if (object && effect.begins) {
    const auto size = static_cast<std::uint32_t>(objects_[*object].size);
    const bool was_used = path.memory.contains(*object);
    if (was_used && !facts_.is_shared(*object, 0, size) && size <= kMostOffsets) {
      Content content;
      for (std::uint32_t offset = 0; offset < size; ++offset) {
        const Bits undefined = input_bits(result_.circuit, 8);
        std::ranges::copy(undefined, std::back_inserter(result_.undefined));
        std::ranges::copy(undefined, content[offset].bits.begin());
      }
      path.memory[*object] = std::make_shared<Content>(std::move(content));
    }
  }
  step_over(path);
}

void Unroller::execute(Path& path, const model::c::ObjectSize& effect) {
  const auto known = constant_value(value(path, effect.address).bits);
  const auto object = known ? objects_.at(*known) : std::nullopt;
  if (!object) return leave_out(path, "the size of an object that is not known");
  set(path, effect.to, number(objects_[*object].size, 64));
  step_over(path);
}

void Unroller::execute(Path& path, const model::c::Load& effect) {
  const auto found = targets(path, value(path, effect.address), effect.bytes, false);
  if (path.guard == kFalse) return;
  const bool switches = switch_before(path, found, effect.bytes);
  const Word loaded = read(path, found, effect.bytes);
  act(path).choice = loaded.bits;
  may_race(path, found, effect.bytes, effect.is_atomic ? Mode::AtomicRead : Mode::Read, switches);
  set(path, effect.to, loaded);
  step_over(path);
}

void Unroller::execute(Path& path, const model::c::Store& effect) {
  const auto found = targets(path, value(path, effect.address), effect.bytes, true);
  if (path.guard == kFalse) return;
  const bool switches = switch_before(path, found, effect.bytes);
  Word stored = value(path, effect.value);
  stored.bits.resize(8u * effect.bytes, kFalse);
  act(path);
  may_race(path, found, effect.bytes, effect.is_atomic ? Mode::AtomicWrite : Mode::Write, switches);
  write(path, found, stored);
  step_over(path);
}

void Unroller::execute(Path& path, const model::c::ReadModifyWrite& effect) {
  const auto found = targets(path, value(path, effect.address), effect.bytes, true);
  if (path.guard == kFalse) return;
  const bool switches = switch_before(path, found, effect.bytes);
  const Word old = read(path, found, effect.bytes);
  const Bits operand = resized(value(path, effect.value).bits, 8u * effect.bytes);
  Word written{modify(result_.circuit, effect.operation, old.bits, operand), nullptr};
  written.pointees = joined(old.pointees, value(path, effect.value).pointees);
  act(path).choice = old.bits;
  may_race(path, found, effect.bytes, Mode::AtomicWrite, switches);
  write(path, found, written);
  set(path, effect.to, old);
  step_over(path);
}

void Unroller::execute(Path& path, const model::c::CompareExchange& effect) {
  const auto found = targets(path, value(path, effect.address), effect.bytes, true);
  if (path.guard == kFalse) return;
  const bool switches = switch_before(path, found, effect.bytes);
  const Word old = read(path, found, effect.bytes);
  const unsigned width = 8u * effect.bytes;
  Wire succeeds =
      equal(result_.circuit, old.bits, resized(value(path, effect.expected).bits, width));
  Action& action = act(path);
  action.choice = old.bits;
  if (effect.may_fail) {
    const Wire fails = result_.circuit.input();
    succeeds = result_.circuit.conjunction(succeeds, !fails);
    action.choice = {fails};
  }
  may_race(path, found, effect.bytes, Mode::AtomicWrite, switches);
  Word desired = value(path, effect.desired);
  desired.bits.resize(width, kFalse);
  write(path, found, select(succeeds, desired, old));
  set(path, effect.old, old);
  set(path, effect.success, {{succeeds}, nullptr});
  step_over(path);
}

}  // namespace heddle::engine::bounded
