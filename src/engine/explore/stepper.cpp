#include "engine/explore/stepper.hpp"

#include <algorithm>

#include "model/c/run_end.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

/// A step ends after so many instructions even if nobody notices them: they may never end.
constexpr std::uint32_t kLongStep = 4000;
constexpr std::uint32_t kLongSection = 1'000'000;
/// Threads that fairness is decided for: bits of a word.
constexpr std::size_t kMostFairThreads = 64;
/// Decisions that are noted for each place and outcome.
constexpr std::uint8_t kMostNoted = 3;
/// Addresses that are noted for each object.
constexpr std::size_t kMostAddresses = 12;

std::size_t live_threads(const State& state) {
  return static_cast<std::size_t>(
      std::ranges::count_if(state.threads, [](const auto& thread) { return thread->is_live(); }));
}

bool is_sync(const Instruction& instruction, SyncOperation operation) {
  const auto* sync = std::get_if<Synchronise>(&instruction.effect);
  return sync != nullptr && sync->operation == operation;
}

bool has_sync(const Program& program, SyncOperation operation) {
  for (const Function& function : program.functions) {
    for (const Instruction& instruction : function.code) {
      if (is_sync(instruction, operation)) return true;
    }
  }
  return false;
}

/// Whether a frame that ends takes objects with it that others may know.
bool ends_shared_objects(const State& state, std::uint64_t first, std::uint64_t end) {
  for (const Memory::Slot& slot : state.memory.slots()) {
    if (first <= slot.address && slot.address < end && slot.object->is_shared) return true;
  }
  return false;
}

}  // namespace

Analyses::Analyses(const Program& program)
    : liveness(program),
      future(program),
      has_try_lock(has_sync(program, SyncOperation::MutexTryLock)),
      has_detach(has_sync(program, SyncOperation::DetachThread)) {}

Stepper::Stepper(const Interpreter& interpreter, const Analyses& analyses, const Values& values,
                 const StepperOptions& options, Locksets& locksets)
    : interpreter_(interpreter),
      program_(interpreter.program()),
      options_(options),
      escape_(interpreter),
      analyses_(analyses),
      values_(values),
      locksets_(locksets),
      lost_(program_) {
  for (const Function& function : program_.functions) noted_.emplace_back(function.code.size());
}

Steps Stepper::begin() {
  Branch branch;
  branch.state = interpreter_.initial();
  branch.has_begun = true;
  run(ThreadId(0u), std::move(branch));
  return std::exchange(steps_, {});
}

Steps Stepper::expand(const State& state, ThreadId thread) {
  Branch branch;
  branch.state = state;
  note_waiting(branch);
  run(thread, std::move(branch));
  return std::exchange(steps_, {});
}

void Stepper::run(ThreadId thread, Branch first) {
  pending_.push_back(std::move(first));
  while (!pending_.empty()) {
    Branch branch = std::move(pending_.back());
    pending_.pop_back();
    Progress progress = Progress::Continue;
    while (progress == Progress::Continue) progress = advance(thread, branch);
    if (tracks_memory(options_.property)) look_for_lost(thread, branch);
    if (progress == Progress::Emit) emit(thread, std::move(branch));
  }
}

void Stepper::emit(ThreadId thread, Branch branch) {
  if (branch.state.has_ended) return;
  branch.served |= std::uint64_t{1} << thread.index() % kMostFairThreads;
  if (options_.reduces) {
    if (branch.state.thread(thread).is_live()) analyses_.liveness.clear_dead(branch.state, thread);
    if (options_.analyses && options_.clears_globals) analyses_.future.clear_dead(branch.state);
    if (!is_about_waiting(options_.property)) forget_signals(branch.state);
  }
  steps_.successors.push_back(Successor{std::move(branch.state), branch.instructions,
                                        std::move(branch.choices), branch.served});
}

void Stepper::note_waiting(Branch& branch) const {
  const State& state = branch.state;
  if (options_.property != Property::FairTermination || state.section_owner) return;
  if (state.threads.size() > kMostFairThreads) gaps_.crowd = true;
  for (std::size_t i = 0; i < std::min(state.threads.size(), kMostFairThreads); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if ((branch.served & bit) == 0 && !is_enabled(interpreter_, state, ThreadId(i)))
      branch.served |= bit;
  }
}

