#include "model/c/run.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "model/c/lost_memory.hpp"
#include "model/c/races.hpp"
#include "model/c/recurrence.hpp"
#include "model/c/run_end.hpp"
#include "model/c/same_state.hpp"

namespace heddle::model::c {

void append(Run& run, ThreadId thread, std::span<const std::uint64_t> choices) {
  if (run.steps.empty() || run.steps.back().thread != thread) {
    run.steps.push_back(RunStep{thread, 0, {}});
  }
  RunStep& last = run.steps.back();
  ++last.instructions;
  last.choices.insert(last.choices.end(), choices.begin(), choices.end());
}

namespace {

/// One instruction with as many of the choices as it asks for; `used` counts them.
StepResult step_with(const Interpreter& interpreter, State& state, ThreadId thread,
                     std::span<const std::uint64_t> choices, std::size_t& used,
                     StepObserver* observer) {
  for (std::size_t count = 0;; ++count) {
    StepResult result = interpreter.step(state, thread, choices.subspan(used, count), observer);
    if (result.outcome != Outcome::NeedsChoice || used + count == choices.size()) {
      used += result.outcome == Outcome::NeedsChoice ? 0 : count;
      return result;
    }
  }
}

std::optional<std::string> objection(const StepResult& result) {
  switch (result.outcome) {
    case Outcome::Continued:
    case Outcome::ProcessEnded:
    case Outcome::Violated: return std::nullopt;
    case Outcome::Blocked: return "the thread cannot step here";
    case Outcome::Undone: return "the thread's atomic section cannot be executed here";
    case Outcome::NeedsChoice: return "a choice is missing";
    case Outcome::Pruned: return "an assumption does not hold";
  }
  return std::nullopt;
}

/// Where an instruction stands, and who executes it.
struct Executed {
  ThreadId thread;
  Position position;
};

class Replayer {
 public:
  Replayer(const Interpreter& interpreter, StepObserver* observer,
           const std::function<void(const ReplayedInstruction&)>& listener)
      : interpreter_(interpreter), observer_(observer), listener_(listener) {
    replay_.state = interpreter.initial();
  }

  Replay run(const Run& run) {
    wakes_by_chance_ = !ends_never(run.violation.kind);
    for (std::size_t i = 0; i < run.steps.size() && !replay_.error; ++i) {
      replay_.failed_step = i;
      if (run.loop_steps != 0 && i + run.loop_steps == run.steps.size()) loop_ = replay_.state;
      execute(run.steps[i], i + 1 == run.steps.size());
    }
    return std::move(replay_);
  }

  const Executed& last() const { return last_; }
  /// Where the loop of a lasso begins.
  const std::optional<State>& loop() const { return loop_; }

 private:
  static bool ends_never(Violation::Kind kind) {
    return kind == Violation::Kind::Blocked || kind == Violation::Kind::Lasso;
  }

  void execute(const RunStep& step, bool is_last_step) {
    if (step.thread.index() >= replay_.state.threads.size()) {
      replay_.error = "there is no such thread";
      return;
    }
    std::size_t used = 0;
    for (std::uint32_t i = 0; i < step.instructions && !replay_.error; ++i) {
      execute_one(step, used);
      const bool is_last = is_last_step && i + 1 == step.instructions;
      if (!replay_.error && replay_.last.outcome != Outcome::Continued && !is_last) {
        replay_.error = "the run goes on after its end";
      }
    }
    if (!replay_.error && used != step.choices.size()) replay_.error = "a choice is not asked for";
  }

