#pragma once

/// A program unrolled up to bounds: circuits for what its threads compute, and what they do to
/// memory that they share, as data. Which write a read sees is not part of it (encoding.hpp).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/bounded/facts.hpp"
#include "engine/bounded/objects.hpp"
#include "model/c/question.hpp"

namespace heddle::engine::bounded {

struct Bounds {
  std::uint32_t iterations = 1;             ///< of a loop whose end is not decided by constants
  std::uint32_t constant_iterations = 256;  ///< of other loops
  std::uint32_t threads = 4;                ///< that run; others are created and never run
  std::uint32_t instructions = 20'000;      ///< of the unrolled program of a thread
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// An access to shared memory. Those of one thread are listed in the order in which they are made.
struct SharedAccess {
  std::uint32_t thread = 0;
  std::uint32_t object = 0;
  std::uint32_t offset = 0;
  Wire guard;  ///< it is made, unless its moment is never
  MomentRef moment;
  bool is_write = false;
  Bits value;  ///< of a read: inputs and constants, which memory must agree with
  /// The moment of a read is never, and memory as it is at the end decides whether it could be.
  Wire at_end = kFalse;
};

/// An instruction that others can notice, or that takes a choice.
struct Action {
  model::c::FunctionId function;
  model::c::Location at;
  Wire guard;
  MomentRef moment;
  Bits choice;        ///< the word that is chosen, if one is asked for
  bool ends = false;  ///< it may violate the property; `violation` says when
  Wire violation = kFalse;
};

/// An access that may be one of a data race: its thread stands before it when all else is done, or
/// has made it in an atomic section or with a join.
struct RacingAccess {
  std::uint32_t thread = 0;
  std::size_t action = 0;  ///< of the thread
  std::uint32_t object = 0;
  std::uint32_t first = 0, end = 0;  ///< offsets
  bool is_write = false;
  bool is_atomic = false;
  bool frees = false;
  bool is_made = false;
  Wire happens;
  MomentRef moment;  ///< the last one of a thread that stands; the one at which it is made
};

/// A thread sleeps on a condition variable when all else is done.
struct Sleep {
  std::uint32_t thread = 0;
  Bits condition;  ///< the address
  Wire happens;
  MomentRef moment;  ///< at which it has fallen asleep
};

/// A thread wakes sleepers.
struct Signal {
  std::uint32_t thread = 0;
  Bits condition;
  Wire happens;
  MomentRef moment;
};

/// What becomes of a thread.
struct Fate {
  Wire created = kFalse;
  Wire ended = kFalse;
  Wire blocked = kFalse;  ///< it stands before a step that memory, as it is at the end, forbids
};

/// For deadlocks.
struct Waiting {
  std::vector<Fate> fates;  ///< by threads
  std::vector<Sleep> sleeps;
  std::vector<Signal> signals;
  Wire exceeds_threads = kFalse;  ///< a thread was created that does not run
};

struct ThreadInstance {
  Creation creation;
  std::size_t created_by = 0;  ///< the action of the creator
  model::c::FunctionId start;
  std::vector<Action> actions;
};

struct Unrolling {
  Circuit circuit;
  std::vector<std::vector<Wire>> requirements;  ///< clauses
  std::vector<ThreadInstance> threads;
  std::vector<SharedAccess> accesses;
  std::vector<RacingAccess> racing;  ///< if data races are asked about
  Waiting waiting;                   ///< if deadlocks are
  std::vector<Wire> violations;
  std::vector<MomentRef> points;  ///< at which threads may be switched; the first is the beginning
  // Why it is not all of the program, if so.
  bool meets_iterations = false;
  bool meets_threads = false;
  std::optional<std::string> left_out;  ///< something that is not encoded
  /// It has all runs of the program within the bounds, and no wide word is chosen: without a
  /// violation, that is a claim that the checker can look at.
  bool is_proof = true;
  std::vector<Wire> undefined;  ///< inputs that stand for undefined bytes
  std::uint64_t instructions = 0;
};

/// Whether the formula depends on an undefined byte.
bool depends_on_undefined_bytes(const Unrolling& unrolling);

/// Unrolls until the assumptions hold. None if the context says to stop.
std::optional<Unrolling> unroll(const model::c::Interpreter& interpreter,
                                model::c::Property property, const Bounds& bounds, Objects& objects,
                                Facts& facts, base::RunContext& context);

}  // namespace heddle::engine::bounded