/// Threads may wake by themselves: for safety, signals make no difference.
void Stepper::forget_signals(State& state) const {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    if (state.threads[i]->is_signalled) state.change(ThreadId(i)).is_signalled = false;
  }
}

/// Work on registers is local, nobody waits for it, and there is nothing to note about it. Most
/// instructions are of this kind.
bool Stepper::is_register_work(ThreadId thread, const Branch& branch) const {
  if (!options_.reduces || !branch.given.empty() || branch.instructions >= kLongStep) return false;
  if (branch.state.thread(thread).status != Thread::Status::Running) return false;
  const Effect& effect = interpreter_.next(branch.state, thread).effect;
  if (std::holds_alternative<Assign>(effect) || std::holds_alternative<Jump>(effect)) return true;
  if (gaps_.values) {  // decisions are noted
    const auto* compute = std::get_if<Compute>(&effect);
    return compute != nullptr && (!compute->is_signed || options_.property != Property::NoOverflow);
  }
  return std::holds_alternative<Compute>(effect) ||
         std::holds_alternative<model::c::Branch>(effect) || std::holds_alternative<Switch>(effect);
}

Stepper::Progress Stepper::advance(ThreadId thread, Branch& branch) {
  State& state = branch.state;
  if (is_register_work(thread, branch)) {
    const Position position = interpreter_.position(state, thread);
    StepResult result = interpreter_.step(state, thread);
    ++instructions_;
    return settle(thread, branch, result, position);
  }
  const bool in_section = state.section_owner == thread;
  const bool has_begun = branch.has_begun;
  if (gaps_.values && state.thread(thread).is_live()) note_decision(thread, branch);
  if (branch.has_begun && !in_section && branch.given.empty() &&
      stops_before(state, thread, branch)) {
    return Progress::Emit;
  }
  if (branch.given.empty()) {
    if (is_stuck(state, thread)) return Progress::Drop;
    if (options_.property == Property::NoDataRace) look_for_race(thread, branch);
  }
  if (options_.reduces && options_.analyses) watch(state, thread);
  const bool is_lock = is_right_mover(state, thread);
  const Position position = interpreter_.position(state, thread);
  const Escape::Pending pending = escape_.before(state, thread);
  StepResult result = interpreter_.step(state, thread, branch.given);
  ++instructions_;
  const Progress progress = settle(thread, branch, result, position);
  if (is_lock && branch.instructions < kLongStep) branch.has_begun = has_begun;
  if (result.outcome == Outcome::Continued) {
    escape_.after(state, pending);
    note_waiting(branch);
  }
  return progress;
}

Stepper::Progress Stepper::settle(ThreadId thread, Branch& branch, StepResult& result,
                                  Position position) {
  const bool in_section = branch.state.section_owner == thread;
  switch (result.outcome) {
    case Outcome::Blocked:  // a thread that is alone and waits: perhaps a deadlock
      return branch.has_begun && branch.instructions > 0 && !in_section ? Progress::Emit
                                                                        : Progress::Drop;
    case Outcome::Undone:
    case Outcome::Pruned:
    case Outcome::ProcessEnded: return Progress::Drop;
    case Outcome::NeedsChoice:
      if (branch.has_begun && branch.instructions > 0 && !in_section) return Progress::Emit;
      return fork(thread, branch, result.request);
    case Outcome::Violated: return report(branch, std::move(*result.violation));
    case Outcome::Continued: break;
  }
  ++branch.instructions;
  branch.choices.insert(branch.choices.end(), branch.given.begin(), branch.given.end());
  branch.given.clear();
  branch.has_begun = branch.has_begun || !in_section;
  if (result.overflowed && options_.property == Property::NoOverflow) {
    Violation violation{Violation::Kind::Overflow, std::string(kOverflowPhrase), thread, position};
    steps_.findings.push_back(
        Finding{std::move(violation), branch.instructions, branch.choices, {}, {}});
    return Progress::Drop;
  }
  if (in_section && branch.instructions > kLongSection) {
    gaps_.section = true;
    return Progress::Drop;
  }
  return Progress::Continue;
}

