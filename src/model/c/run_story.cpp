#include "model/c/run_story.hpp"

#include <algorithm>
#include <map>

#include "model/c/arithmetic.hpp"
#include "model/c/names.hpp"
#include "model/c/races.hpp"

namespace heddle::model::c {

namespace {

/// Numbers of threads, the locks that they hold, and races.
class ThreadWatch : public RaceDetector {
 public:
  void created(ThreadId creator, ThreadId id) override {
    RaceDetector::created(creator, id);
    numbers_[id.value] = ++count_;
    locks_[id.value].clear();
    last_created_ = id;
  }
  void locked(ThreadId thread, std::uint64_t mutex) override {
    RaceDetector::locked(thread, mutex);
    locks_[thread.value].push_back(mutex);
    lock_events_.emplace_back("locks ", mutex);
  }
  void unlocked(ThreadId thread, std::uint64_t mutex) override {
    RaceDetector::unlocked(thread, mutex);
    std::erase(locks_[thread.value], mutex);
    lock_events_.emplace_back("unlocks ", mutex);
  }

  std::uint32_t number(ThreadId thread) { return numbers_[thread.value]; }
  const std::vector<std::uint64_t>& locks(ThreadId thread) { return locks_[thread.value]; }
  std::vector<std::pair<std::string, std::uint64_t>> take_lock_events() {
    return std::exchange(lock_events_, {});
  }
  std::optional<ThreadId> take_created() { return std::exchange(last_created_, std::nullopt); }

 private:
  std::map<std::uint32_t, std::uint32_t> numbers_;
  std::map<std::uint32_t, std::vector<std::uint64_t>> locks_;
  std::vector<std::pair<std::string, std::uint64_t>> lock_events_;
  std::optional<ThreadId> last_created_;
  std::uint32_t count_ = 0;
};

class Teller {
 public:
  explicit Teller(const Interpreter& interpreter)
      : interpreter_(interpreter), program_(interpreter.program()) {}

  Story tell(const Run& run) {
    for (std::size_t i = 0; i + run.loop_steps < run.steps.size(); ++i) {
      before_loop_ += run.steps[i].instructions;
    }
    const Replay replayed =
        replay(interpreter_, run, &watch_,
               [this](const ReplayedInstruction& instruction) { add(instruction); });
    const bool is_waiting = run.violation.kind == Violation::Kind::Blocked ||
                            run.violation.kind == Violation::Kind::Deadlock;
    std::erase_if(story_.steps, [&](const StoryStep& step) {
      const bool is_before_main = step.position.line == 0;
      const bool is_told = step.is_in_loop && !is_before_main;
      const bool has_begun_only = step.ends_in_library && step.calls.empty() && !is_waiting &&
                                  &step != &story_.steps.back();
      return !is_told && (step.is_bookkeeping || is_before_main || has_begun_only) &&
             step.changes.empty() && step.events.empty();
    });
    story_.violation = run.violation;
    if (replayed.last.violation && replayed.last.violation->kind == run.violation.kind)
      story_.violation = *replayed.last.violation;  // what happened, not what was said
    story_.error = replayed.error;
    if (run.violation.kind == Violation::Kind::DataRace && watch_.race())
      add_race(replayed.state, *watch_.race());
    if (is_waiting && !replayed.error) add_waits(replayed.state);
    return std::move(story_);
  }

 private:
  void add(const ReplayedInstruction& executed) {
    const bool begins_loop = executed_++ == before_loop_;
    StoryStep& step = step_for(executed, begins_loop);
    step.is_in_loop = executed_ > before_loop_;
    step.overflowed = step.overflowed || executed.result.overflowed;
    step.is_bookkeeping = step.is_bookkeeping && is_bookkeeping(executed.instruction.effect);
    const auto& frames = executed.after.thread(executed.thread).frames;
    step.ends_in_library =
        !frames.empty() && program_.functions[frames.back().function.index()].is_library;
    add_memory_change(step, executed);
    add_register_changes(step, executed);
    add_events(step, executed);
    add_calls(step, executed);
    step.locks.clear();
    for (const std::uint64_t mutex : watch_.locks(executed.thread)) {
      step.locks.push_back(name_of_mutex(interpreter_, executed.after, mutex));
    }
  }

