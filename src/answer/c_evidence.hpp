#pragma once

#include <cstdint>
#include <string_view>

#include "answer/bound.hpp"
#include "base/type_list.hpp"
#include "model/c/question.hpp"
#include "model/threads/covering.hpp"
#include "model/threads/monitor.hpp"
#include "model/threads/ranking.hpp"
#include "model/threads/thread_proof.hpp"

namespace heddle::answer {

/// All states of the program were explored, and none violates the property; or all states with no
/// more threads alive at a time than the bound says, where threads beyond it wait; or all states
/// that executions with no more contexts per thread lead to. The states are not listed: the program
/// determines them, and the checker explores them again by a plain search of its own that shares
/// nothing with engines but the interpreter.
struct Exploration {
  static constexpr std::string_view kName = "exploration";
  using Models = base::TypeList<model::CProgram>;
  using Bounds = BoundList<BoundKind::Threads, BoundKind::Contexts>;

  std::uint64_t states = 0;  ///< that the engine has seen, after its reduction; 0: it saw formulas
  friend bool operator==(const Exploration&, const Exploration&) = default;
};

/// Invariants of a thread program, for any number of steps, data without bound and, where a thread
/// is replicated, any number of threads. The thread program is not part of it: `covering` says what
/// its points and variables stand for, and the checker derives it from the C program.
struct ThreadInvariants {
  static constexpr std::string_view kName = "thread_invariants";
  using Models = base::TypeList<model::CProgram>;
  using Bounds = BoundList<>;

  model::threads::Covering covering;
  model::threads::ThreadProof proof;
  friend bool operator==(const ThreadInvariants& a, const ThreadInvariants& b);
};

/// No two threads ever stand at conflicting accesses to the same bytes at the same time. Covering
/// and proof as above, where an attempt to take a mutex may fail at any time. Without invariants,
/// the facts exclude every pair: a common mutex, or one of the threads not running.
struct RaceFreedom {
  static constexpr std::string_view kName = "race_freedom";
  using Models = base::TypeList<model::CProgram>;
  using Bounds = BoundList<>;

  model::threads::Covering covering;
  model::threads::ThreadProof proof;
  friend bool operator==(const RaceFreedom& a, const RaceFreedom& b);
};

/// Every run ends: none is infinite, and in none do threads wait for ever. Covering and proof as
/// above, where a failed assertion is an end like others; `ranking` says why loops end, `monitors`
/// what is known while threads sleep.
struct TerminationProof {
  static constexpr std::string_view kName = "termination_proof";
  using Models = base::TypeList<model::CProgram>;
  using Bounds = BoundList<>;

  model::threads::Covering covering;
  model::threads::ThreadProof proof;
  model::threads::Ranking ranking;
  model::threads::Monitors monitors = {};
  friend bool operator==(const TerminationProof& a, const TerminationProof& b);
};

/// No state is reached in which no thread can step although one has not ended. Covering and proof
/// as above, where a failed assertion is an end like others; `monitors` say what is known while
/// threads sleep at condition variables.
struct DeadlockFreedom {
  static constexpr std::string_view kName = "deadlock_freedom";
  using Models = base::TypeList<model::CProgram>;
  using Bounds = BoundList<>;

  model::threads::Covering covering;
  model::threads::ThreadProof proof;
  model::threads::Monitors monitors = {};
  friend bool operator==(const DeadlockFreedom& a, const DeadlockFreedom& b);
};

}  // namespace heddle::answer
