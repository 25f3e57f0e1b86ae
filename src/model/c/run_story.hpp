#pragma once

/// A run as a person debugs it: the source lines that threads execute, one after the other, and
/// what each changes. Data only; src/output renders it.

#include <optional>
#include <string>
#include <vector>

#include "model/c/run.hpp"

namespace heddle::model::c {

struct StoryChange {
  std::string name;                    ///< "x", "queue.head", "i"
  std::string type;                    ///< as C names it; empty if not known
  std::optional<std::uint32_t> owner;  ///< the number of the thread that the variable belongs to
  std::string before, after;
};

/// A nondeterministic value of the program's environment: `__VERIFIER_nondet_int` returns 5.
struct StoryInput {
  std::string function;
  std::string value;
};

/// The thread enters a function of the program, or returns from one.
struct StoryCall {
  std::string function;
  bool is_return = false;
};

/// Consecutive instructions of one thread on one line of one function.
struct StoryStep {
  ThreadId slot;
  std::uint32_t number = 0;  ///< of the thread: 0 is the entry's, k the k-th created
  std::string thread;        ///< the function that it began with, and its number: "worker 2"
  std::string function;
  Position position;
  std::vector<StoryChange> changes;
  std::vector<StoryInput> inputs;
  std::vector<StoryCall> calls;
  std::vector<std::uint32_t> created;  ///< the numbers of threads
  std::vector<std::string> events;     ///< "locks m", "creates worker 2", "chooses 7", …
  std::vector<std::string> locks;      ///< held afterwards
  bool overflowed = false;
  bool is_in_loop = false;       ///< of a lasso
  bool is_bookkeeping = true;    ///< nothing but the beginnings of variables, arithmetic and jumps
  bool ends_in_library = false;  ///< the thread has not come back from the function that it called
};

/// One of the two accesses of a race.
struct StoryAccess {
  std::string thread;
  bool is_write = false;
  bool is_atomic = false;
  Position position;
  std::vector<std::string> locks;  ///< held
};

struct StoryRace {
  std::string variable;
  std::string type;  ///< empty if not known
  StoryAccess first, second;
};

/// A thread that waits at the end of a run that is blocked.
struct StoryWait {
  std::string thread;
  Position position;
  std::string what;  ///< "waits for mutex m, which worker 2 holds"
};

struct Story {
  std::vector<StoryStep> steps;
  Violation violation;
  std::vector<StoryWait> waits;      ///< of a deadlock, or if the run is blocked
  std::optional<StoryRace> race;     ///< if that is the violation
  std::optional<std::string> error;  ///< the run cannot be executed
};

/// Steps in functions of our library are told as part of the line that calls them. Lines on which
/// variables begin or addresses are computed, and nothing else happens, are left out, and so are
/// calls of our library that have only begun when another thread goes on.
Story tell(const Interpreter& interpreter, const Run& run);

}  // namespace heddle::model::c