  static bool is_bookkeeping(const Effect& effect) {
    const auto* compute = std::get_if<Compute>(&effect);
    return std::holds_alternative<Allocate>(effect) || std::holds_alternative<Lifetime>(effect) ||
           std::holds_alternative<Assign>(effect) || std::holds_alternative<Jump>(effect) ||
           (compute != nullptr && (compute->op < Operator::Eq || compute->op > Operator::SLe));
  }

  /// The start routine and a number. What was found out when the thread was created stays.
  std::string thread_name(const State& state, ThreadId thread) {
    const std::uint32_t number = watch_.number(thread);
    const auto [known, is_new] = thread_names_.try_emplace(number);
    if (is_new) known->second = start_routine(state, thread) + " " + std::to_string(number);
    return known->second;
  }

  /// A thread that our library starts is handed a record whose first word is the program's routine.
  std::string start_routine(const State& state, ThreadId thread) const {
    const Thread& own = state.thread(thread);
    FunctionId start = own.start;
    std::uint64_t record = own.registers.empty() ? 0 : own.registers.front();
    constexpr int kMostWrappers = 3;
    for (int i = 0; i < kMostWrappers && thread.value != 0; ++i) {
      if (!program_.functions[start.index()].is_library) break;
      const std::uint8_t bytes = interpreter_.addresses().pointer_bytes();
      const Memory::Loaded word = state.memory.load(record, bytes);
      const Memory::Loaded next = state.memory.load(record + bytes, bytes);
      const auto routine = interpreter_.addresses().function_at(word.value);
      if (word.error != AccessError::None || !routine) break;
      start = *routine;
      record = next.value;
    }
    const Function& function = program_.functions[start.index()];
    return function.is_library ? "main" : function.name;
  }

  /// The innermost frame that is not in our library, and where it stands.
  std::pair<const Frame*, Position> place(const State& state, ThreadId thread) const {
    const auto& frames = state.thread(thread).frames;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      const Function& function = program_.functions[frame->function.index()];
      const Position position = function.code[frame->at.index()].position;
      if (!function.is_library && position.line != 0) return {&*frame, position};
    }
    return {nullptr, Position{}};
  }

  StoryStep& step_for(const ReplayedInstruction& executed, bool is_new) {
    const auto [frame, position] = place(executed.before, executed.thread);
    const std::string function =
        frame != nullptr ? program_.functions[frame->function.index()].name : "";
    const std::uint32_t number = watch_.number(executed.thread);
    if (!story_.steps.empty() && !is_new) {
      StoryStep& last = story_.steps.back();
      const bool is_same = last.number == number && last.function == function &&
                           (position.line == 0 || (last.position.line == position.line &&
                                                   last.position.file == position.file));
      if (is_same) return last;
    }
    StoryStep step;
    step.slot = executed.thread;
    step.number = number;
    step.thread = thread_name(executed.before, executed.thread);
    names_[executed.thread.value] = step.thread;
    step.function = function;
    step.position = position;
    story_.steps.push_back(std::move(step));
    return story_.steps.back();
  }

  void add_change(StoryStep& step, StoryChange change) {
    if (change.before == change.after) return;
    const auto is_same = [&](const StoryChange& other) {
      return other.name == change.name && other.owner == change.owner;
    };
    const auto known = std::ranges::find_if(step.changes, is_same);
    if (known == step.changes.end()) {
      step.changes.push_back(std::move(change));
    } else {
      known->after = std::move(change.after);
    }
  }

  std::string type_name(std::optional<TypeId> type) const {
    return type ? program_.types[type->index()].name : "";
  }

  void add_memory_change(StoryStep& step, const ReplayedInstruction& executed) {
    const Access access = interpreter_.next_access(executed.before, executed.thread);
    const bool is_word = access.bytes > 0 && access.bytes <= 8;
    if (!is_word || executed.result.outcome != Outcome::Continued) return;
    const auto bytes = static_cast<std::uint8_t>(access.bytes);
    const Memory::Loaded old = executed.before.memory.load(access.address, bytes);
    const Memory::Loaded now = executed.after.memory.load(access.address, bytes);
    if (old.error != AccessError::None || now.error != AccessError::None) return;
    const NamedPlace named = name_of(interpreter_, executed.after, access.address, access.bytes);
    if (named.is_library) return;
    const auto text = [&](const State& state, const Memory::Loaded& word) {
      return word.undefined != 0 ? "undefined"
                                 : text_of_word(interpreter_, state, word.value, bytes, named.type);
    };
    std::optional<std::uint32_t> owner;
    if (named.owner) owner = watch_.number(*named.owner);
    const std::string before = text(executed.before, old), after = text(executed.after, now);
    if (before == after) return add_access(step, executed, access, named, before);
    add_change(step, {named.name, type_name(named.type), owner, before, after});
  }