void Stepper::note_decision(ThreadId thread, const Branch& branch) {
  const Frame& frame = branch.state.thread(thread).frames.back();
  const Effect& effect = program_.functions[frame.function.index()].code[frame.at.index()].effect;
  if (const Operand* address = address_operand(effect))
    return note_access(thread, branch, *address);
  std::uint64_t outcome = 0;
  if (const auto* decision = std::get_if<model::c::Branch>(&effect)) {
    outcome = interpreter_.value(branch.state, thread, decision->condition) & 1;
  } else if (const auto* assume = std::get_if<Assume>(&effect)) {
    outcome = interpreter_.value(branch.state, thread, assume->condition) & 1;
    if (outcome == 1) return;
  } else if (const auto* compute = std::get_if<Compute>(&effect)) {
    if (!compute->is_signed || options_.property != Property::NoOverflow) return;
  } else if (!std::holds_alternative<Switch>(effect)) {
    return;
  }
  std::uint8_t& noted = noted_[frame.function.index()][frame.at.index()][outcome];
  if (noted >= kMostNoted) return;
  ++noted;
  steps_.decisions.push_back({branch.instructions, branch.choices, std::nullopt});
}

/// Which byte of an object is accessed may depend on chosen words, and whether somebody else
/// accesses it, too.
void Stepper::note_access(ThreadId thread, const Branch& branch, const Operand& operand) {
  const std::uint64_t address = interpreter_.value(branch.state, thread, operand);
  const Memory::ResolvedAddress place = branch.state.memory.locate(address, 1);
  if (place.error != AccessError::None) return;
  const std::uint64_t object = address - place.offset;
  std::set<std::uint64_t>& met = accessed_[object];
  if (met.size() < kMostAddresses) met.insert(address);
  if (operand.kind != Operand::Kind::Register) return;
  const Frame& frame = branch.state.thread(thread).frames.back();
  std::uint8_t& noted = noted_[frame.function.index()][frame.at.index()][0];
  if (noted >= kMostNoted) return;
  ++noted;
  steps_.decisions.push_back({branch.instructions, branch.choices, object});
}

