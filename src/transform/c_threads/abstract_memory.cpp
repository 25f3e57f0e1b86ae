#include "transform/c_threads/abstract_memory.hpp"

#include <algorithm>

namespace heddle::transform::c_threads {

using namespace model::c;

namespace {

/// The room between objects.
constexpr std::uint64_t kGap = 64;

}  // namespace

bool ValueSet::merge(const ValueSet& other) {
  const std::size_t before =
      objects.size() + functions.size() + handles.size() + (is_arbitrary ? 1 : 0);
  is_arbitrary |= other.is_arbitrary;
  objects.insert(other.objects.begin(), other.objects.end());
  functions.insert(other.functions.begin(), other.functions.end());
  handles.insert(other.handles.begin(), other.handles.end());
  return objects.size() + functions.size() + handles.size() + (is_arbitrary ? 1 : 0) != before;
}

AbstractMemory::AbstractMemory(const Program& program)
    : program_(program), next_base_(model::threads::kFirstObjectNumber) {
  for (std::size_t i = 0; i < program.globals.size(); ++i) {
    const Global& global = program.globals[i];
    if (global.is_thread_local) continue;
    Object properties;
    properties.name = global.name;
    properties.size = global.size;
    properties.type = global.type;
    properties.global = GlobalId(i);
    object("global " + std::to_string(i), properties);
  }
}

ObjectId AbstractMemory::object(const std::string& key, const Object& properties) {
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) {
    Object& old = objects_[known->second.index()];
    if (properties.size != old.size) old.has_size = false;
    return known->second;
  }
  const ObjectId id(objects_.size());
  objects_.push_back(properties);
  objects_.back().base = next_base_;
  by_base_.emplace(next_base_, id);
  const std::uint64_t room = std::clamp<std::uint64_t>(
      properties.size, AbstractMemory::kSummaryRange, model::threads::kObjectNumbersEnd);
  next_base_ = (next_base_ + room + kGap + 63) / 64 * 64;
  by_key_.emplace(key, id);
  return id;
}

std::optional<ObjectId> AbstractMemory::find(std::uint64_t address) const {
  auto after = by_base_.upper_bound(address);
  if (after == by_base_.begin()) return std::nullopt;
  --after;
  const Object& object = at(after->second);
  const std::uint64_t size =
      object.is_summary || !object.has_size
          ? std::max<std::uint64_t>(object.size, AbstractMemory::kSummaryRange)
          : object.size;
  if (address > object.base + size) return std::nullopt;  // one past the end belongs to it
  return after->second;
}

std::uint64_t AbstractMemory::of_function(FunctionId function) const {
  return model::threads::number_of_function(function);
}

std::uint64_t AbstractMemory::of_handle(std::uint32_t thread) const {
  return model::threads::number_of_handle(thread);
}

std::optional<std::uint32_t> AbstractMemory::function_at(std::uint64_t number) const {
  using model::threads::kFirstFunctionNumber;
  if (number < kFirstFunctionNumber ||
      number >= of_function(FunctionId(program_.functions.size())) || number % 16 != 0)
    return std::nullopt;
  return static_cast<std::uint32_t>((number - kFirstFunctionNumber) / 16);
}

std::optional<std::uint32_t> AbstractMemory::handle_at(std::uint64_t number) const {
  using model::threads::kFirstHandleNumber;
  const bool is_one = number >= kFirstHandleNumber && number < model::threads::kFirstObjectNumber &&
                      number % 2 == 0;
  if (!is_one) return std::nullopt;
  return static_cast<std::uint32_t>((number - kFirstHandleNumber) / 2);
}

CellId AbstractMemory::cell(ObjectId object, std::uint64_t offset, std::uint8_t bytes) {
  const auto [place, is_new] =
      by_place_.emplace(std::tuple(object.value, offset, bytes), CellId(cells_.size()));
  if (is_new) cells_.push_back({object, offset, bytes});
  return place->second;
}

bool AbstractMemory::overlaps_others(ObjectId object, std::uint64_t offset,
                                     std::uint64_t bytes) const {
  return std::ranges::any_of(cells_, [&](const Cell& c) {
    return c.object == object && !(c.offset == offset && c.bytes == bytes) &&
           c.offset < offset + bytes && offset < c.offset + c.bytes;
  });
}

std::vector<CellId> AbstractMemory::cells_of(ObjectId object) const {
  std::vector<CellId> out;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].object == object) out.emplace_back(i);
  return out;
}

void AbstractMemory::collect(TypeId id, std::uint64_t base, std::uint8_t bytes, std::size_t limit,
                             std::vector<std::uint64_t>& out) const {
  const Type& type = program_.types[id.index()];
  if (out.size() > limit) return;
  if (type.kind == Type::Kind::Array && type.element) {
    const std::uint64_t stride = program_.types[type.element->index()].bytes;
    for (std::uint64_t i = 0; i < type.count && stride > 0 && out.size() <= limit; ++i)
      collect(*type.element, base + i * stride, bytes, limit, out);
  } else if (type.kind == Type::Kind::Struct || type.kind == Type::Kind::Union) {
    for (const Type::Member& m : type.members) collect(m.type, base + m.offset, bytes, limit, out);
  } else if (type.bytes == bytes) {
    out.push_back(base);
  }
}