  void execute_one(const RunStep& step, std::size_t& used) {
    if (!replay_.state.thread(step.thread).is_live()) {
      replay_.error = "the thread has ended";
      return;
    }
    const bool sleeps = replay_.state.thread(step.thread).status == Thread::Status::Sleeping;
    if (sleeps && !wakes_by_chance_ && !interpreter_.can_step(replay_.state, step.thread, false)) {
      replay_.error = "nobody has woken the thread";
      return;
    }
    const std::size_t first = used;
    const State before = listener_ ? replay_.state : State{};
    const Instruction& instruction = interpreter_.next(replay_.state, step.thread);
    last_ = {step.thread, interpreter_.position(replay_.state, step.thread)};
    replay_.last =
        step_with(interpreter_, replay_.state, step.thread, step.choices, used, observer_);
    replay_.error = objection(replay_.last);
    if (replay_.error || !listener_) return;
    const std::span choices(step.choices);
    listener_({before, replay_.state, step.thread, instruction, replay_.last,
               choices.subspan(first, used - first)});
  }

  const Interpreter& interpreter_;
  StepObserver* observer_;
  const std::function<void(const ReplayedInstruction&)>& listener_;
  Replay replay_;
  Executed last_;
  bool wakes_by_chance_ = true;
  std::optional<State> loop_;
};

/// Is a heap object lost at the end of the run, or is the end that of the process and one still
/// allocated?
std::optional<std::uint64_t> left_object(Violation::Kind kind, const Interpreter& interpreter,
                                         const Replay& replay) {
  if (kind == Violation::Kind::LostMemory)
    return LostMemory(interpreter.program()).find(replay.state);
  const bool has_failed =
      replay.last.violation && replay.last.violation->kind == Violation::Kind::Failure;
  if (replay.last.outcome != Outcome::ProcessEnded && !has_failed) return std::nullopt;
  return find_allocated(replay.state);
}

/// Whether the run ends in a violation of the kind that is claimed.
bool ends_in(const Run& run, const Interpreter& interpreter, const Replay& replay,
             const std::optional<State>& loop, const RaceDetector& races) {
  const Violation::Kind kind = run.violation.kind;
  switch (kind) {
    case Violation::Kind::Blocked: return is_deadlocked(interpreter, replay.state);
    case Violation::Kind::Lasso:
      return loop && replay.last.outcome == Outcome::Continued &&
             (is_same_state(*loop, replay.state) ||
              !refute_recurrence(interpreter, *loop, std::span(run.steps).last(run.loop_steps)));
    case Violation::Kind::Overflow: return replay.last.overflowed;
    case Violation::Kind::Deadlock: return is_deadlocked(interpreter, replay.state);
    case Violation::Kind::DataRace: return races.race().has_value();
    case Violation::Kind::LostMemory:
    case Violation::Kind::UnfreedMemory: return left_object(kind, interpreter, replay).has_value();
    default: return replay.last.violation && replay.last.violation->kind == kind;
  }
}

/// Does the run say where it ends, and in what? Precondition: it ends in a violation of the kind.
bool is_told_rightly(const Violation& told, const Interpreter& interpreter, const Replay& replay,
                     const Executed& last, const Violation& non_terminating,
                     const RaceDetector& races) {
  const auto is = [&](std::string_view what, ThreadId thread, const Position& position) {
    return told.thread == thread && told.position == position &&
           base::printable(told.what) == base::printable(what);
  };
  switch (told.kind) {
    case Violation::Kind::Overflow: return is(kOverflowPhrase, last.thread, last.position);
    case Violation::Kind::Deadlock: {
      const Violation deadlock = deadlock_in(interpreter, replay.state);
      return is(deadlock.what, deadlock.thread, deadlock.position);
    }
    case Violation::Kind::Blocked:
    case Violation::Kind::Lasso:
      return is(non_terminating.what, non_terminating.thread, non_terminating.position);
    case Violation::Kind::DataRace:
      return is(kRacePhrase, told.thread, told.position) &&
             races.races_at(told.thread, told.position);
    case Violation::Kind::LostMemory:
    case Violation::Kind::UnfreedMemory: {
      const auto object = left_object(told.kind, interpreter, replay);
      return is(left_phrase(told.kind, replay.state, *object), last.thread, last.position);
    }
    default: {
      const Violation& reported = *replay.last.violation;
      // Of an invalid access the phrase may name what an input has led to; stories tell their own.
      const bool has_own_phrase = told.kind != Violation::Kind::Failure;
      return is(has_own_phrase ? told.what : reported.what, reported.thread, reported.position);
    }
  }
}

}  // namespace

Replay replay(const Interpreter& interpreter, const Run& run, StepObserver* observer,
              const std::function<void(const ReplayedInstruction&)>& listener) {
  return Replayer(interpreter, observer, listener).run(run);
}

Violation deadlock_in(const Interpreter& interpreter, const State& state) {
  Violation out{Violation::Kind::Deadlock, std::string(kDeadlockPhrase), ThreadId(0u), {}};
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    if (!state.threads[i]->is_live()) continue;
    out.thread = ThreadId(i);
    out.position = interpreter.position(state, out.thread);
    break;
  }
  return out;
}

