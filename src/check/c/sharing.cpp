#include "check/c/sharing.hpp"

#include <algorithm>

namespace heddle::check::c {

using namespace model::c;

namespace {

constexpr std::uint64_t kCellBytes = 4;
/// Objects beyond this size that are freed are more than is worth noting.
constexpr std::uint64_t kLargest = 1 << 20;

std::uint64_t first_cell(std::uint64_t address) { return address / kCellBytes; }
std::uint64_t last_cell(std::uint64_t address, std::uint64_t bytes) {
  return (address + std::max<std::uint64_t>(bytes, 1) - 1) / kCellBytes;
}

/// Reads of globals by their names are known without looking.
bool reads_through_pointer(const Effect& effect) {
  const auto is_pointer = [](const Operand& address) {
    return address.kind == Operand::Kind::Register;
  };
  if (const auto* load = std::get_if<Load>(&effect)) return is_pointer(load->address);
  if (const auto* modify = std::get_if<ReadModifyWrite>(&effect))
    return is_pointer(modify->address);
  if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    return is_pointer(exchange->address);
  }
  return false;
}

bool is_about_registers(const Effect& effect) {
  return std::holds_alternative<Compute>(effect) || std::holds_alternative<Branch>(effect) ||
         std::holds_alternative<Jump>(effect) || std::holds_alternative<Assign>(effect) ||
         std::holds_alternative<Switch>(effect) || std::holds_alternative<Choose>(effect) ||
         std::holds_alternative<Assume>(effect);
}

}  // namespace

std::size_t live_threads(const State& state) {
  return static_cast<std::size_t>(
      std::ranges::count_if(state.threads, [](const auto& thread) { return thread->is_live(); }));
}

Sharing::Sharing(const Interpreter& interpreter, ProgramFlow& flow, Property property,
                 bool has_thread_bound)
    : interpreter_(interpreter),
      flow_(flow),
      property_(property),
      has_thread_bound_(has_thread_bound) {}

/// Whether an address is on the stack of another thread, or of a thread-local object of its.
bool Sharing::is_anothers(std::uint64_t address, ThreadId thread) const {
  const auto owned = interpreter_.addresses().region_of(address);
  return owned && owned->region != Region::Heap && owned->thread != thread;
}

/// Whether other threads may have been there when this is executed. One that has ended and was not
/// joined may have ended early, because its last instructions are local.
bool Sharing::has_company(const State& state, ThreadId thread) {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    if (i != thread.index() && state.threads[i]->status != Thread::Status::Unused) return true;
  }
  return false;
}

/// Everything that an instruction uses as data. An object that is not there is used at its first
/// byte.
Access Sharing::access_of(const State& state, ThreadId thread) const {
  const Effect& effect = interpreter_.next(state, thread).effect;
  const auto at = [&](const Operand& operand) {
    return interpreter_.value(state, thread, operand);
  };
  if (const auto* size = std::get_if<ObjectSize>(&effect)) {
    return {at(size->address), 1, true, false, false};
  }
  if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    switch (sync->operation) {
      case SyncOperation::ConditionWait:
      case SyncOperation::ConditionTimedWait:
      case SyncOperation::ConditionSignal:
      case SyncOperation::ConditionBroadcast: return {at(sync->arguments[0]), 1, true, false, true};
      default: break;
    }
  }
  Access access = interpreter_.next_access(state, thread);
  if (const auto* free = std::get_if<Free>(&effect); free != nullptr && access.bytes == 0) {
    access = {at(free->address), 1, false, true, false};
  }
  return access;
}

// ---- Noting

void Sharing::note(const State& state, ThreadId thread) {
  const Effect& effect = interpreter_.next(state, thread).effect;
  if (is_about_registers(effect) || std::holds_alternative<Lifetime>(effect)) return;
  if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    note_synchronisation(state, thread, *sync);
  }
  const Access access = access_of(state, thread);
  if (access.bytes == 0 || access.address == 0) return;
  if (access.is_read && reads_through_pointer(effect)) {
    const Memory::ResolvedAddress place = state.memory.locate(access.address, access.bytes);
    if (place.error == AccessError::None) {
      flow_.note_read(state.thread(thread).frames.back(), state.memory.slots()[place.slot].address);
    }
  }
  if (has_company(state, thread)) note_data(state, thread, access);
}

void Sharing::note_data(const State& state, ThreadId thread, const Access& access) {
  if (access.bytes > kLargest) {
    if (!is_all_shared_) has_changed_ = true;
    is_all_shared_ = true;
    return;
  }
  const Use use{flow_.site_of(state.thread(thread).frames.back()), access.is_write};
  const bool is_foreign = is_anothers(access.address, thread);
  const bool is_wild = state.memory.locate(access.address, access.bytes).error != AccessError::None;
  const std::uint64_t end = last_cell(access.address, access.bytes);
  for (std::uint64_t cell = first_cell(access.address); cell <= end; ++cell) {
    note_use(state, thread, cell, use);
    if (is_foreign && foreign_.insert(cell).second) has_changed_ = true;
    if (is_wild && wild_.insert(cell).second) has_changed_ = true;
  }
}