  /// What is read from shared memory, or written there without a change.
  void add_access(StoryStep& step, const ReplayedInstruction& executed, const Access& access,
                  const NamedPlace& named, const std::string& value) {
    const Thread& thread = executed.before.thread(executed.thread);
    const bool is_ours = program_.functions[thread.frames.back().function.index()].is_library;
    if (is_ours || named.owner) return;
    const std::string text = (access.is_write ? "writes " : "reads ") + named.name + " = " + value;
    if (std::ranges::find(step.events, text) == step.events.end()) step.events.push_back(text);
  }

  void add_register_changes(StoryStep& step, const ReplayedInstruction& executed) {
    const Thread& before = executed.before.thread(executed.thread);
    const Thread& after = executed.after.thread(executed.thread);
    if (after.frames.size() < before.frames.size()) return;
    const Frame& frame = before.frames.back();
    const Function& function = program_.functions[frame.function.index()];
    if (function.is_library) return;
    for (const LocalVariable& variable : function.variables) {
      if (variable.is_address) continue;
      const std::size_t at = frame.first_register + variable.reg.index();
      if (before.registers[at] == after.registers[at]) continue;
      const std::uint64_t bytes = (function.register_widths[variable.reg.index()] + 7) / 8;
      const auto text = [&](const State& state, std::uint64_t word) {
        return text_of_word(interpreter_, state, word, bytes, variable.type);
      };
      add_change(step, {variable.name, type_name(variable.type), watch_.number(executed.thread),
                        text(executed.before, before.registers[at]),
                        text(executed.after, after.registers[at])});
    }
  }

  void add_events(StoryStep& step, const ReplayedInstruction& executed) {
    for (const auto& [what, mutex] : watch_.take_lock_events()) {
      step.events.push_back(what + name_of_mutex(interpreter_, executed.after, mutex));
    }
    if (const std::optional<ThreadId> created = watch_.take_created()) {
      step.events.push_back("creates " + thread_name(executed.after, *created));
      step.created.push_back(watch_.number(*created));
    }
    if (const auto* chosen = std::get_if<Choose>(&executed.instruction.effect)) {
      const std::uint64_t bytes = (chosen->width + 7u) / 8;
      for (const std::uint64_t word : executed.choices) {
        const std::uint64_t value = chosen->is_signed ? word : low_bits(word, chosen->width);
        const std::string text = chosen->is_signed ? text_of_word(interpreter_, executed.after,
                                                                  value, bytes, std::nullopt)
                                                   : std::to_string(value);
        if (const auto model = called_model(executed)) {
          step.events.push_back("chosen for " + *model + ": " + text);
          continue;
        }
        step.events.push_back((chosen->what.empty() ? "chooses " : chosen->what + " returns ") +
                              text);
        if (chosen->why == Choose::Why::Input) step.inputs.push_back({chosen->what, text});
      }
    }
    add_wait_events(step, executed);
  }

  /// The function of our library that the program has called, if it is in one.
  std::optional<std::string> called_model(const ReplayedInstruction& executed) const {
    const auto& frames = executed.before.thread(executed.thread).frames;
    std::optional<std::string> model;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      const Function& function = program_.functions[frame->function.index()];
      if (!function.is_library || frame->function == program_.entry) break;
      model = function.name;
    }
    if (model && model->find("argument") != std::string::npos) return "the arguments of main";
    if (model && model->starts_with("__heddle_input")) return "scanf";
    return model;
  }