std::vector<std::uint64_t> Stepper::accessed(std::uint64_t object) const {
  const auto found = accessed_.find(object);
  if (found == accessed_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

Stepper::Progress Stepper::fork(ThreadId thread, Branch& branch, const ChoiceRequest& request) {
  const Frame& frame = branch.state.thread(thread).frames.back();
  const Candidates candidates = values_.of({frame.function, frame.at}, request);
  if (!candidates.are_all) gaps_.values = true;
  for (std::size_t i = candidates.values.size(); i-- > 0;) {
    Branch copy = branch;
    copy.given.push_back(candidates.values[i]);
    pending_.push_back(std::move(copy));
  }
  return Progress::Drop;
}

Stepper::Progress Stepper::report(Branch& branch, Violation violation) {
  const bool in_section = branch.state.section_owner.has_value();
  if (violation.kind == Violation::Kind::Unsupported) {
    if (gaps_.unsupported.empty()) {
      const std::uint32_t line = interpreter_.position(branch.state, violation.thread).line;
      const std::string place = line == 0 ? "" : "line " + std::to_string(line) + ": ";
      gaps_.unsupported = place + violation.what;
    }
  } else {
    Finding finding{std::move(violation), branch.instructions + 1, branch.choices, {}, {}};
    finding.choices.insert(finding.choices.end(), branch.given.begin(), branch.given.end());
    steps_.findings.push_back(std::move(finding));
  }
  branch.given.clear();
  // The thread will never get past this; the others may go on before it gets here.
  return branch.has_begun && branch.instructions > 0 && !in_section ? Progress::Emit
                                                                    : Progress::Drop;
}

// ---- What others notice

bool Stepper::stops_before(const State& state, ThreadId thread, const Branch& branch) const {
  if (!state.thread(thread).is_live()) return true;
  if (!options_.reduces) return branch.instructions > 0;
  return branch.instructions >= kLongStep || is_stuck(state, thread) || !is_local(state, thread);
}

bool Stepper::exceeds_threads(const State& state, ThreadId thread) const {
  return is_sync(interpreter_.next(state, thread), SyncOperation::CreateThread) &&
         live_threads(state) >= options_.threads;
}

bool Stepper::is_stuck(const State& state, ThreadId thread) const {
  const Effect& effect = interpreter_.next(state, thread).effect;
  if (const auto* assume = std::get_if<Assume>(&effect)) {
    return (interpreter_.value(state, thread, assume->condition) & 1) == 0;
  }
  if (std::holds_alternative<Exit>(effect)) return true;
  if (!exceeds_threads(state, thread)) return false;
  gaps_.threads = true;
  return true;
}

bool Stepper::may_get_stuck(const State& state, ThreadId thread) const {
  if (!state.thread(thread).is_live()) return false;
  if (is_sync(interpreter_.next(state, thread), SyncOperation::MutexLock))
    return locksets_.holds_any(state, thread);
  return !interpreter_.can_step(state, thread, false);
}

bool Stepper::can_expand(const State& state, ThreadId thread) const {
  const bool spurious = !is_about_ending(options_.property);
  return interpreter_.can_step(state, thread, spurious) && !is_stuck(state, thread);
}

bool Stepper::is_left_alone(const State& state, ThreadId thread, GlobalId global,
                            bool writes) const {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const Thread& other = *state.threads[i];
    if (i == thread.index() || !other.is_live()) continue;
    if (analyses_.future.may_access(other, global, true)) return false;
    if (writes && analyses_.future.may_access(other, global, false)) return false;
  }
  return true;
}

bool Stepper::is_private(const State& state, ThreadId thread, const Access& access) const {
  if (access.bytes == 0) return true;
  const Memory::ResolvedAddress place = state.memory.locate(access.address, access.bytes);
  if (place.error != AccessError::None) return place.error != AccessError::Dead;
  const Object& object = state.memory.object(place.slot);
  if (object.is_constant && !access.is_write) return true;
  if (!options_.analyses) return false;
  const std::uint64_t address = state.memory.slots()[place.slot].address;
  const Effect& effect = interpreter_.next(state, thread).effect;
  const bool ends_object =
      std::holds_alternative<Free>(effect) || std::holds_alternative<Lifetime>(effect);
  if (!ends_object && object.kind != Object::Kind::Stack &&
      locksets_.protect(state, thread, address)) {
    return true;
  }
  if (object.kind == Object::Kind::Global) {
    return is_left_alone(state, thread, analyses_.future.global_in(place.slot), access.is_write);
  }
  return !object.is_shared && object.owner == thread;
}

void Stepper::watch(const State& state, ThreadId thread) const {
  const Instruction& next = interpreter_.next(state, thread);
  if (const auto* sync = std::get_if<Synchronise>(&next.effect)) {
    if (sync->operation == SyncOperation::MutexUnlock) {
      const std::uint64_t mutex = interpreter_.value(state, thread, sync->arguments[0]);
      if (mutex_owner(state.memory, mutex) != thread.value + 1) gaps_.surprise = true;
    }
    if (sync->operation == SyncOperation::MutexLock ||
        sync->operation == SyncOperation::MutexTryLock) {
      locksets_.add_mutex(interpreter_.value(state, thread, sync->arguments[0]));
    }
  }
  const Access access = interpreter_.next_access(state, thread);
  if (access.bytes == 0) return;
  const Memory::ResolvedAddress place = state.memory.locate(access.address, access.bytes);
  if (place.error != AccessError::None) return;
  const Object& object = state.memory.object(place.slot);
  if (locksets_.note(state, thread, state.memory.slots()[place.slot].address)) {
    gaps_.lessons = true;
  }
  const bool is_foreseen =
      object.kind == Object::Kind::Global
          ? object.is_constant || analyses_.future.foresees(state.thread(thread).frames.back(),
                                                            analyses_.future.global_in(place.slot))
          : object.is_shared || object.owner == thread;
  if (!is_foreseen) gaps_.surprise = true;
}

/// Locking commutes to the right with all that others can do while the mutex is locked. A step that
/// locks goes on to the next operation; what is lost is that a thread waits there with the mutex
/// locked, which matters to deadlocks only. Races are looked for where threads stand, hence not
/// then.
bool Stepper::is_right_mover(const State& state, ThreadId thread) const {
  if (!options_.reduces || !options_.analyses || analyses_.has_try_lock) return false;
  if (is_about_waiting(options_.property) || options_.property == Property::NoDataRace) {
    return false;
  }
  return is_sync(interpreter_.next(state, thread), SyncOperation::MutexLock);
}

bool Stepper::is_local_sync(const State& state, ThreadId thread, const Synchronise& sync) const {
  const auto first = [&] { return interpreter_.value(state, thread, sync.arguments[0]); };
  switch (sync.operation) {
    case SyncOperation::SelfThread:
    case SyncOperation::Fence:
    case SyncOperation::MutexDestroy:
    case SyncOperation::AtomicEnd: return true;
    case SyncOperation::ConditionSignal:
    case SyncOperation::ConditionBroadcast: return !is_about_waiting(options_.property);
    case SyncOperation::MutexInit:
      return is_private(state, thread, Access{first(), 8, false, true, false});
    case SyncOperation::MutexUnlock:  // it can only let others go on, now as well as later
      return options_.analyses && !analyses_.has_try_lock &&
             mutex_owner(state.memory, first()) == thread.value + 1;
    case SyncOperation::ExitThread: {
      const Thread& own = state.thread(thread);
      return !ends_shared_objects(state, own.frames.front().stack_mark, own.stack_next);
    }
    case SyncOperation::CreateThread:  // nobody else creates threads: numbers do not depend on it
      return options_.analyses && analyses_.future.only_entry_manages() && !analyses_.has_detach &&
             is_private(state, thread, interpreter_.next_access(state, thread));
    case SyncOperation::JoinThread:
      return options_.analyses && analyses_.future.only_entry_manages() && !analyses_.has_detach &&
             interpreter_.can_step(state, thread, false) &&
             is_private(state, thread, interpreter_.next_access(state, thread));
    default: return false;
  }
}

/// A thread that is alone and can only wait for others is deadlocked before its section.
bool Stepper::may_be_undone(const State& state, ThreadId thread) const {
  if (!is_about_waiting(options_.property) || !interpreter_.sections_may_block()) return false;
  const Instruction& next = interpreter_.next(state, thread);
  return is_sync(next, SyncOperation::AtomicBegin) || std::holds_alternative<Call>(next.effect);
}

bool Stepper::is_local(const State& state, ThreadId thread) const {
  if (!options_.reduces || state.thread(thread).status != Thread::Status::Running) return false;
  const Effect& effect = interpreter_.next(state, thread).effect;
  if (live_threads(state) == 1) return !may_be_undone(state, thread);
  if (const auto* sync = std::get_if<Synchronise>(&effect)) {
    return is_local_sync(state, thread, *sync);
  }
  if (const auto* call = std::get_if<Call>(&effect)) {
    const auto callee =
        interpreter_.addresses().function_at(interpreter_.value(state, thread, call->callee));
    return !callee || !program_.functions[callee->index()].is_atomic;
  }
  if (std::holds_alternative<Return>(effect)) {
    const Thread& own = state.thread(thread);
    return !ends_shared_objects(state, own.frames.back().stack_mark, own.stack_next);
  }
  // Somebody may end the process before.
  if (options_.property == Property::MemoryCleanup && std::holds_alternative<Free>(effect))
    return false;
  return is_private(state, thread, interpreter_.next_access(state, thread));
}

// ---- Memory that is left over

void Stepper::look_for_lost(ThreadId thread, const Branch& branch) {
  if (options_.property == Property::MemoryCleanup) look_for_unfreed(thread, branch);
  if (branch.instructions == 0 || !lost_.find(branch.state)) return;
  Finding finding;  // the rest is told once the instruction is known that lost it
  finding.violation.kind = Violation::Kind::LostMemory;
  finding.instructions = branch.instructions;
  finding.choices = branch.choices;
  steps_.findings.push_back(std::move(finding));
}

/// Whether a thread stands before the end of the process while something is allocated.
void Stepper::look_for_unfreed(ThreadId thread, const Branch& branch) {
  const State& state = branch.state;
  const auto object = find_allocated(state);
  if (!object) return;
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const ThreadId ending(i);
    if (!state.thread(ending).is_live()) continue;
    if (state.section_owner && state.section_owner != ending) continue;
    const Instruction& next = interpreter_.next(state, ending);
    if (!std::holds_alternative<Exit>(next.effect) && !std::holds_alternative<Fail>(next.effect))
      continue;
    const auto kind = Violation::Kind::UnfreedMemory;
    Finding finding;
    finding.violation = {kind, left_phrase(kind, state, *object), ending,
                         interpreter_.position(state, ending)};
    finding.instructions = branch.instructions;
    finding.choices = branch.choices;
    if (ending == thread)
      ++finding.instructions;
    else
      finding.after.push_back(RunStep{ending, 1, {}});
    steps_.findings.push_back(std::move(finding));
    return;
  }
}

