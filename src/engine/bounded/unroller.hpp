#pragma once

/// Executes the threads of a program with circuits in place of numbers, each thread by itself: a
/// read of shared memory gives inputs. Paths that meet are merged into one.

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/bounded/control_flow.hpp"
#include "engine/bounded/unrolling.hpp"

namespace heddle::engine::bounded {

class Unroller {
 public:
  Unroller(const model::c::Interpreter& interpreter, model::c::Property property,
           const Bounds& bounds, Objects& objects, Facts& facts, base::RunContext& context);

  /// Unrolls all threads under the assumptions that there are; false if it was stopped.
  bool run();
  const std::vector<Creation>& creations() const { return creations_; }
  Unrolling take() { return std::move(result_); }

 private:
  // Control.
  bool run_thread(std::uint32_t thread);
  /// Executes until paths meet, or the path ends.
  void follow(Path path);
  void enqueue(Path path);
  void merge(Path& into, Path other);
  PlaceKey key_of(const Path& path) const;
  const ControlFlow& flow(model::c::FunctionId function);
  void go_to(Path& path, model::c::Location target);
  void step_over(Path& path);
  void enter(Path& path, model::c::FunctionId function, const std::vector<Word>& arguments);
  void end_path(Path& path);
  void note_ways_out(PathFrame& frame, const model::c::Branch& branch, bool by_constants);

  void execute(Path& path, const model::c::Compute& effect);
  void execute(Path& path, const model::c::Choose& effect);
  void execute(Path& path, const model::c::Assign& effect);
  void execute(Path& path, const model::c::Jump& effect);
  void execute(Path& path, const model::c::Branch& effect);
  void execute(Path& path, const model::c::Switch& effect);
  void execute(Path& path, const model::c::Call& effect);
  void execute(Path& path, const model::c::Return& effect);
  void execute(Path& path, const model::c::Allocate& effect);
  void execute(Path& path, const model::c::Free& effect);
  void execute(Path& path, const model::c::Lifetime& effect);
  void execute(Path& path, const model::c::ObjectSize& effect);
  void execute(Path& path, const model::c::Load& effect);
  void execute(Path& path, const model::c::Store& effect);
  void execute(Path& path, const model::c::ReadModifyWrite& effect);
  void execute(Path& path, const model::c::CompareExchange& effect);
  void execute(Path& path, const model::c::Synchronise& effect);
  void execute(Path& path, const model::c::Assume& effect);
  void execute(Path& path, const model::c::Fail& effect);
  void execute(Path& path, const model::c::Exit& effect);
  void execute(Path& path, const model::c::Unsupported& effect);

  // Synchronisation.
  void create_thread(Path& path, const model::c::Synchronise& effect);
  void start_thread(const Path& path, Wire condition, std::uint32_t thread,
                    model::c::FunctionId start, Word argument);
  void join_thread(Path& path, const model::c::Synchronise& effect);
  void end_thread(Path& path, const Word& result);
  void init_mutex(Path& path, const model::c::Synchronise& effect);
  void lock_mutex(Path& path, const model::c::Synchronise& effect, const Word& mutex, bool tries);
  void unlock_mutex(Path& path, const Word& mutex, Word* result);
  void wait(Path& path, const model::c::Synchronise& effect);
  void finish(Path& path, const model::c::Synchronise& effect, const Word& result);

  // Values.
  Word value(const Path& path, const model::c::Operand& operand);
  void set(Path& path, model::c::Register to, Word word);
  Word number(std::uint64_t value, unsigned width) const {
    return {constant_bits(value, width), nullptr};
  }
  Word select(Wire condition, const Word& then, const Word& otherwise);

