#pragma once

/// What a Boolean program means: the one step function, on the statements as they are written. It
/// is made for being read and is as naive as it can be. Whatever else computes steps (flow graphs,
/// with calls unfolded or kept; encodings; translations; checkers) is tested against it on all
/// small programs.
///
/// A state is a value for each shared variable and, for each thread, a stack of procedures with
/// values for their variables, and the number of atomic sections that the thread is inside of. A
/// step is one statement of one thread:
///
///  * A thread steps only while no *other* thread is inside an atomic section. Sections nest,
///  across
///    calls too: `atomic_begin` counts up, `atomic_end` counts down (and does nothing at 0). So a
///    thread that blocks or waits inside a section stops all others for ever. A thread that ends
///    inside is not inside any more, and one that is started inside is not inside.
///  * A thread has failed if it is at a statement with a failure label, whether or not it could
///    execute that statement, or if it executes an assertion that can be false.
///  * `enforce e` of a procedure must hold before each of its steps, the one that leaves it
///    included.
///  * Every `*` is chosen on its own. A variable or parameter without a first value, a result of
///    a procedure that ends without `return`, a variable behind `dead`: any value.
///  * `start_thread goto L` copies the whole stack of the spawner, which goes on at L in the copy.
///    `start_thread f(…)` starts with f alone.
///  * A thread at `wait c` is moved on by a `broadcast c` or `signal c` of another thread and by
///    nothing else; that is a part of the other thread's step.
///  * `x$ := e` assigns to the variable x at the bottom of the stacks of all other threads that
///    have the procedure of the statement at the bottom. In e, `y$` is the variable y of the thread
///    that receives the value; each `*` is chosen by each of these threads for itself. Each of them
///    takes any of its values that `constrain$` allows, and keeps its old ones if it allows none.
///  * If only failures through certain statements count (`through`), a run ends at its first
///    failure nevertheless. A `wait` is executed when its thread is moved on.
///  * Threads that the program lists (flow.hpp) start together; if there is an `init`, it is the
///    first thread, and the others start when it has returned.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/boolean_program/code.hpp"
#include "model/boolean_program/syntax.hpp"
#include "model/boolean_program/valuation.hpp"

namespace heddle::model::boolean {

/// A procedure that runs, or that waits for a call to return.
struct Activation {
  std::uint32_t procedure = 0;
  std::uint32_t instruction = 0;  ///< what comes next; the call, while it waits for one
  Valuation values = 0;           ///< of its parameters and then its variables
  friend auto operator<=>(const Activation&, const Activation&) = default;
};

struct Thread {
  enum class Phase : std::uint8_t {
    BeforeInit,
    Running,
    Returned,  ///< from its first procedure
    Ended,     ///< by `end_thread`
    Failed     ///< by an assertion
  };
  Phase phase = Phase::Running;
  std::uint32_t sections = 0;     ///< atomic ones that it is inside of
  std::vector<Activation> stack;  ///< outermost first; empty if it has returned or ended
  friend auto operator<=>(const Thread&, const Thread&) = default;
};

struct ProgramState {
  Valuation shared = 0;
  std::vector<Thread> threads;
  bool visited = false;  ///< one of the program's `through` was executed
  friend auto operator<=>(const ProgramState&, const ProgramState&) = default;
};

class Semantics {
 public:
  /// The program must outlive it. Precondition: its names are right.
  explicit Semantics(const BooleanProgram& program)
      : program_(program), codes_(codes_of(program)) {}

  const BooleanProgram& program() const { return program_; }
  const std::vector<Code>& codes() const { return codes_; }  ///< by procedure
  /// What a thread does next. Precondition: it runs.
  const Instruction& instruction_of(const Thread& thread) const;

  /// With so many threads in main; of a program that lists its threads, with these.
  std::vector<ProgramState> initial_states(std::size_t threads) const;

  /// With a failure that counts.
  bool has_failed(const ProgramState& state) const;

  /// Every state that one step of the thread leads to. Exponential in the number of variables that
  /// a statement changes arbitrarily.
  std::vector<ProgramState> successors(const ProgramState& state, std::uint32_t thread) const;

  /// Does a failure count that goes through this place?
  bool is_wanted(const Position& at) const;

 private:
  bool has_failed(const Thread& thread) const;

  const BooleanProgram& program_;
  std::vector<Code> codes_;
};

struct SearchLimits {
  std::size_t max_threads = 4;  ///< states with more are looked at, but not expanded
  std::size_t max_depth = 4;    ///< likewise with more procedures on a stack
  std::size_t max_states = 20'000;
};

struct SearchResult {
  bool fails = false;
  bool exact = true;  ///< nothing was cut off by the limits
};

/// Breadth first, from so many threads in main.
SearchResult search(const Semantics& semantics, std::size_t threads, const SearchLimits& limits);

/// Up to a number of rounds: in each of them every thread, in the order of their numbers, makes any
/// number of steps in a row.
SearchResult search_rounds(const Semantics& semantics, std::size_t threads, std::size_t rounds,
                           const SearchLimits& limits);

}  // namespace heddle::model::boolean