// ---- Races: two threads stand before accesses that conflict

namespace {

/// Executes a thread's next instruction, even inside another one's atomic section, with zeros for
/// the choices that it asks for; these.
std::vector<std::uint64_t> step_with_zeros(const Interpreter& interpreter, State& state,
                                           ThreadId thread) {
  const auto owner = state.section_owner;
  const bool is_foreign = owner && *owner != thread;
  std::vector<std::uint64_t> choices;
  for (;;) {
    State next = state;
    if (is_foreign) next.section_owner.reset();
    if (interpreter.step(next, thread, choices).outcome != Outcome::NeedsChoice) {
      if (is_foreign) next.section_owner = owner;
      state = std::move(next);
      return choices;
    }
    choices.push_back(0);
  }
}

Access racing_access(const Interpreter& interpreter, const State& state, ThreadId thread) {
  const Thread& own = state.thread(thread);
  if (own.status != Thread::Status::Running) return {};
  const Instruction& next = interpreter.next(state, thread);
  if (std::holds_alternative<Lifetime>(next.effect)) return {};
  if (is_sync(next, SyncOperation::JoinThread) && !interpreter.can_step(state, thread, false)) {
    return {};
  }
  const Access access = interpreter.next_access(state, thread);
  const bool is_valid =
      access.bytes != 0 &&
      state.memory.locate(access.address, access.bytes).error == AccessError::None;
  return is_valid ? access : Access{};
}

bool conflict(const Access& a, const Access& b) {
  return a.bytes != 0 && b.bytes != 0 && a.address < b.address + b.bytes &&
         b.address < a.address + a.bytes && (a.is_write || b.is_write) &&
         !(a.is_atomic && b.is_atomic);
}

}  // namespace