  // Memory.
  struct Target {
    std::uint32_t object = 0;
    std::uint32_t offset = 0;
    Wire matches;
  };
  /// Where an access may fall; the path ends where it falls nowhere.
  std::vector<Target> targets(Path& path, const Word& address, std::uint32_t bytes, bool is_write);
  void add_targets(std::vector<Target>& found, const Word& address, std::uint32_t object,
                   std::uint32_t bytes);
  Word read(Path& path, const std::vector<Target>& targets, std::uint32_t bytes);
  void write(Path& path, const std::vector<Target>& targets, const Word& value);
  Word read_own(const Path& path, const Target& target, std::uint32_t bytes);
  Word read_shared(const Path& path, const Target& target, std::uint32_t bytes);
  void write_own(Path& path, const Target& target, const Word& value);
  void write_shared(const Path& path, const Target& target, const Word& value);
  Byte byte_of(const Path& path, std::uint32_t object, std::uint32_t offset);
  void note(const Path& path, const Target& target, std::uint32_t bytes, bool is_write);
  bool is_shared(const Path& path, const Target& target, std::uint32_t bytes) const;
  void note_free(const Path& path, const std::vector<Target>& targets);
  /// Other threads may run before what follows, unless nobody could notice; whether they may.
  bool switch_before(Path& path);
  bool switch_before(Path& path, const std::vector<Target>& targets, std::uint32_t bytes);
  /// From now on other threads may run: what was written to shared memory is theirs to see.
  void stop_being_alone(Path& path);

  // Conditions.
  Wire executed(const Path& path) {
    return result_.circuit.conjunction(path.guard, !path.moment->never);
  }
  /// The step is made only if the condition holds: the thread waits until it does.
  void wait_for(Path& path, Wire condition);
  /// Runs in which the condition holds here are not followed any further.
  void drop_if(Path& path, Wire condition);
  void leave_out(Path& path, std::string_view what);
  Action& act(Path& path);
  void violate(Path& path, Wire condition);

  // Data races.
  enum class Mode : std::uint8_t { Read, Write, AtomicRead, AtomicWrite, Free };
  /// The last action accesses the targets. `switches`: other threads may run just before it.
  void may_race(const Path& path, const std::vector<Target>& targets, std::uint32_t bytes,
                Mode mode, bool switches);
  std::vector<Target> freed_objects(const Word& address);

  // Deadlocks.
  /// The thread stands before what it does next, and nothing else happens any more.
  Wire stands(const Path& path);
  void may_block(const Path& path, Wire condition);
  void may_sleep(const Path& path, Wire guard, const Word& condition, const MomentRef& asleep);
  void may_signal(Path& path, const Word& condition);
  Fate& fate(std::uint32_t thread);

  // Errors of memory.
  /// Ends the path where the condition holds; that is a violation if such errors are asked about.
  void fault_if(Path& path, Wire condition);
  /// Takes away targets that have been freed.
  void leave_freed(Path& path, std::vector<Target>& targets);
  bool looks_for_faults() const;
  bool follows_frees() const;

  const model::c::Interpreter& interpreter_;
  const model::c::Program& program_;
  model::c::Property property_;
  const Bounds& bounds_;
  Objects& objects_;
  Facts& facts_;
  base::RunContext& context_;
  Unrolling result_;
  std::map<std::uint32_t, ControlFlow> flows_;
  std::map<std::uint32_t, Path> created_;  ///< threads that are still to be unrolled
  std::map<PlaceKey, std::vector<Path>> pending_;
  std::vector<Creation> creations_;
  std::map<std::uint32_t, Bits> sizes_;  ///< of objects whose size depends on inputs
  std::set<std::uint32_t> joined_;       ///< threads
  std::uint32_t thread_ = 0;             ///< that is being unrolled
  bool is_switched_ = false;             ///< before the access that is about to be made
  std::uint32_t moment_ = 0;             ///< of the thread
  std::uint32_t moments_ = 0;            ///< of all threads
  std::uint64_t spent_ = 0;              ///< instructions of the thread
  std::uint32_t running_ = 1;            ///< threads
  bool is_stopped_ = false;
};

}  // namespace heddle::engine::bounded