void Sharing::note_use(const State& state, ThreadId thread, std::uint64_t number, Use use) {
  Cell& cell = cells_[number];
  if (cell.mutex != 0) spoil(cell.mutex);
  if (!cell.is_used()) {
    cell.thread = thread;
    for (const auto& [mutex, how] : mutexes_) {
      if (mutex_owner(state.memory, mutex) == thread.value + 1) cell.mutexes.push_back(mutex);
    }
  }
  if (flow_.insert(use.is_write ? cell.writers : cell.readers, use.site)) has_changed_ = true;
  if (cell.thread != thread && !cell.has_many) {
    cell.has_many = true;
    has_changed_ = true;
  }
  note_mutexes(state, thread, cell);
}

void Sharing::note_mutexes(const State& state, ThreadId thread, Cell& cell) {
  const auto is_not_held = [&](std::uint64_t mutex) {
    return mutex_owner(state.memory, mutex) != thread.value + 1;
  };
  if (std::erase_if(cell.mutexes, is_not_held) > 0) has_changed_ = true;
}

void Sharing::spoil(std::uint64_t mutex) {
  Mutex& known = mutexes_[mutex];
  if (!known.is_odd) has_changed_ = true;
  known.is_odd = true;
}

void Sharing::note_synchronisation(const State& state, ThreadId thread, const Synchronise& sync) {
  const auto argument = [&](std::size_t i) {
    return interpreter_.value(state, thread, sync.arguments[i]);
  };
  switch (sync.operation) {
    case SyncOperation::MutexInit:
    case SyncOperation::MutexLock:
    case SyncOperation::MutexTryLock:
    case SyncOperation::MutexUnlock: return note_mutex(state, thread, argument(0), sync.operation);
    case SyncOperation::ConditionWait:
    case SyncOperation::ConditionTimedWait:
      if (state.thread(thread).status == Thread::Status::Sleeping) {
        return note_mutex(state, thread, state.thread(thread).mutex, SyncOperation::MutexLock);
      }
      return note_mutex(state, thread, argument(1), SyncOperation::MutexUnlock);
    default: return;
  }
}

void Sharing::note_mutex(const State& state, ThreadId thread, std::uint64_t mutex,
                         SyncOperation operation) {
  flow_.note_lock(mutex);
  mutexes_.try_emplace(mutex);
  const std::uint64_t kind = mutex + mutex_kind_offset(interpreter_.addresses().pointer_bytes());
  for (const std::uint64_t word : {mutex, mutex + 4, kind}) {
    Cell& cell = cells_[first_cell(word)];
    if (cell.is_used()) spoil(mutex);
    if (cell.mutex != 0 && cell.mutex != mutex) spoil(cell.mutex), spoil(mutex);
    cell.mutex = mutex;
  }
  if (!has_company(state, thread)) return;
  if (is_anothers(mutex, thread) && foreign_.insert(first_cell(mutex)).second) has_changed_ = true;
  const Memory::ResolvedAddress place = state.memory.locate(mutex, 8);
  if (place.error != AccessError::None && wild_.insert(first_cell(mutex)).second) {
    has_changed_ = true;
  }
  Mutex& known = mutexes_[mutex];
  if (operation == SyncOperation::MutexTryLock && !known.is_tried) {
    known.is_tried = true;
    has_changed_ = true;
  }
  const bool is_foreign_unlock = operation == SyncOperation::MutexUnlock &&
                                 mutex_owner(state.memory, mutex) != thread.value + 1;
  if (operation == SyncOperation::MutexInit || is_foreign_unlock) spoil(mutex);
}

// ---- Deciding

bool Sharing::is_any_in(const std::set<std::uint64_t>& cells, std::uint64_t first,
                        std::uint64_t end) const {
  if (cells.empty() || first >= end) return false;
  const auto found = cells.lower_bound(first_cell(first));
  return found != cells.end() && *found <= last_cell(first, end - first);
}

bool Sharing::is_local_cell(const State& state, ThreadId thread, const Cell& cell,
                            bool writes) const {
  if (!cell.is_used()) return cell.mutex == 0;
  if (!cell.is_written() && !writes) return true;
  if (!cell.has_many && cell.thread == thread) return true;
  for (const std::uint64_t mutex : cell.mutexes) {
    const bool protects = !mutexes_.at(mutex).is_odd;
    if (protects && mutex_owner(state.memory, mutex) == thread.value + 1) return true;
  }
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const Thread& other = *state.threads[i];
    if (i == thread.index() || !other.is_live()) continue;
    if (flow_.may_execute(other, cell.writers)) return false;
    if (writes && flow_.may_execute(other, cell.readers)) return false;
  }
  return true;
}