Violation blocked_in(const Interpreter& interpreter, const State& state) {
  Violation out = deadlock_in(interpreter, state);
  out.kind = Violation::Kind::Blocked;
  return out;
}

Violation lasso_in(const Interpreter& interpreter, const State& loop_start, const State& loop_end,
                   ThreadId first) {
  const std::string_view phrase =
      is_same_state(loop_start, loop_end) ? kLassoPhrase : kRecurrencePhrase;
  return {Violation::Kind::Lasso, std::string(phrase), first,
          interpreter.position(loop_start, first)};
}

std::string left_phrase(Violation::Kind kind, const State& state, std::uint64_t object) {
  const std::string what = size_phrase(state, object);
  return kind == Violation::Kind::LostMemory ? "no pointer leads to " + what + " any more"
                                             : "the process ends without freeing " + what;
}

Run until_lost(const Interpreter& interpreter, const Run& run) {
  const LostMemory lost(interpreter.program());
  Run out;
  bool is_done = false;
  replay(interpreter, run, nullptr, [&](const ReplayedInstruction& executed) {
    if (is_done) return;
    append(out, executed.thread, executed.choices);
    const auto object = lost.find(executed.after);
    if (!object) return;
    is_done = true;
    out.violation = {Violation::Kind::LostMemory,
                     left_phrase(Violation::Kind::LostMemory, executed.after, *object),
                     executed.thread, interpreter.position(executed.before, executed.thread)};
  });
  return out;
}

std::optional<std::string> refute(const Interpreter& interpreter, const Run& run) {
  const bool is_lasso = run.violation.kind == Violation::Kind::Lasso;
  if (run.loop_steps > run.steps.size()) return "the loop is longer than the run";
  if (is_lasso != (run.loop_steps != 0)) return "a lasso has a loop, and nothing else has one";
  for (std::size_t i = run.steps.size() - run.loop_steps; i < run.steps.size(); ++i) {
    if (run.steps[i].instructions == 0) return "a step of the loop is empty";
  }
  RaceDetector races;
  const std::function<void(const ReplayedInstruction&)> nobody;
  Replayer replayer(interpreter, &races, nobody);
  const Replay replayed = replayer.run(run);
  if (replayed.error) {
    return "step " + std::to_string(replayed.failed_step + 1) + ": " + *replayed.error;
  }
  const Violation::Kind kind = run.violation.kind;
  if (!ends_in(run, interpreter, replayed, replayer.loop(), races)) {
    return "the run does not end in a violation of this kind: " + std::string(to_string(kind));
  }
  const Violation non_terminating =
      is_lasso ? lasso_in(interpreter, *replayer.loop(), replayed.state,
                          run.steps[run.steps.size() - run.loop_steps].thread)
               : blocked_in(interpreter, replayed.state);
  if (is_told_rightly(run.violation, interpreter, replayed, replayer.last(), non_terminating,
                      races))
    return std::nullopt;
  return "the " + std::string(to_string(kind)) + " is not where, or not what, the run says";
}

}  // namespace heddle::model::c
