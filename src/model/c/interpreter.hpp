#pragma once

/// The semantics of C programs: what one instruction of one thread does to a state. Everything else
/// that is said about C programs is measured against this.
///
/// An execution is a sequence of steps, each of one instruction of one thread; which thread is the
/// scheduler's choice. Memory is sequentially consistent. Whatever else is not determined (inputs,
/// uninitialised bytes, which sleeper a signal wakes, whether a weak exchange fails or a timed wait
/// times out) is a word that the caller hands in: a step that lacks one says so and changes
/// nothing.
///
///   - While a thread is in an atomic section, no other thread steps. If it cannot go on
///   (BlockUntil
///     with 0, a mutex that is taken, a thread to join that is running), the section is undone: the
///     state is what it was before the section began.
///   - A thread in a condition wait has released the mutex. It goes on, with the mutex locked
///   again,
///     once it is signalled or, as POSIX allows, at any other time; a timed wait may also time out.
///   - A normal mutex that its owner locks again blocks for ever. Unlocking a normal mutex that is
///     locked by another thread, or not at all, frees it, as in glibc. An uninitialised mutex
///     counts as initialised with zeros.
///   - The process ends with `Exit`. A thread ends when its start routine returns or with
///     `ExitThread`; the entry's thread may end before the others.
///   - Signed arithmetic wraps; that it did is reported with the step. An invalid access, a
///   division
///     by zero and an unsupported instruction end the run.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/c/program.hpp"
#include "model/c/state.hpp"
#include "model/c/violation.hpp"

namespace heddle::model::c {

/// A word that the run must give.
struct ChoiceRequest {
  enum class Kind : std::uint8_t {
    Value,          ///< of a `Choose` instruction: any word
    Uninitialised,  ///< a word for `undefined` bytes that are read; the other bits do not count
    Signalled,      ///< the number of the sleeping thread that a signal wakes: less than `count`
    WeakFailure,    ///< 1: a weak exchange fails although it need not
    TimedOut        ///< 1: a timed wait times out
  };
  Kind kind = Kind::Value;
  std::uint8_t width = 1;
  std::uint64_t count = 0;      ///< if not 0: how many words there are to choose from
  std::uint64_t undefined = 0;  ///< a mask
};

enum class Outcome : std::uint8_t {
  Continued,
  Blocked,      ///< the thread cannot step now, or has ended; nothing changed
  Undone,       ///< the thread could not go on in its atomic section; the state is put back
  NeedsChoice,  ///< more choices are needed (`request`); nothing changed
  Pruned,       ///< an assumption does not hold: such runs are not looked at
  ProcessEnded,
  Violated  ///< `violation` says what; nothing else changed
};

struct StepResult {
  Outcome outcome = Outcome::Continued;
  bool overflowed = false;  ///< signed arithmetic wrapped, or a shift went too far
  ChoiceRequest request;
  std::optional<Violation> violation;
};

/// An access to memory that the program makes.
struct Access {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;  ///< 0: none
  bool is_read = false;
  bool is_write = false;
  bool is_atomic = false;  ///< by itself, or because it is in an atomic section
};

/// Told what steps do, in their order.
class StepObserver {
 public:
  StepObserver() = default;
  StepObserver(const StepObserver&) = delete;
  StepObserver& operator=(const StepObserver&) = delete;
  virtual ~StepObserver() = default;
  virtual void accessed(ThreadId, const Access&, Position) {}
  virtual void allocated(ThreadId, std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void locked(ThreadId, std::uint64_t /*mutex*/) {}
  virtual void unlocked(ThreadId, std::uint64_t /*mutex*/) {}
  virtual void created(ThreadId /*creator*/, ThreadId /*created*/) {}
  virtual void joined(ThreadId /*waiting*/, ThreadId /*ended*/) {}
};

class Interpreter {
 public:
  /// The program must stay as it is.
  explicit Interpreter(const Program& program);

  const Program& program() const { return program_; }
  const AddressSpace& addresses() const { return addresses_; }

  /// Globals initialised, one thread that stands at the entry.
  State initial() const;

  /// One instruction of a thread. Choices are used in the order of the requests.
  StepResult step(State& state, ThreadId thread, std::span<const std::uint64_t> choices = {},
                  StepObserver* observer = nullptr) const;

  /// The instruction that a live thread executes next.
  const Instruction& next(const State& state, ThreadId thread) const;
  /// Where it is; in our library, where our library is called. Line 0 if that is nowhere.
  Position position(const State& state, ThreadId thread) const;
  /// The memory that it reads or writes, as far as the program itself does so; not that of mutexes.
  Access next_access(const State& state, ThreadId thread) const;
  /// Whether a thread can step: not waiting, ended, or outside somebody's atomic section. A thread
  /// before an atomic section that will be undone can step. `spurious`: count waking by itself.
  bool can_step(const State& state, ThreadId thread, bool spurious) const;
  /// What an operand is for a thread.
  std::uint64_t value(const State& state, ThreadId thread, const Operand& operand) const;

  /// Where a new object of a thread's stack lies: behind those that are there, and where nothing
  /// points that was left over from one that is gone. Linear in the size of memory.
  std::uint64_t stack_address(const State& state, ThreadId thread, std::uint64_t size) const;

  // For steps: a new thread in a slot that is there and not in use, and a new frame.
  void start_thread(State& state, ThreadId id, FunctionId start,
                    std::span<const std::uint64_t> arguments) const;
  void push_frame(Thread& thread, FunctionId function,
                  std::span<const std::uint64_t> arguments) const;

  /// Whether sections can be undone at all.
  bool sections_may_block() const { return sections_may_block_; }
  /// Whether anything is ever done with a thread that has ended.
  bool joins_threads() const { return joins_threads_; }

 private:
  const Program& program_;
  AddressSpace addresses_;
  bool sections_may_block_ = false;
  bool joins_threads_ = false;
};

/// Whether a thread can step, not counting that it wakes by itself; a thread before an atomic
/// section that would be undone cannot. Precondition: nobody is in a section.
bool is_enabled(const Interpreter& interpreter, const State& state, ThreadId thread);

/// Whether no live thread can step, not counting threads that wake by themselves; threads before an
/// atomic section that would be undone cannot. A section that depends on choices counts as one that
/// can be executed. Never in the middle of a section: it ends, or the state before it is looked at.
bool is_deadlocked(const Interpreter& interpreter, const State& state);

/// The word at offset 0 of a mutex: 0, or its owner's number counted from 1. Numbers are used again
/// when threads have ended, so a thread that holds a mutex when it ends leaves kEndedOwner there:
/// nobody who comes later is its owner.
constexpr std::uint32_t kEndedOwner = 0xffffffff;
std::uint32_t mutex_owner(const Memory& memory, std::uint64_t mutex);

}  // namespace heddle::model::c