bool Sharing::is_local_access(const State& state, ThreadId thread, const Access& access) const {
  if (access.bytes == 0 || access.address == 0) return true;
  if (is_all_shared_ || access.bytes > kLargest) return false;
  if (is_anothers(access.address, thread)) return false;  // who may end it any time
  const std::uint64_t end = last_cell(access.address, access.bytes);
  for (std::uint64_t number = first_cell(access.address); number <= end; ++number) {
    const auto cell = cells_.find(number);
    if (cell == cells_.end()) continue;
    if (!is_local_cell(state, thread, cell->second, access.is_write)) return false;
  }
  return true;
}

bool Sharing::may_manage(const State& state, ThreadId thread) const {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const Thread& other = *state.threads[i];
    if (i != thread.index() && other.is_live() && flow_.may_manage(other)) return true;
  }
  return false;
}

/// A thread's end enables those that wait for it, and frees its slot if it is detached.
bool Sharing::is_local_end(const State& state, ThreadId thread) const {
  if (flow_.has_detach() || state.thread(thread).is_detached) return false;
  return std::ranges::none_of(foreign_, [&](std::uint64_t cell) {
    const auto owned = interpreter_.addresses().region_of(cell * kCellBytes);
    return owned && owned->thread == thread;
  });
}

bool Sharing::is_local_synchronisation(const State& state, ThreadId thread,
                                       const Synchronise& sync) const {
  switch (sync.operation) {
    case SyncOperation::SelfThread:
    case SyncOperation::Fence:
    case SyncOperation::MutexDestroy:
    case SyncOperation::AtomicEnd: return true;
    case SyncOperation::ConditionSignal:
    case SyncOperation::ConditionBroadcast:  // threads may wake by themselves
      return !is_about_waiting(property_) &&
             is_local_access(state, thread, access_of(state, thread));
    case SyncOperation::MutexUnlock: {
      const std::uint64_t mutex = interpreter_.value(state, thread, sync.arguments[0]);
      const auto known = mutexes_.find(mutex);
      return known != mutexes_.end() && !known->second.is_odd && !known->second.is_tried &&
             mutex_owner(state.memory, mutex) == thread.value + 1 && !is_anothers(mutex, thread);
    }
    case SyncOperation::ExitThread: return is_local_end(state, thread);
    case SyncOperation::CreateThread:
    case SyncOperation::JoinThread:
      return !has_thread_bound_ && !flow_.has_detach() && wild_.empty() &&
             !may_manage(state, thread) && interpreter_.can_step(state, thread, false) &&
             is_local_access(state, thread, access_of(state, thread));
    default: return false;
  }
}

bool Sharing::is_local(const State& state, ThreadId thread) const {
  const Thread& own = state.thread(thread);
  if (own.status != Thread::Status::Running) return false;
  const Effect& effect = interpreter_.next(state, thread).effect;
  if (is_about_registers(effect)) return true;
  const auto* sync = std::get_if<Synchronise>(&effect);
  if (std::holds_alternative<Exit>(effect)) return false;
  if (sync != nullptr && (sync->operation == SyncOperation::ConditionWait ||
                          sync->operation == SyncOperation::ConditionTimedWait)) {
    return false;
  }
  if (live_threads(state) == 1) return true;
  if (property_ == Property::MemoryCleanup && std::holds_alternative<Free>(effect)) return false;
  if (sync != nullptr) return is_local_synchronisation(state, thread, *sync);
  if (const auto* call = std::get_if<Call>(&effect)) {
    const auto callee =
        interpreter_.addresses().function_at(interpreter_.value(state, thread, call->callee));
    return !callee || !interpreter_.program().functions[callee->index()].is_atomic;
  }
  if (std::holds_alternative<Return>(effect)) {
    if (own.frames.size() == 1) return is_local_end(state, thread);
    return !is_any_in(foreign_, own.frames.back().stack_mark, own.stack_next);
  }
  if (const auto* allocate = std::get_if<Allocate>(&effect)) {
    const std::uint64_t size = interpreter_.value(state, thread, allocate->size);
    const bool is_stack = allocate->where == Allocate::Where::Stack;
    const std::uint64_t address =
        is_stack ? interpreter_.stack_address(state, thread, size) : own.heap_next;
    const std::uint64_t end = address + std::max<std::uint64_t>(size, 1);
    return !is_any_in(wild_, address, end) && !(is_stack && is_any_in(foreign_, address, end));
  }
  if (std::holds_alternative<Lifetime>(effect)) {
    const Access object = interpreter_.next_access(state, thread);
    return !is_any_in(foreign_, object.address, object.address + object.bytes) &&
           !is_any_in(wild_, object.address, object.address + object.bytes);
  }
  return is_local_access(state, thread, access_of(state, thread));
}

}  // namespace heddle::check::c
