#include "model/c/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "model/c/arithmetic.hpp"
#include "model/c/execution.hpp"

namespace heddle::model::c {

namespace {

void write_pointer(std::vector<std::uint8_t>& bytes, std::uint64_t offset, std::uint64_t value,
                   std::uint8_t pointer_bytes) {
  for (std::uint64_t i = 0; i < pointer_bytes && offset + i < bytes.size(); ++i) {
    bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
}

Object object_of(const Global& global, const AddressSpace& addresses) {
  Object object;
  object.size = global.size;
  object.is_constant = global.is_constant;
  object.is_shared = true;
  object.rest_is_zero = !global.is_extern;
  object.bytes = global.initial;
  if (!global.relocations.empty()) object.bytes.resize(global.size, 0);
  for (const Relocation& relocation : global.relocations) {
    const Operand& target = relocation.target;
    const std::uint64_t address = target.kind == Operand::Kind::Function
                                      ? addresses.of_function(FunctionId(target.index))
                                      : addresses.of_global(GlobalId(target.index)) + target.value;
    write_pointer(object.bytes, relocation.offset, address, addresses.pointer_bytes());
  }
  return object;
}

bool is_operation(const Instruction& instruction, SyncOperation operation) {
  const auto* sync = std::get_if<Synchronise>(&instruction.effect);
  return sync != nullptr && sync->operation == operation;
}

bool has(const Program& program, std::initializer_list<SyncOperation> operations) {
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      for (const SyncOperation operation : operations) {
        if (is_operation(instruction, operation)) return true;
      }
    }
  }
  return false;
}

bool has_sections(const Program& program) {
  const auto is_atomic = [](const Function& function) { return function.is_atomic; };
  return std::ranges::any_of(program.functions, is_atomic) ||
         has(program, {SyncOperation::AtomicBegin});
}

}  // namespace

Interpreter::Interpreter(const Program& program) : program_(program), addresses_(program) {
  using enum SyncOperation;
  sections_may_block_ =
      has_sections(program) && has(program, {BlockUntil, MutexLock, JoinThread, ConditionWait});
  joins_threads_ = has(program, {JoinThread, DetachThread});
}

State Interpreter::initial() const {
  State state;
  for (std::size_t i = 0; i < program_.globals.size(); ++i) {
    const Global& global = program_.globals[i];
    if (global.is_thread_local) continue;
    state.memory.add(addresses_.of_global(GlobalId(i)), object_of(global, addresses_));
  }
  state.threads.emplace_back();
  start_thread(state, ThreadId(0u), program_.entry, {});
  return state;
}

void Interpreter::start_thread(State& state, ThreadId id, FunctionId start,
                               std::span<const std::uint64_t> arguments) const {
  for (std::size_t i = 0; i < program_.globals.size(); ++i) {
    if (!program_.globals[i].is_thread_local) continue;
    Object object = object_of(program_.globals[i], addresses_);
    object.kind = Object::Kind::ThreadLocal;
    object.is_shared = false;
    object.owner = id;
    state.memory.add(addresses_.of_thread_local(GlobalId(i), id), std::move(object));
  }
  Thread& thread = state.change(id);
  const std::uint64_t heap_next =
      thread.heap_next != 0 ? thread.heap_next : addresses_.first_of(Region::Heap, id);
  thread = Thread{};
  thread.heap_next = heap_next;  // heap addresses are never used twice
  thread.stack_next = addresses_.first_of(Region::Stack, id);
  thread.start = start;
  push_frame(thread, start, arguments);
}

void Interpreter::push_frame(Thread& thread, FunctionId function,
                             std::span<const std::uint64_t> arguments) const {
  const Function& callee = program_.functions[function.index()];
  Frame frame;
  frame.function = function;
  frame.first_register = static_cast<std::uint32_t>(thread.registers.size());
  frame.stack_mark = thread.stack_next;
  thread.frames.push_back(frame);
  thread.registers.resize(frame.first_register + callee.register_widths.size(), 0);
  for (std::size_t i = 0; i < callee.parameters && i < arguments.size(); ++i) {
    thread.registers[frame.first_register + i] = low_bits(arguments[i], callee.register_widths[i]);
  }
}

namespace {

// Words of memory are read as the machine reads its own; memory holds the lowest byte first.
static_assert(std::endian::native == std::endian::little);

/// Whether a word of memory, or of a register, lies in a range. Pointers are aligned.
bool is_pointed_into(const State& state, std::uint8_t pointer_bytes, std::uint64_t first,
                     std::uint64_t end) {
  const auto is_inside = [&](std::uint64_t word) { return first <= word && word < end; };
  for (const auto& thread : state.threads)
    if (std::ranges::any_of(thread->registers, is_inside)) return true;
  for (const Memory::Slot& slot : state.memory.slots()) {
    if (!slot.object->is_alive) continue;
    const auto& bytes = slot.object->bytes;
    for (std::size_t i = 0; i + pointer_bytes <= bytes.size(); i += pointer_bytes) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, pointer_bytes);
      if (is_inside(word)) return true;
    }
  }
  return false;
}

}  // namespace

std::uint64_t Interpreter::stack_address(const State& state, ThreadId thread,
                                         std::uint64_t size) const {
  std::uint64_t address = state.thread(thread).stack_next;
  for (;;) {
    const std::optional<std::uint64_t> end = addresses_.after(address, size);
    if (!end || !is_pointed_into(state, addresses_.pointer_bytes(), address, *end)) return address;
    address = *end;
  }
}

const Instruction& Interpreter::next(const State& state, ThreadId thread) const {
  const Frame& frame = state.thread(thread).frames.back();
  return program_.functions[frame.function.index()].code[frame.at.index()];
}

