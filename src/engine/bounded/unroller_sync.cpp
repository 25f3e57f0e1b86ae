/// Threads, mutexes, condition variables and atomic sections.
///
/// A step that has to wait is made in a round in which it need not, or never: that is a clause, not
/// a choice of the path. Giving a mutex back and ending a thread only help others, so no switch is
/// needed before them. A thread may wake from a condition wait at any time; hence a wait gives the
/// mutex back and takes it again, and signals do nothing.

#include <algorithm>

#include "engine/bounded/unroller.hpp"

namespace heddle::engine::bounded {

using model::c::Synchronise;
using model::c::SyncOperation;

namespace {

// Error numbers of POSIX, as Linux numbers them, and kinds of mutexes, as glibc does.
constexpr std::uint64_t kErrorNotPermitted = 1;
constexpr std::uint64_t kErrorBusy = 16;
constexpr std::uint64_t kErrorWouldDeadlock = 35;
constexpr std::uint64_t kErrorTimedOut = 110;
constexpr std::uint64_t kRecursiveMutex = 1;
constexpr std::uint64_t kCheckingMutex = 2;

}  // namespace

void Unroller::finish(Path& path, const Synchronise& effect, const Word& result) {
  if (effect.to) set(path, *effect.to, result);
  step_over(path);
}

void Unroller::execute(Path& path, const Synchronise& effect) {
  const auto argument = [&](std::size_t i) { return value(path, effect.arguments[i]); };
  switch (effect.operation) {
    case SyncOperation::CreateThread: return create_thread(path, effect);
    case SyncOperation::JoinThread: return join_thread(path, effect);
    case SyncOperation::ExitThread:
      return end_thread(path, effect.arguments.empty() ? number(0, 64) : argument(0));
    case SyncOperation::SelfThread:
      result_.is_proof = false;  // the interpreter uses numbers again
      return finish(path, effect, number(thread_ + 1, 64));
    case SyncOperation::MutexInit: return init_mutex(path, effect);
    case SyncOperation::MutexLock: return lock_mutex(path, effect, argument(0), false);
    case SyncOperation::MutexTryLock: return lock_mutex(path, effect, argument(0), true);
    case SyncOperation::MutexUnlock: {
      Word result = number(0, 32);
      act(path);
      unlock_mutex(path, argument(0), &result);
      if (path.guard != kFalse) finish(path, effect, result);
      return;
    }
    case SyncOperation::ConditionWait:
    case SyncOperation::ConditionTimedWait: return wait(path, effect);
    case SyncOperation::AtomicBegin:
      switch_before(path);
      act(path);
      ++path.sections;
      return step_over(path);
    case SyncOperation::AtomicEnd:
      act(path);
      if (path.sections > 0) --path.sections;
      return step_over(path);
    case SyncOperation::BlockUntil:
      wait_for(path, argument(0).bits.front());
      if (path.guard != kFalse) finish(path, effect, number(0, 64));
      return;
    case SyncOperation::DetachThread: result_.is_proof = false; break;  // joins may fail
    case SyncOperation::ConditionSignal:
    case SyncOperation::ConditionBroadcast: may_signal(path, argument(0)); break;
    case SyncOperation::MutexDestroy:
    case SyncOperation::Fence: break;
  }
  finish(path, effect, number(0, 64));
}

// ---- Threads

void Unroller::start_thread(const Path& path, Wire condition, std::uint32_t thread,
                            model::c::FunctionId start, Word argument) {
  Path child;
  child.guard = result_.circuit.conjunction(path.guard, condition);
  child.moment = path.moment;
  child.memory = path.memory;
  enter(child, start, {std::move(argument)});
  if (thread >= creations_.size()) {
    creations_.resize(thread + 1);
    result_.threads.resize(thread + 1);
  }
  Wire& created = fate(thread).created;
  created = result_.circuit.disjunction(
      created, result_.circuit.conjunction(child.guard, !child.moment->never));
  const auto found = created_.find(thread);
  if (found != created_.end()) return merge(found->second, std::move(child));
  ++running_;
  creations_[thread] = {thread_, ++moment_};
  result_.threads[thread].creation = creations_[thread];
  result_.threads[thread].created_by = result_.threads[thread_].actions.size() - 1;
  result_.threads[thread].start = start;
  facts_.share(objects_.end_of_thread(thread), 0, 1);
  facts_.share(objects_.result_of_thread(thread), 0, program_.pointer_bytes);
  created_.emplace(thread, std::move(child));
}

void Unroller::create_thread(Path& path, const Synchronise& effect) {
  const Word handle_address = value(path, effect.arguments[0]);
  const Word start = value(path, effect.arguments[1]);
  const unsigned width = 8u * program_.pointer_bytes;
  PlaceKey place = key_of(path);
  place.insert(place.begin(), thread_);
  stop_being_alone(path);
  std::vector<Target> handle;
  bool switches = false;
  if (constant_value(handle_address.bits) != std::uint64_t{0}) {
    handle = targets(path, handle_address, program_.pointer_bytes, true);
    if (path.guard == kFalse) return;
    switches = switch_before(path, handle, program_.pointer_bytes);
  }
  act(path);
  may_race(path, handle, program_.pointer_bytes, Mode::Write, switches);
  Word number_of_thread = number(0, width);
  Wire is_known = kFalse;
  const std::vector<std::uint32_t> none;
  for (const std::uint32_t object : start.pointees != nullptr ? *start.pointees : none) {
    if (!objects_[object].is_function) continue;
    const Wire is_it = equal(result_.circuit, start.bits, objects_[object].address);
    const model::c::FunctionId function = objects_.function(object);
    const auto& code = program_.functions[function.index()];
    if (is_it == kFalse || code.code.empty() || code.is_atomic) continue;
    PlaceKey key = place;
    key.push_back(function.value);
    const std::uint32_t thread = objects_.thread_created_at(key);
    number_of_thread = select(is_it, number(thread + 1, width), number_of_thread);
    is_known = result_.circuit.disjunction(is_known, is_it);
    if (!created_.contains(thread) && running_ >= bounds_.threads) {
      result_.meets_threads = true;
      Wire& exceeds = result_.waiting.exceeds_threads;
      exceeds =
          result_.circuit.disjunction(exceeds, result_.circuit.conjunction(executed(path), is_it));
      continue;
    }
    start_thread(path, is_it, thread, function, value(path, effect.arguments[2]));
  }
  drop_if(path, !is_known);
  if (path.guard == kFalse) return;
  write(path, handle, number_of_thread);
  finish(path, effect, number(0, 64));
}

void Unroller::join_thread(Path& path, const Synchronise& effect) {
  const Word handle = value(path, effect.arguments[0]);
  const Word address = value(path, effect.arguments[1]);
  const unsigned width = 8u * program_.pointer_bytes;
  switch_before(path);
  Wire is_known = kFalse;
  Word result = number(0, width);
  for (std::uint32_t thread = 0; thread < creations_.size(); ++thread) {
    const Wire is_it = equal(result_.circuit, resized(handle.bits, width), thread + 1);
    if (is_it == kFalse || thread == thread_) continue;
    is_known = result_.circuit.disjunction(is_known, is_it);
    if (!joined_.insert(thread).second) result_.is_proof = false;  // the second join may fail
    const Word ended = read_shared(path, {objects_.end_of_thread(thread), 0, is_it}, 1);
    wait_for(path, result_.circuit.disjunction(!is_it, ended.bits.front()));
    const Word its =
        read_shared(path, {objects_.result_of_thread(thread), 0, is_it}, program_.pointer_bytes);
    result = select(is_it, its, result);
  }
  if (is_known != kTrue) {
    Path unknown = path;
    unknown.guard = result_.circuit.conjunction(path.guard, !is_known);
    if (unknown.guard != kFalse) leave_out(unknown, "a join of a thread that is not known");
    path.guard = result_.circuit.conjunction(path.guard, is_known);
    if (path.guard == kFalse) return;
  }
  act(path);
  if (constant_value(address.bits) != std::uint64_t{0}) {
    const auto found = targets(path, address, program_.pointer_bytes, true);
    if (path.guard == kFalse) return;
    may_race(path, found, program_.pointer_bytes, Mode::Write, false);
    write(path, found, result);
  }
  finish(path, effect, number(0, 64));
}

void Unroller::end_thread(Path& path, const Word& result) {
  act(path);
  Wire& ended = fate(thread_).ended;
  ended = result_.circuit.disjunction(ended, executed(path));
  if (!path.is_alone) {
    Word kept = result;
    kept.bits.resize(8u * program_.pointer_bytes, kFalse);
    facts_.share(objects_.end_of_thread(thread_), 0, 1);
    facts_.share(objects_.result_of_thread(thread_), 0, program_.pointer_bytes);
    write_shared(path, {objects_.result_of_thread(thread_), 0, kTrue}, kept);
    write_shared(path, {objects_.end_of_thread(thread_), 0, kTrue}, number(1, 8));
  }
  path.frames.clear();
}

// ---- Mutexes

namespace {

Word moved(Circuit& circuit, const Word& address, std::uint64_t by) {
  const auto width = static_cast<unsigned>(address.bits.size());
  return {sum(circuit, address.bits, constant_bits(by, width)), address.pointees};
}

}  // namespace

void Unroller::init_mutex(Path& path, const Synchronise& effect) {
  const Word mutex = value(path, effect.arguments[0]);
  const auto words = targets(path, mutex, 8, true);
  if (path.guard == kFalse) return;
  switch_before(path, words, 8);
  act(path);
  write(path, words, number(0, 64));
  const Word kind_address =
      moved(result_.circuit, mutex, model::c::mutex_kind_offset(program_.pointer_bytes));
  const auto kind_targets = targets(path, kind_address, 4, true);
  if (path.guard == kFalse) return;
  Word kind = effect.arguments.size() > 1 ? value(path, effect.arguments[1]) : number(0, 32);
  kind.bits.resize(32, kFalse);
  write(path, kind_targets, kind);
  finish(path, effect, number(0, 64));
}

void Unroller::lock_mutex(Path& path, const Synchronise& effect, const Word& mutex, bool tries) {
  Circuit& circuit = result_.circuit;
  const auto owner_targets = targets(path, mutex, 4, true);
  if (path.guard == kFalse) return;
  switch_before(path);
  act(path);
  const Word owner = read(path, owner_targets, 4);
  const Word kind_address =
      moved(circuit, mutex, model::c::mutex_kind_offset(program_.pointer_bytes));
  const Word kind = read(path, targets(path, kind_address, 4, false), 4);
  const Bits low_kind = resized(kind.bits, 2);
  const Wire is_own = equal(circuit, owner.bits, thread_ + 1);
  const Wire is_free = equal(circuit, owner.bits, std::uint64_t{0});
  const Wire again = circuit.conjunction(is_own, equal(circuit, low_kind, kRecursiveMutex));
  const Wire fails = tries ? circuit.conjunction(!is_free, !again)
                           : circuit.conjunction(is_own, equal(circuit, low_kind, kCheckingMutex));
  if (!tries) wait_for(path, disjunction(circuit, {is_free, again, fails}));
  if (path.guard == kFalse) return;
  write(path, owner_targets, select(is_free, number(thread_ + 1, 32), owner));
  if (again != kFalse) {
    const auto count_targets = targets(path, moved(circuit, mutex, 4), 4, true);
    const Word count = read(path, count_targets, 4);
    const Word more{sum(circuit, count.bits, constant_bits(0, 32), again), nullptr};
    write(path, count_targets, more);
  }
  if (fails == kFalse)
    if (const auto address = constant_value(mutex.bits)) path.held.insert(*address);
  finish(path, effect,
         select(fails, number(tries ? kErrorBusy : kErrorWouldDeadlock, 32), number(0, 32)));
}

void Unroller::unlock_mutex(Path& path, const Word& mutex, Word* result) {
  Circuit& circuit = result_.circuit;
  const auto owner_targets = targets(path, mutex, 4, true);
  if (path.guard == kFalse) return;
  const Word owner = read(path, owner_targets, 4);
  const Word kind_address =
      moved(circuit, mutex, model::c::mutex_kind_offset(program_.pointer_bytes));
  const Word kind = read(path, targets(path, kind_address, 4, false), 4);
  const Bits low_kind = resized(kind.bits, 2);
  const Wire is_recursive = equal(circuit, low_kind, kRecursiveMutex);
  const Wire checks = circuit.disjunction(is_recursive, equal(circuit, low_kind, kCheckingMutex));
  const Wire is_own = equal(circuit, owner.bits, thread_ + 1);
  const Wire fails = circuit.conjunction(!is_own, checks);
  Wire stays = fails;
  if (is_recursive != kFalse) {
    const auto count_targets = targets(path, moved(circuit, mutex, 4), 4, true);
    const Word count = read(path, count_targets, 4);
    const Wire is_counted =
        circuit.conjunction(is_recursive, !equal(circuit, count.bits, std::uint64_t{0}));
    const Wire goes_down = circuit.conjunction(is_counted, !fails);
    const Bits ones(32, goes_down);
    write(path, count_targets, {sum(circuit, count.bits, ones), nullptr});
    stays = circuit.disjunction(stays, goes_down);
  }
  write(path, owner_targets, select(stays, owner, number(0, 32)));
  const auto address = constant_value(mutex.bits);
  if (!path.is_alone && (!address || !path.held.contains(*address))) {
    const bool must_be_own = checks == kTrue;
    if (!must_be_own) facts_.distrust_mutexes();
  }
  if (address) path.held.erase(*address);
  if (result != nullptr) *result = select(fails, number(kErrorNotPermitted, 32), number(0, 32));
}

void Unroller::wait(Path& path, const Synchronise& effect) {
  const Word mutex = value(path, effect.arguments[1]);
  if (path.sections > 0) return leave_out(path, "a condition wait in an atomic section");
  const Path before = path;
  act(path);
  unlock_mutex(path, mutex, nullptr);
  if (path.guard == kFalse) return;
  const bool is_timed = effect.operation == SyncOperation::ConditionTimedWait;
  const Wire guard = path.guard;
  const MomentRef asleep = path.moment;
  lock_mutex(path, effect, mutex, false);
  if (!is_timed) may_sleep(path, guard, value(before, effect.arguments[0]), asleep);
  if (path.guard == kFalse || !is_timed || !effect.to) return;
  const Wire times_out = result_.circuit.input();
  result_.threads[thread_].actions.back().choice = {times_out};
  set(path, *effect.to, select(times_out, number(kErrorTimedOut, 32), number(0, 32)));
}

}  // namespace heddle::engine::bounded