void Stepper::look_for_race(ThreadId thread, const Branch& branch) {
  const Access own = racing_access(interpreter_, branch.state, thread);
  if (own.bytes == 0) return;
  for (std::size_t i = 0; i < branch.state.threads.size(); ++i) {
    const ThreadId other(i);
    if (other == thread || !branch.state.threads[i]->is_live()) continue;
    if (!conflict(own, racing_access(interpreter_, branch.state, other))) continue;
    const Instruction& instruction = interpreter_.next(branch.state, thread);
    Finding finding;
    finding.violation = Violation{Violation::Kind::DataRace, std::string(kRacePhrase), thread,
                                  interpreter_.position(branch.state, thread)};
    finding.instructions = branch.instructions + 1;
    finding.choices = branch.choices;
    // After `free` the other access would not be one any more.
    const bool comes_first =
        branch.state.section_owner || std::holds_alternative<Free>(instruction.effect);
    // What the second access asks for depends on the first: bytes that it has written are defined.
    State state = branch.state;
    RunStep step{other, 1, {}};
    if (comes_first) step.choices = step_with_zeros(interpreter_, state, other);
    const auto choices = step_with_zeros(interpreter_, state, thread);
    if (!comes_first) step.choices = step_with_zeros(interpreter_, state, other);
    finding.choices.insert(finding.choices.end(), choices.begin(), choices.end());
    (comes_first ? finding.before : finding.after).push_back(std::move(step));
    steps_.findings.push_back(std::move(finding));
    return;
  }
}

}  // namespace heddle::engine::explore