Position Interpreter::position(const State& state, ThreadId thread) const {
  const auto& frames = state.thread(thread).frames;
  Position position;
  for (auto frame = frames.rbegin(); frame != frames.rend() && position.line == 0; ++frame)
    position = program_.functions[frame->function.index()].code[frame->at.index()].position;
  return position;
}

std::uint64_t Interpreter::value(const State& state, ThreadId thread,
                                 const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::Register: {
      const Thread& owner = state.thread(thread);
      return owner.registers[owner.frames.back().first_register + operand.index];
    }
    case Operand::Kind::Constant: return operand.value;
    case Operand::Kind::Function: return addresses_.of_function(FunctionId(operand.index));
    case Operand::Kind::Global: break;
  }
  const GlobalId global(operand.index);
  const std::uint64_t base = program_.globals[global.index()].is_thread_local
                                 ? addresses_.of_thread_local(global, thread)
                                 : addresses_.of_global(global);
  return low_bits(base + operand.value, 8u * addresses_.pointer_bytes());
}

StepResult Interpreter::step(State& state, ThreadId thread, std::span<const std::uint64_t> choices,
                             StepObserver* observer) const {
  return Execution(*this, state, thread, choices, observer).run();
}

namespace {

/// The whole object that begins at an address, as something written to.
Access whole_object(const State& state, std::uint64_t address) {
  const std::optional<std::uint32_t> slot = state.memory.slot_at(address);
  if (!slot) return {};
  return {address, state.memory.object(*slot).size, false, true, false};
}

}  // namespace

Access Interpreter::next_access(const State& state, ThreadId thread) const {
  const Effect& effect = next(state, thread).effect;
  const auto at = [&](const Operand& operand) { return value(state, thread, operand); };
  Access access;
  if (const auto* load = std::get_if<Load>(&effect)) {
    access = {at(load->address), load->bytes, true, false, load->is_atomic};
  } else if (const auto* store = std::get_if<Store>(&effect)) {
    access = {at(store->address), store->bytes, false, true, store->is_atomic};
  } else if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) {
    access = {at(modify->address), modify->bytes, true, true, true};
  } else if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    access = {at(exchange->address), exchange->bytes, true, true, true};
  } else if (const auto* free = std::get_if<Free>(&effect)) {
    access = whole_object(state, at(free->address));
  } else if (const auto* lifetime = std::get_if<Lifetime>(&effect)) {
    access = whole_object(state, at(lifetime->address));
  } else if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    const std::size_t target = sync->operation == SyncOperation::CreateThread ? 0 : 1;
    if (sync->operation == SyncOperation::CreateThread ||
        sync->operation == SyncOperation::JoinThread) {
      access = {at(sync->arguments[target]), addresses_.pointer_bytes(), false, true, false};
      if (access.address == 0) access = {};
    }
  }
  access.is_atomic = access.is_atomic || state.thread(thread).sections > 0;
  return access;
}

std::uint32_t mutex_owner(const Memory& memory, std::uint64_t mutex) {
  return static_cast<std::uint32_t>(memory.load(mutex, 4).value);
}

namespace {

/// How many steps of a section are tried out before it counts as one that ends.
constexpr int kLongSection = 1'000'000;

bool section_is_undone(const Interpreter& interpreter, State state, ThreadId thread) {
  for (int i = 0; i < kLongSection; ++i) {
    const Outcome outcome = interpreter.step(state, thread).outcome;
    if (outcome == Outcome::Undone) return true;
    if (outcome != Outcome::Continued || state.section_owner != thread) return false;
  }
  return false;
}

}  // namespace

bool is_enabled(const Interpreter& interpreter, const State& state, ThreadId thread) {
  return interpreter.can_step(state, thread, false) &&
         !(interpreter.sections_may_block() && section_is_undone(interpreter, state, thread));
}

/// Within a section nothing is deadlocked: if the section cannot go on it is undone, and the
/// question is whether the state before it is deadlocked.
bool is_deadlocked(const Interpreter& interpreter, const State& state) {
  if (state.has_ended || state.section_owner) return false;
  bool has_live = false;
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const ThreadId thread(i);
    if (!state.thread(thread).is_live()) continue;
    has_live = true;
    if (is_enabled(interpreter, state, thread)) return false;
  }
  return has_live;
}

bool Interpreter::can_step(const State& state, ThreadId id, bool spurious) const {
  const Thread& thread = state.thread(id);
  if (state.has_ended || !thread.is_live()) return false;
  if (state.section_owner && *state.section_owner != id) return false;
  const auto* sync = std::get_if<Synchronise>(&next(state, id).effect);
  if (sync == nullptr) return true;
  const auto argument = [&](std::size_t i) { return value(state, id, sync->arguments[i]); };
  if (thread.status == Thread::Status::Sleeping) {
    const bool wakes =
        spurious || thread.is_signalled || sync->operation == SyncOperation::ConditionTimedWait;
    const std::uint32_t owner = mutex_owner(state.memory, thread.mutex);
    return wakes && (owner == 0 || owner == id.value + 1);
  }
  if (sync->operation == SyncOperation::MutexLock) {
    const std::uint64_t mutex = argument(0);
    const std::uint32_t owner = mutex_owner(state.memory, mutex);
    const std::uint64_t kind =
        state.memory.load(mutex + mutex_kind_offset(addresses_.pointer_bytes()), 4).value & 3;
    return owner == 0 || (owner == id.value + 1 && (kind == 1 || kind == 2));
  }
  if (sync->operation == SyncOperation::JoinThread) {
    const std::uint64_t handle = argument(0);
    if (handle == 0 || handle > state.threads.size() || handle == id.value + 1) return true;
    const Thread& other = *state.threads[handle - 1];
    return !other.is_live() || other.is_detached;
  }
  return true;
}

}  // namespace heddle::model::c
