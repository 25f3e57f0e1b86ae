#pragma once

/// Steps between stored states. A stored state has every live thread before an operation that
/// others can notice (an access to memory that others may know, a synchronisation), before a
/// choice, or at an instruction that it will never get past. A step of one thread is that operation
/// and all that follows up to the next such point; an atomic section is one operation.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/explore/escape.hpp"
#include "engine/explore/explore.hpp"
#include "engine/explore/future_accesses.hpp"
#include "engine/explore/locksets.hpp"
#include "engine/explore/values.hpp"
#include "model/c/liveness.hpp"
#include "model/c/lost_memory.hpp"
#include "model/c/run.hpp"

namespace heddle::engine::explore {

struct Successor {
  model::c::State state;
  std::uint32_t instructions = 0;
  std::vector<std::uint64_t> choices;
  /// Of weak fairness: the threads, by their bits, that execute instructions of this step or cannot
  /// step at some moment of it.
  std::uint64_t served = 0;
};

/// Something bad, and how it comes about: the step's instructions, then those of `after`.
struct Finding {
  model::c::Violation violation;
  std::uint32_t instructions = 0;
  std::vector<std::uint64_t> choices;
  std::vector<model::c::RunStep> before;  ///< to be executed before the step's instructions
  std::vector<model::c::RunStep> after;
};

/// A decision (a branch, a switch, an assumption, an access to a computed address) of a step, and
/// how it comes about: the step's instructions before it.
struct Decision {
  std::uint32_t instructions = 0;
  std::vector<std::uint64_t> choices;
  std::optional<std::uint64_t> object;  ///< the beginning of the object that is accessed
};

/// What keeps an exploration from being complete.
struct Gaps {
  bool values = false;
  bool threads = false;
  bool section = false;
  bool crowd = false;       ///< more threads than fairness is decided for
  bool lessons = false;     ///< more is known about locks than when the search began
  bool surprise = false;    ///< a thread did what the analyses behind the reduction excluded
  std::string unsupported;  ///< the first one
};

struct StepperOptions {
  model::c::Property property = model::c::Property::Reach;
  bool reduces = true;
  bool analyses = true;          ///< private objects and future accesses are told apart
  bool clears_globals = true;    ///< what is never read again is 0 in stored states
  std::uint32_t threads = 1000;  ///< alive at a time
};

/// What is known about a program before it is executed.
struct Analyses {
  explicit Analyses(const model::c::Program& program);
  model::c::Liveness liveness;
  FutureAccesses future;
  bool has_try_lock = false;
  bool has_detach = false;
};

/// What the steps of one thread lead to.
struct Steps {
  std::vector<Successor> successors;
  std::vector<Finding> findings;
  /// Once words were chosen that do not stand for all: the first ones at each place, for each
  /// outcome.
  std::vector<Decision> decisions;
};

class Stepper {
 public:
  Stepper(const model::c::Interpreter& interpreter, const Analyses& analyses, const Values& values,
          const StepperOptions& options, Locksets& locksets);

  /// From the initial state to the first one to be stored.
  Steps begin();
  /// All steps of a thread from a stored state.
  Steps expand(const model::c::State& state, model::c::ThreadId thread);

  /// Whether what a thread does next concerns nobody else: if so, it alone need be tried.
  bool is_local(const model::c::State& state, model::c::ThreadId thread) const;
  /// Whether a thread can go on at all, as far as can be told without executing it.
  bool can_expand(const model::c::State& state, model::c::ThreadId thread) const;

  /// Whether the thread holds a mutex and is about to take another one, or waits for something else
  /// than a mutex: the more such threads, the nearer a deadlock.
  bool may_get_stuck(const model::c::State& state, model::c::ThreadId thread) const;

  const Gaps& gaps() const { return gaps_; }
  /// Some addresses at which the object that begins here was accessed, once words were chosen that
  /// do not stand for all.
  std::vector<std::uint64_t> accessed(std::uint64_t object) const;
  std::uint64_t instructions() const { return instructions_; }

 private:
  struct Branch {
    model::c::State state;
    std::vector<std::uint64_t> choices;
    std::vector<std::uint64_t> given;  ///< choices for the next instruction
    std::uint32_t instructions = 0;
    bool has_begun = false;  ///< the operation that the step began with is done
    std::uint64_t served = 0;
  };
  enum class Progress : std::uint8_t { Continue, Emit, Drop };

  void run(model::c::ThreadId thread, Branch branch);
  Progress advance(model::c::ThreadId thread, Branch& branch);
  bool is_register_work(model::c::ThreadId thread, const Branch& branch) const;
  Progress settle(model::c::ThreadId thread, Branch& branch, model::c::StepResult& result,
                  model::c::Position position);
  Progress fork(model::c::ThreadId thread, Branch& branch, const model::c::ChoiceRequest& request);
  void note_decision(model::c::ThreadId thread, const Branch& branch);
  void note_access(model::c::ThreadId thread, const Branch& branch,
                   const model::c::Operand& operand);
  Progress report(Branch& branch, model::c::Violation violation);
  void emit(model::c::ThreadId thread, Branch branch);
  bool stops_before(const model::c::State& state, model::c::ThreadId thread,
                    const Branch& branch) const;
  bool may_be_undone(const model::c::State& state, model::c::ThreadId thread) const;
  bool is_stuck(const model::c::State& state, model::c::ThreadId thread) const;
  /// Whether no other thread can make a conflicting access before this one is made.
  bool is_private(const model::c::State& state, model::c::ThreadId thread,
                  const model::c::Access& access) const;
  bool is_left_alone(const model::c::State& state, model::c::ThreadId thread,
                     model::c::GlobalId global, bool writes) const;
  /// Notices an access, or an unlock, that the analyses exclude.
  void watch(const model::c::State& state, model::c::ThreadId thread) const;
  bool is_right_mover(const model::c::State& state, model::c::ThreadId thread) const;
  bool is_local_sync(const model::c::State& state, model::c::ThreadId thread,
                     const model::c::Synchronise& sync) const;
  bool exceeds_threads(const model::c::State& state, model::c::ThreadId thread) const;
  void look_for_race(model::c::ThreadId thread, const Branch& branch);
  void look_for_lost(model::c::ThreadId thread, const Branch& branch);
  void look_for_unfreed(model::c::ThreadId thread, const Branch& branch);
  void forget_signals(model::c::State& state) const;
  /// For fairness: who cannot step at this moment.
  void note_waiting(Branch& branch) const;

  const model::c::Interpreter& interpreter_;
  const model::c::Program& program_;
  StepperOptions options_;
  Escape escape_;
  const Analyses& analyses_;
  const Values& values_;
  Locksets& locksets_;
  model::c::LostMemory lost_;
  mutable Gaps gaps_;
  std::uint64_t instructions_ = 0;
  std::vector<Branch> pending_;
  Steps steps_;
  /// How often decisions were noted, by function, location and outcome.
  std::vector<std::vector<std::array<std::uint8_t, 2>>> noted_;
  std::map<std::uint64_t, std::set<std::uint64_t>> accessed_;  ///< by the beginning of the object
};

}  // namespace heddle::engine::explore