  /// Functions of the library are not told apart from the line that calls them.
  void add_calls(StoryStep& step, const ReplayedInstruction& executed) {
    const auto& before = executed.before.thread(executed.thread).frames;
    const auto& after = executed.after.thread(executed.thread).frames;
    if (before.size() == after.size() || before.empty()) return;
    const bool is_return = after.size() < before.size();
    const Frame& frame = is_return ? before.back() : after.back();
    const Function& function = program_.functions[frame.function.index()];
    if (!function.is_library) step.calls.push_back({function.name, is_return});
  }

  void add_race(const State& state, const Race& race) {
    const auto told = [&](const RacingAccess& access) {
      StoryAccess out{
          names_[access.thread.value], access.is_write, access.is_atomic, access.position, {}};
      for (const std::uint64_t mutex : access.locks)
        out.locks.push_back(name_of_mutex(interpreter_, state, mutex));
      return out;
    };
    const NamedPlace named = name_of(interpreter_, state, race.address, race.bytes);
    story_.race = StoryRace{named.name, type_name(named.type), told(race.first), told(race.second)};
  }

  // ---- Who waits for what

  void add_waits(const State& state) {
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      const ThreadId thread(i);
      if (!state.thread(thread).is_live()) continue;
      story_.waits.push_back(
          {thread_name(state, thread), place(state, thread).second, wait_text(state, thread)});
    }
  }

  std::string wait_text(const State& state, ThreadId thread) {
    const Thread& own = state.thread(thread);
    if (own.status == Thread::Status::Sleeping && !own.is_signalled) {
      return "waits for a signal to " + condition_name(state, own.condition) +
             ", which no thread can send";
    }
    if (own.status == Thread::Status::Sleeping) return mutex_wait(state, thread, own.mutex);
    const auto* sync = std::get_if<Synchronise>(&interpreter_.next(state, thread).effect);
    if (sync != nullptr && sync->operation == SyncOperation::MutexLock) {
      return mutex_wait(state, thread, interpreter_.value(state, thread, sync->arguments[0]));
    }
    if (sync != nullptr && sync->operation == SyncOperation::JoinThread) {
      const std::uint64_t handle = interpreter_.value(state, thread, sync->arguments[0]);
      return "waits for the end of " +
             thread_name(state, ThreadId(static_cast<std::uint32_t>(handle - 1)));
    }
    return "waits for a condition that no thread can make true";
  }

  std::string mutex_wait(const State& state, ThreadId thread, std::uint64_t mutex) {
    const std::uint32_t owner = mutex_owner(state.memory, mutex);
    const std::string name = "waits for mutex " + name_of_mutex(interpreter_, state, mutex);
    if (owner == thread.value + 1) return name + ", which it holds itself";
    if (owner == kEndedOwner) return name + ", which a thread held when it ended";
    if (owner == 0 || owner > state.threads.size()) return name;
    const ThreadId holder(owner - 1);
    if (!state.thread(holder).is_live()) return name;
    return name + ", which " + thread_name(state, holder) + " holds";
  }

  /// The variable itself, not its first member.
  std::string condition_name(const State& state, std::uint64_t condition) const {
    constexpr std::uint64_t kBytes = 48;
    const bool fits = state.memory.locate(condition, kBytes).error == AccessError::None;
    return name_of(interpreter_, state, condition, fits ? kBytes : 1).name;
  }

  void add_wait_events(StoryStep& step, const ReplayedInstruction& executed) {
    const Thread& before = executed.before.thread(executed.thread);
    const Thread& after = executed.after.thread(executed.thread);
    if (!before.frames.empty() && after.status == Thread::Status::Sleeping) {
      step.events.push_back("waits for " + condition_name(executed.after, after.condition));
    } else if (before.status == Thread::Status::Sleeping) {
      step.events.push_back(before.is_signalled ? "is woken" : "wakes by itself");
    }
    if (!after.is_live()) step.events.push_back("ends");
  }

  const Interpreter& interpreter_;
  const Program& program_;
  ThreadWatch watch_;
  std::uint64_t before_loop_ = 0;  ///< instructions; of a run without loop, all
  std::uint64_t executed_ = 0;
  std::map<std::uint32_t, std::string> names_;  ///< of the threads that have made a step, by slot
  std::map<std::uint32_t, std::string> thread_names_;  ///< by number
  Story story_;
};

}  // namespace

Story tell(const Interpreter& interpreter, const Run& run) { return Teller(interpreter).tell(run); }

}  // namespace heddle::model::c
