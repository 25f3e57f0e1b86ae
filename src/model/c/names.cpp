#include "model/c/names.hpp"

#include <array>
#include <cstdio>
#include <string_view>

#include "model/c/arithmetic.hpp"

namespace heddle::model::c {

namespace {

/// Globals of our library, and the one among them that a program knows by another name.
constexpr std::string_view kLibraryPrefix = "__heddle_";
constexpr std::string_view kErrorNumber = "__heddle_errno";

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
  return text.data();
}

/// Descends into members and elements as long as they contain the bytes.
NamedPlace part_of(const Program& program, std::string name, std::optional<TypeId> type,
                   std::uint64_t offset, std::uint64_t bytes) {
  while (type) {
    const Type& here = program.types[type->index()];
    if (offset == 0 && here.bytes == bytes) break;
    if (here.kind == Type::Kind::Array && here.element && here.count > 0) {
      const std::uint64_t size = program.types[here.element->index()].bytes;
      if (size == 0 || offset / size >= here.count || offset % size + bytes > size) break;
      name += "[" + std::to_string(offset / size) + "]";
      offset %= size;
      type = here.element;
      continue;
    }
    const Type::Member* inside = nullptr;
    for (const Type::Member& member : here.members) {
      const std::uint64_t size = program.types[member.type.index()].bytes;
      if (member.offset <= offset && offset + bytes <= member.offset + size && member.bits == 0) {
        inside = &member;
        break;
      }
    }
    if (inside == nullptr) break;
    if (!inside->name.empty()) name += "." + inside->name;
    offset -= inside->offset;
    type = inside->type;
  }
  const bool fits = type && offset == 0 && program.types[type->index()].bytes == bytes;
  if (!fits && offset != 0) name += " + " + std::to_string(offset);
  return {std::move(name), fits ? type : std::nullopt};
}

/// The variable of a thread's frames whose object begins at an address.
const LocalVariable* stack_variable(const Program& program, const Thread& thread,
                                    std::uint64_t address) {
  for (const Frame& frame : thread.frames) {
    for (const LocalVariable& variable : program.functions[frame.function.index()].variables) {
      if (variable.is_address &&
          thread.registers[frame.first_register + variable.reg.index()] == address) {
        return &variable;
      }
    }
  }
  return nullptr;
}

NamedPlace name_of_object(const Interpreter& interpreter, const State& state,
                          const Memory::Slot& slot, std::uint64_t offset, std::uint64_t bytes) {
  const Program& program = interpreter.program();
  const Object& object = *slot.object;
  const AddressSpace& addresses = interpreter.addresses();
  if (object.kind == Object::Kind::Global || object.kind == Object::Kind::ThreadLocal) {
    for (std::size_t i = 0; i < program.globals.size(); ++i) {
      const Global& global = program.globals[i];
      const std::uint64_t base = global.is_thread_local
                                     ? addresses.of_thread_local(GlobalId(i), object.owner)
                                     : addresses.of_global(GlobalId(i));
      if (base != slot.address) continue;
      const bool is_library = global.name.starts_with(kLibraryPrefix);
      const bool is_errno = global.name == kErrorNumber;
      NamedPlace named =
          part_of(program, is_errno ? "errno" : global.name, global.type, offset, bytes);
      named.is_library = is_library && !is_errno;
      if (global.is_thread_local) named.owner = object.owner;
      return named;
    }
  }
  if (object.kind == Object::Kind::Stack) {
    const LocalVariable* variable =
        stack_variable(program, state.thread(object.owner), slot.address);
    NamedPlace named{"a variable of thread " + std::to_string(object.owner.value), std::nullopt};
    named.is_library = variable == nullptr;
    if (variable != nullptr)
      named = part_of(program, variable->name, variable->type, offset, bytes);
    named.owner = object.owner;
    return named;
  }
  std::size_t number = 0;
  for (const Memory::Slot& other : state.memory.slots()) {
    const bool is_before = other.object->is_allocated() && other.object->owner == object.owner &&
                           other.address <= slot.address;
    number += is_before ? 1 : 0;
  }
  std::string name =
      "heap object " + std::to_string(number) + " of thread " + std::to_string(object.owner.value);
  if (offset != 0) name += " + " + std::to_string(offset);
  NamedPlace named{std::move(name), std::nullopt};
  named.is_library = object.kind == Object::Kind::Library;
  return named;
}

std::string text_of_pointer(const Interpreter& interpreter, const State& state,
                            std::uint64_t word) {
  if (word == 0) return "NULL";
  if (const auto function = interpreter.addresses().function_at(word)) {
    return interpreter.program().functions[function->index()].name;
  }
  const Memory::ResolvedAddress place = state.memory.locate(word, 0);
  if (!place.has_slot || place.error != AccessError::None) return hexadecimal(word);
  return "&" + name_of(interpreter, state, word, 1).name;
}

}  // namespace

std::string name_of_mutex(const Interpreter& interpreter, const State& state,
                          std::uint64_t address) {
  const std::uint64_t bytes = interpreter.addresses().pointer_bytes() == 8 ? 40 : 24;
  const bool fits = state.memory.locate(address, bytes).error == AccessError::None;
  return name_of(interpreter, state, address, fits ? bytes : 1).name;
}

NamedPlace name_of(const Interpreter& interpreter, const State& state, std::uint64_t address,
                   std::uint64_t bytes) {
  const Memory::ResolvedAddress place = state.memory.locate(address, bytes);
  if (!place.has_slot || place.error != AccessError::None) {
    return {"address " + hexadecimal(address), std::nullopt};
  }
  return name_of_object(interpreter, state, state.memory.slots()[place.slot], place.offset, bytes);
}

std::string text_of_word(const Interpreter& interpreter, const State& state, std::uint64_t word,
                         std::uint64_t bytes, std::optional<TypeId> type) {
  const auto width = static_cast<unsigned>(8 * bytes);
  if (!type) return std::to_string(as_signed(word, width));
  const Type& known = interpreter.program().types[type->index()];
  switch (known.kind) {
    case Type::Kind::Pointer: return text_of_pointer(interpreter, state, word);
    case Type::Kind::Boolean: return low_bits(word, 1) != 0 ? "true" : "false";
    case Type::Kind::Character:
      if (word >= 32 && word < 127) return std::string("'") + static_cast<char>(word) + "'";
      [[fallthrough]];
    case Type::Kind::Integer:
      return known.is_signed ? std::to_string(as_signed(word, width))
                             : std::to_string(low_bits(word, width));
    default: return hexadecimal(word);
  }
}

}  // namespace heddle::model::c