std::optional<std::vector<std::uint64_t>> AbstractMemory::places(ObjectId id, std::uint8_t bytes,
                                                                 std::size_t limit) const {
  const Object& object = at(id);
  std::vector<std::uint64_t> out;
  if (object.type && program_.types[object.type->index()].kind != Type::Kind::Other) {
    const Type& type = program_.types[object.type->index()];
    const std::uint64_t stride = std::max<std::uint64_t>(type.bytes, 1);
    for (std::uint64_t base = 0; base + type.bytes <= object.size && out.size() <= limit;
         base += stride)
      collect(*object.type, base, bytes, limit, out);
  }
  if (out.empty())
    for (std::uint64_t offset = 0; offset + bytes <= object.size && out.size() <= limit;
         offset += bytes)
      out.push_back(offset);
  if (out.size() > limit) return std::nullopt;
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

AbstractMemory::Leaf AbstractMemory::leaf(TypeId id, std::uint64_t offset,
                                          std::uint64_t bytes) const {
  const Type& type = program_.types[id.index()];
  if (type.kind == Type::Kind::Array && type.element) {
    const std::uint64_t stride =
        std::max<std::uint64_t>(program_.types[type.element->index()].bytes, 1);
    Leaf inner = leaf(*type.element, offset % stride, bytes);
    inner.name = "[" + std::to_string(offset / stride) + "]" + inner.name;
    return inner;
  }
  if (type.kind == Type::Kind::Struct || type.kind == Type::Kind::Union) {
    for (const Type::Member& m : type.members) {
      const Type& member = program_.types[m.type.index()];
      if (offset < m.offset || offset + bytes > m.offset + member.bytes) continue;
      Leaf inner = leaf(m.type, offset - m.offset, bytes);
      inner.name = "." + m.name + inner.name;
      return inner;
    }
  }
  return {offset == 0 ? "" : "@" + std::to_string(offset), &type};
}

std::string AbstractMemory::name_of(const Cell& cell) const {
  const Object& object = at(cell.object);
  if (object.type) {
    const Type& type = program_.types[object.type->index()];
    const std::uint64_t stride = std::max<std::uint64_t>(type.bytes, 1);
    const std::string index =
        object.size > stride ? "[" + std::to_string(cell.offset / stride) + "]" : "";
    return object.name + index + leaf(*object.type, cell.offset % stride, cell.bytes).name;
  }
  return object.name + (cell.offset == 0 ? "" : "@" + std::to_string(cell.offset));
}

bool AbstractMemory::is_signed(const Cell& cell) const {
  const Object& object = at(cell.object);
  if (!object.type) return true;
  const Type& whole = program_.types[object.type->index()];
  const Leaf found =
      leaf(*object.type, cell.offset % std::max<std::uint64_t>(whole.bytes, 1), cell.bytes);
  if (!found.type) return true;
  // Several bytes of an array of bytes: objects of the C library, which count in them.
  if (found.type->bytes < cell.bytes) return false;
  if (found.type->bytes > cell.bytes) return true;
  if (found.type->kind == Type::Kind::Pointer) return true;
  return found.type->is_signed || found.type->kind == Type::Kind::Other;
}

std::optional<std::uint64_t> AbstractMemory::initial(const Cell& cell) const {
  const Object& object = at(cell.object);
  if (!object.global) return std::nullopt;
  const Global& global = program_.globals[object.global->index()];
  if (global.is_extern) return std::nullopt;
  for (const Relocation& relocation : global.relocations) {
    if (relocation.offset != cell.offset || cell.bytes != program_.pointer_bytes) continue;
    if (relocation.target.kind == Operand::Kind::Function)
      return of_function(FunctionId(relocation.target.index));
    const auto target = by_key_.find("global " + std::to_string(relocation.target.index));
    if (target == by_key_.end()) return std::nullopt;
    return at(target->second).base + relocation.target.value;
  }
  std::uint64_t value = 0;
  if (!global.initial.empty())
    for (std::uint8_t i = 0; i < cell.bytes; ++i)
      value |= std::uint64_t{global.initial[cell.offset + i]} << (8U * i);
  return value;
}

ValueSet AbstractMemory::set_of(std::uint64_t number) const {
  ValueSet set;
  if (const auto f = function_at(number))
    set.functions.insert(*f);
  else if (const auto h = handle_at(number))
    set.handles.insert(*h);
  else if (const auto o = find(number))
    set.objects.insert(o->value);
  return set;
}

ValueSet AbstractMemory::initial_set(const Cell& cell) const {
  const auto known = initial(cell);
  ValueSet set;
  if (!known) {
    set.is_arbitrary = true;
    return set;
  }
  if (cell.bytes != program_.pointer_bytes) return set;
  for (const Relocation& relocation : program_.globals[at(cell.object).global->index()].relocations)
    if (relocation.offset == cell.offset) return set_of(*known);
  return set;
}

}  // namespace heddle::transform::c_threads
