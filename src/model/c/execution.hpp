#pragma once

/// One step under way: what the parts of the interpreter share.

#include <span>
#include <string>

#include "model/c/interpreter.hpp"

namespace heddle::model::c {

/// Executes one instruction. Each `execute` either does all of it or sets an outcome other than
/// Continued and leaves the state as it was.
class Execution {
 public:
  Execution(const Interpreter& interpreter, State& state, ThreadId thread,
            std::span<const std::uint64_t> choices, StepObserver* observer)
      : interpreter_(interpreter),
        program_(interpreter.program()),
        state_(state),
        thread_(thread),
        choices_(choices),
        observer_(observer) {}

  StepResult run();

 private:
  void execute(const Compute& effect);
  void execute(const Choose& effect);
  void execute(const Assign& effect);
  void execute(const Jump& effect);
  void execute(const Branch& effect);
  void execute(const Switch& effect);
  void execute(const Call& effect);
  void execute(const Return& effect);
  void execute(const Allocate& effect);
  void execute(const Free& effect);
  void execute(const Lifetime& effect);
  void execute(const ObjectSize& effect);
  void execute(const Load& effect);
  void execute(const Store& effect);
  void execute(const ReadModifyWrite& effect);
  void execute(const CompareExchange& effect);
  void execute(const Synchronise& effect);
  void execute(const Assume& effect);
  void execute(const Fail& effect);
  void execute(const Exit& effect);
  void execute(const Unsupported& effect);

  // Threads.
  void create_thread(const Synchronise& effect);
  void join_thread(const Synchronise& effect);
  void detach_thread(const Synchronise& effect);
  void end_thread(std::uint64_t result);
  /// The thread that a handle names, if it is one that can be joined.
  std::optional<ThreadId> thread_of(std::uint64_t handle) const;
  std::optional<ThreadId> unused_slot();

  // Mutexes and conditions.
  void init_mutex(const Synchronise& effect);
  void lock_mutex(const Synchronise& effect);
  void try_lock_mutex(const Synchronise& effect);
  void unlock_mutex(const Synchronise& effect);
  void fall_asleep(const Synchronise& effect);
  void wake_up(const Synchronise& effect);
  void signal(const Synchronise& effect);
  void broadcast(const Synchronise& effect);
  std::vector<ThreadId> sleepers(std::uint64_t condition) const;
  std::uint32_t mutex_kind(std::uint64_t mutex) const;
  /// Takes a free mutex.
  void take(std::uint64_t mutex);
  /// Nobody has it in the list of those held any more.
  void forget_owner(std::uint64_t mutex);
  /// Gives up one level: 0, or an error number if the kind of mutex forbids it.
  std::uint64_t give_up(std::uint64_t mutex);
  /// Whether there is memory for a mutex; if not, the step ends.
  bool is_mutex(std::uint64_t mutex);

  // Atomic sections.
  /// Of the state before the instruction.
  void begin_section(const State& before);
  void end_section();
  /// The thread cannot go on: outside a section it waits, inside the section is undone.
  void block();

  // What all of them need.
  Frame& frame() { return state_.change(thread_).frames.back(); }
  std::uint64_t value(const Operand& operand) const {
    return interpreter_.value(state_, thread_, operand);
  }
  void set(Register to, std::uint64_t value);
  void go_on();
  void finish(const Synchronise& effect, std::uint64_t result);
  /// The next choice; none if there is no more, and then the step ends.
  std::optional<std::uint64_t> choose(const ChoiceRequest& request);
  /// Reads memory, with choices for undefined bytes; none: the step ends.
  std::optional<std::uint64_t> read(std::uint64_t address, std::uint8_t bytes);
  /// Whether an access can be made; if not, the step ends with a violation.
  bool is_valid(std::uint64_t address, std::uint8_t bytes, bool is_write);
  /// Of the instruction, or of the call of the library function that it is in.
  Position position() const;
  void report(Violation::Kind kind, std::string what);
  void report_access(std::uint64_t address, std::uint64_t bytes, bool is_write, AccessError error);
  void tell_access(std::uint64_t address, std::uint64_t bytes, bool read, bool write, bool atomic);
  std::string describe(std::uint64_t address) const;
  AccessError classify(std::uint64_t address, AccessError error) const;

  const Interpreter& interpreter_;
  const Program& program_;
  State& state_;
  ThreadId thread_;
  std::span<const std::uint64_t> choices_;
  StepObserver* observer_;
  StepResult result_;
  Position position_;
  bool read_undefined_ = false;  ///< some byte read was undefined
};

}  // namespace heddle::model::c
