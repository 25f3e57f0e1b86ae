#include <algorithm>

#include "model/c/arithmetic.hpp"
#include "model/c/execution.hpp"

namespace heddle::model::c {

namespace {

// Error numbers of POSIX, as Linux numbers them.
constexpr std::uint64_t kNotPermitted = 1;
constexpr std::uint64_t kNoSuchThread = 3;
constexpr std::uint64_t kBusy = 16;
constexpr std::uint64_t kInvalid = 22;
constexpr std::uint64_t kWouldDeadlock = 35;
constexpr std::uint64_t kTimedOut = 110;

// Kinds of mutexes, as glibc numbers them.
constexpr std::uint32_t kRecursive = 1;
constexpr std::uint32_t kErrorChecking = 2;

}  // namespace

void Execution::execute(const Synchronise& effect) {
  const bool sleeps = state_.thread(thread_).status == Thread::Status::Sleeping;
  switch (effect.operation) {
    case SyncOperation::CreateThread: return create_thread(effect);
    case SyncOperation::JoinThread: return join_thread(effect);
    case SyncOperation::DetachThread: return detach_thread(effect);
    case SyncOperation::ExitThread:
      return end_thread(effect.arguments.empty() ? 0 : value(effect.arguments[0]));
    case SyncOperation::SelfThread: return finish(effect, thread_.value + 1);
    case SyncOperation::MutexInit: return init_mutex(effect);
    case SyncOperation::MutexDestroy: return finish(effect, 0);
    case SyncOperation::MutexLock: return lock_mutex(effect);
    case SyncOperation::MutexTryLock: return try_lock_mutex(effect);
    case SyncOperation::MutexUnlock: return unlock_mutex(effect);
    case SyncOperation::ConditionWait:
    case SyncOperation::ConditionTimedWait: return sleeps ? wake_up(effect) : fall_asleep(effect);
    case SyncOperation::ConditionSignal: return signal(effect);
    case SyncOperation::ConditionBroadcast: return broadcast(effect);
    case SyncOperation::AtomicBegin: begin_section(state_); return go_on();
    case SyncOperation::AtomicEnd: end_section(); return go_on();
    case SyncOperation::BlockUntil:
      return (value(effect.arguments[0]) & 1) != 0 ? finish(effect, 0) : block();
    case SyncOperation::Fence: return finish(effect, 0);
  }
}

void Execution::finish(const Synchronise& effect, std::uint64_t result) {
  if (effect.to) set(*effect.to, result);
  go_on();
}

// ---- Threads

std::optional<ThreadId> Execution::unused_slot() {
  for (std::size_t i = 0; i < state_.threads.size(); ++i) {
    if (state_.threads[i]->status == Thread::Status::Unused) return ThreadId(i);
  }
  if (state_.threads.size() >= interpreter_.addresses().most_threads()) return std::nullopt;
  state_.threads.emplace_back();
  return ThreadId(state_.threads.size() - 1);
}

void Execution::create_thread(const Synchronise& effect) {
  const std::uint64_t handle_address = value(effect.arguments[0]);
  const auto start = interpreter_.addresses().function_at(value(effect.arguments[1]));
  if (!start || program_.functions[start->index()].code.empty()) {
    return report(Violation::Kind::InvalidAccess, "the start routine of a thread is no function");
  }
  if (program_.functions[start->index()].is_atomic) {
    return report(Violation::Kind::Unsupported, "a start routine that is an atomic function");
  }
  const std::uint8_t handle_bytes = interpreter_.addresses().pointer_bytes();
  if (handle_address != 0 && !is_valid(handle_address, handle_bytes, true)) return;
  const std::uint64_t argument = value(effect.arguments[2]);
  const std::optional<ThreadId> created = unused_slot();
  if (!created) return report(Violation::Kind::Unsupported, "more threads than there is room for");
  if (handle_address != 0) {
    tell_access(handle_address, handle_bytes, false, true, false);
    state_.memory.store(handle_address, handle_bytes, created->value + 1);
  }
  interpreter_.start_thread(state_, *created, *start, std::span(&argument, 1));
  if (observer_ != nullptr) observer_->created(thread_, *created);
  finish(effect, 0);
}

std::optional<ThreadId> Execution::thread_of(std::uint64_t handle) const {
  if (handle == 0 || handle > state_.threads.size()) return std::nullopt;
  const ThreadId id(static_cast<std::uint32_t>(handle - 1));
  if (state_.thread(id).status == Thread::Status::Unused) return std::nullopt;
  return id;
}

void Execution::join_thread(const Synchronise& effect) {
  const std::optional<ThreadId> other = thread_of(value(effect.arguments[0]));
  if (!other) return finish(effect, kNoSuchThread);
  if (*other == thread_) return finish(effect, kWouldDeadlock);
  if (state_.thread(*other).is_detached) return finish(effect, kInvalid);
  if (state_.thread(*other).status != Thread::Status::Ended) return block();
  const std::uint64_t to = value(effect.arguments[1]);
  const std::uint8_t bytes = interpreter_.addresses().pointer_bytes();
  if (to != 0 && !is_valid(to, bytes, true)) return;
  if (observer_ != nullptr) observer_->joined(thread_, *other);
  if (to != 0) {
    tell_access(to, bytes, false, true, false);
    state_.memory.store(to, bytes, state_.thread(*other).result);
  }
  Thread& joined = state_.change(*other);
  joined.status = Thread::Status::Unused;
  joined.result = 0;
  finish(effect, 0);
}

void Execution::detach_thread(const Synchronise& effect) {
  const std::optional<ThreadId> other = thread_of(value(effect.arguments[0]));
  if (!other) return finish(effect, kNoSuchThread);
  if (state_.thread(*other).is_detached) return finish(effect, kInvalid);
  Thread& detached = state_.change(*other);
  detached.is_detached = true;
  if (detached.status == Thread::Status::Ended) {
    detached.status = Thread::Status::Unused;
    detached.result = 0;
  }
  finish(effect, 0);
}

void Execution::end_thread(std::uint64_t result) {
  Thread& thread = state_.change(thread_);
  for (const std::uint64_t mutex : thread.held)
    if (mutex_owner(state_.memory, mutex) == thread_.value + 1)
      state_.memory.store_anyway(mutex, 4, kEndedOwner);
  thread.held.clear();
  const AddressSpace& addresses = interpreter_.addresses();
  const std::uint64_t stack = addresses.first_of(Region::Stack, thread_);
  state_.memory.remove_range(stack, std::max(thread.stack_next, stack + 1));
  for (std::size_t i = 0; i < program_.globals.size(); ++i) {
    if (program_.globals[i].is_thread_local) {
      state_.memory.remove(addresses.of_thread_local(GlobalId(i), thread_));
    }
  }
  thread.status = thread.is_detached ? Thread::Status::Unused : Thread::Status::Ended;
  thread.result = thread.is_detached || !interpreter_.joins_threads() ? 0 : result;
  thread.frames.clear();
  thread.registers.clear();
  thread.stack_next = 0;
  thread.sections = 0;
  if (state_.section_owner == thread_) {
    state_.section_owner.reset();
    state_.section_start.reset();
  }
}

// ---- Mutexes

bool Execution::is_mutex(std::uint64_t mutex) {
  const Memory::ResolvedAddress place = state_.memory.locate(mutex, 8);
  if (place.error == AccessError::None) return true;
  report_access(mutex, 8, true, place.error);
  return false;
}

std::uint32_t Execution::mutex_kind(std::uint64_t mutex) const {
  const std::uint64_t offset = mutex_kind_offset(interpreter_.addresses().pointer_bytes());
  return static_cast<std::uint32_t>(state_.memory.load(mutex + offset, 4).value & 3);
}

void Execution::take(std::uint64_t mutex) {
  state_.memory.store_anyway(mutex, 4, thread_.value + 1);
  auto& held = state_.change(thread_).held;
  const auto place = std::ranges::lower_bound(held, mutex);
  if (place == held.end() || *place != mutex) held.insert(place, mutex);
  if (observer_ != nullptr) observer_->locked(thread_, mutex);
}

void Execution::forget_owner(std::uint64_t mutex) {
  const std::uint32_t owner = mutex_owner(state_.memory, mutex);
  if (owner == 0 || owner > state_.threads.size()) return;
  const ThreadId holder(owner - 1);
  if (std::ranges::binary_search(state_.thread(holder).held, mutex))
    std::erase(state_.change(holder).held, mutex);
}

void Execution::init_mutex(const Synchronise& effect) {
  const std::uint64_t mutex = value(effect.arguments[0]);
  if (!is_mutex(mutex)) return;
  const std::uint64_t kind = effect.arguments.size() > 1 ? value(effect.arguments[1]) : 0;
  forget_owner(mutex);
  state_.memory.store_anyway(mutex, 8, 0);
  state_.memory.store_anyway(mutex + mutex_kind_offset(interpreter_.addresses().pointer_bytes()), 4,
                             kind);
  finish(effect, 0);
}

void Execution::lock_mutex(const Synchronise& effect) {
  const std::uint64_t mutex = value(effect.arguments[0]);
  if (!is_mutex(mutex)) return;
  const std::uint32_t owner = mutex_owner(state_.memory, mutex);
  const std::uint32_t kind = mutex_kind(mutex);
  if (owner == thread_.value + 1 && kind == kErrorChecking) return finish(effect, kWouldDeadlock);
  if (owner == thread_.value + 1 && kind == kRecursive) {
    const std::uint64_t count = state_.memory.load(mutex + 4, 4).value;
    state_.memory.store_anyway(mutex + 4, 4, count + 1);
    return finish(effect, 0);
  }
  if (owner != 0) return block();
  take(mutex);
  finish(effect, 0);
}

void Execution::try_lock_mutex(const Synchronise& effect) {
  const std::uint64_t mutex = value(effect.arguments[0]);
  if (!is_mutex(mutex)) return;
  const std::uint32_t owner = mutex_owner(state_.memory, mutex);
  if (owner == thread_.value + 1 && mutex_kind(mutex) == kRecursive) return lock_mutex(effect);
  if (owner != 0) return finish(effect, kBusy);
  take(mutex);
  finish(effect, 0);
}

std::uint64_t Execution::give_up(std::uint64_t mutex) {
  const std::uint32_t kind = mutex_kind(mutex);
  const bool is_own = mutex_owner(state_.memory, mutex) == thread_.value + 1;
  if (!is_own && (kind == kErrorChecking || kind == kRecursive)) return kNotPermitted;
  const std::uint64_t count = kind == kRecursive ? state_.memory.load(mutex + 4, 4).value : 0;
  if (count > 0) {
    state_.memory.store_anyway(mutex + 4, 4, count - 1);
    return 0;
  }
  forget_owner(mutex);
  state_.memory.store_anyway(mutex, 4, 0);
  if (observer_ != nullptr) observer_->unlocked(thread_, mutex);
  return 0;
}

void Execution::unlock_mutex(const Synchronise& effect) {
  const std::uint64_t mutex = value(effect.arguments[0]);
  if (!is_mutex(mutex)) return;
  finish(effect, give_up(mutex));
}

// ---- Condition variables

std::vector<ThreadId> Execution::sleepers(std::uint64_t condition) const {
  std::vector<ThreadId> found;
  for (std::size_t i = 0; i < state_.threads.size(); ++i) {
    const Thread& thread = *state_.threads[i];
    if (thread.status == Thread::Status::Sleeping && thread.condition == condition &&
        !thread.is_signalled) {
      found.emplace_back(i);
    }
  }
  return found;
}

void Execution::fall_asleep(const Synchronise& effect) {
  if (state_.thread(thread_).sections > 0) {
    return report(Violation::Kind::Unsupported, "a condition wait in an atomic section");
  }
  const std::uint64_t condition = value(effect.arguments[0]);
  const std::uint64_t mutex = value(effect.arguments[1]);
  if (!is_valid(condition, 1, false) || !is_mutex(mutex)) return;
  if (const std::uint64_t error = give_up(mutex); error != 0) return finish(effect, error);
  Thread& thread = state_.change(thread_);
  thread.status = Thread::Status::Sleeping;
  thread.condition = condition;
  thread.mutex = mutex;
  thread.is_signalled = false;
}

void Execution::wake_up(const Synchronise& effect) {
  const std::uint64_t mutex = state_.thread(thread_).mutex;
  if (!is_mutex(mutex)) return;
  const std::uint32_t owner = mutex_owner(state_.memory, mutex);
  const bool is_recursive = owner == thread_.value + 1 && mutex_kind(mutex) == kRecursive;
  if (owner != 0 && !is_recursive) return block();
  std::uint64_t result = 0;
  if (effect.operation == SyncOperation::ConditionTimedWait) {
    ChoiceRequest request;
    request.kind = ChoiceRequest::Kind::TimedOut;
    request.count = 2;
    const std::optional<std::uint64_t> times_out = choose(request);
    if (!times_out) return;
    result = *times_out != 0 ? kTimedOut : 0;
  }
  Thread& thread = state_.change(thread_);
  thread.status = Thread::Status::Running;
  thread.condition = 0;
  thread.mutex = 0;
  thread.is_signalled = false;
  if (is_recursive) {
    state_.memory.store_anyway(mutex + 4, 4, state_.memory.load(mutex + 4, 4).value + 1);
  } else {
    take(mutex);
  }
  finish(effect, result);
}

void Execution::signal(const Synchronise& effect) {
  const std::uint64_t condition = value(effect.arguments[0]);
  if (!is_valid(condition, 1, false)) return;
  const std::vector<ThreadId> waiting = sleepers(condition);
  std::uint64_t chosen = 0;
  if (waiting.size() > 1) {
    ChoiceRequest request;
    request.kind = ChoiceRequest::Kind::Signalled;
    request.width = 32;
    request.count = waiting.size();
    const std::optional<std::uint64_t> choice = choose(request);
    if (!choice) return;
    chosen = *choice;
  }
  if (!waiting.empty()) state_.change(waiting[chosen]).is_signalled = true;
  finish(effect, 0);
}

void Execution::broadcast(const Synchronise& effect) {
  const std::uint64_t condition = value(effect.arguments[0]);
  if (!is_valid(condition, 1, false)) return;
  for (const ThreadId sleeper : sleepers(condition)) state_.change(sleeper).is_signalled = true;
  finish(effect, 0);
}

// ---- Atomic sections

void Execution::begin_section(const State& before) {
  if (state_.thread(thread_).sections == 0) {
    if (interpreter_.sections_may_block()) {
      state_.section_start = std::make_shared<const State>(before);
    }
    state_.section_owner = thread_;
  }
  ++state_.change(thread_).sections;
}

void Execution::end_section() {
  if (state_.thread(thread_).sections == 0) return;  // an end without a beginning
  if (--state_.change(thread_).sections > 0) return;
  state_.section_owner.reset();
  state_.section_start.reset();
}

void Execution::block() {
  if (state_.section_start) {
    const std::shared_ptr<const State> before = state_.section_start;
    state_ = *before;
    result_.outcome = Outcome::Undone;
    return;
  }
  result_.outcome = Outcome::Blocked;
}

}  // namespace heddle::model::c
