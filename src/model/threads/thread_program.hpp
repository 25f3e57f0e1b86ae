#pragma once

/// Thread programs: what proofs about C programs speak about. Threads are control-flow graphs over
/// integer and Boolean variables, without calls, pointers or bytes; a transition has a guard and
/// simultaneous assignments. Global variables are shared, local ones belong to one thread.
///
/// A thread program *covers* a C program: every run of the C program that violates the property has
/// a run here that reaches an error location. It may have more runs, where something was abstracted
/// (`Transition::is_abstract`).
///
/// Thread 0 runs from the beginning. The others run from the moment when a transition creates them.
/// A *replicated* thread stands for any number of threads with the same code: each creation starts
/// another one, with locals of its own. Every thread has a number, `self`: for a thread that is not
/// replicated the constant index + 1; for a replicated one a local variable with a number greater
/// than the number of threads, different from that of all others.
///
/// The guards of the transitions that leave a location exclude each other, for given inputs. While
/// a thread stands at a location in an atomic section, no other thread steps. Integer variables
/// never leave their range.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.hpp"
#include "model/c/program.hpp"
#include "term/term.hpp"

namespace heddle::model::threads {

struct VariableTag;
struct ThreadTag;
struct PointTag;
using VariableId = base::Id<VariableTag>;
using ThreadIndex = base::Id<ThreadTag>;
using Point = base::Id<PointTag>;  ///< a location of a thread

struct Variable {
  enum class Kind : std::uint8_t {
    Memory,  ///< a part of an object
    Register,
    Owner,   ///< of a mutex or a lock cell: 0, or the number of the thread that holds it
    Depth,   ///< how often a recursive mutex is locked beyond the first time
    Status,  ///< of a thread: 0 not created, 1 running, 2 ended; replicated: 0, or 1 for ever
    Self     ///< the number of a replicated thread
  };
  term::Term term =
      term::constant(true);  ///< a variable; its name is a simple symbol, unlike all others
  std::string name;          ///< as a C programmer would write it
  Kind kind = Kind::Memory;
  std::optional<ThreadIndex> owner;  ///< whose local it is
  /// Of integers; without a bound for `Self`.
  base::Integer least = 0;
  std::optional<base::Integer> greatest;
  std::optional<base::Integer> initial = base::Integer(0);  ///< of globals; none: anything
};

/// Something that a transition takes from outside: any value of a range.
struct Input {
  term::Term term;
  base::Integer least = 0;
  base::Integer greatest = 0;
};

struct Assignment {
  VariableId variable;
  term::Term value;  ///< over globals, the thread's locals and inputs
};

/// A thread starts, with these locals; the others are 0 or false.
struct Creation {
  ThreadIndex thread;
  std::vector<Assignment> locals;  ///< of the created thread, over what the creator sees
};

struct Transition {
  Point from, to;
  term::Term guard = term::constant(true);
  std::vector<Assignment> assignments;
  std::vector<Input> inputs;
  std::optional<Creation> creation;
  bool is_abstract = false;
  /// The guard says only whether the arithmetic that assigns this variable stays in its range.
  std::optional<VariableId> range_check_of;
  /// In a program whose sections were composed: the transitions of the original that this one is.
  std::vector<std::uint32_t> parts = {};
};

struct PointInfo {
  enum class Kind : std::uint8_t {
    Ordinary,
    Error,        ///< the property is violated
    Overflow,     ///< arithmetic left its range, where the proof assumes that it does not
    Unsupported,  ///< the C program does something that the model does not have
    End           ///< the thread has ended, or the process
  };
  Kind kind = Kind::Ordinary;
  bool in_section = false;
  /// The run may stop here although no other thread can help: assumptions, invalid accesses, exit.
  bool may_block = false;
  c::Position position;
  std::string function;
  c::FunctionId function_id;  ///< of the instruction that leaves this point
  c::Location location;
  std::uint32_t depth = 0;  ///< how many calls are active
};

struct Thread {
  std::string name;
  bool is_replicated = false;
  std::optional<ThreadIndex> creator;
  Point entry;
  std::vector<PointInfo> points;
  std::vector<Transition> transitions;
  std::vector<VariableId> locals;
  std::optional<VariableId> self;    ///< of a replicated thread
  std::optional<VariableId> status;  ///< of all but thread 0
};

struct ThreadProgram {
  std::vector<Variable> variables;
  std::vector<VariableId> globals;
  std::vector<Thread> threads;
  std::vector<std::string> files;

  const Variable& variable(VariableId id) const { return variables[id.index()]; }
  const Thread& thread(ThreadIndex id) const { return threads[id.index()]; }
};

/// The number of a thread as its own transitions write it.
term::Term self_of(const ThreadProgram& program, ThreadIndex thread);

/// Whether reaching a point of this kind means that nothing is proved.
bool is_bad(PointInfo::Kind kind);

/// `term` is in the range of the variable; true for Booleans.
term::Term in_range(const Variable& variable, const term::Term& term);
term::Term in_range(const Input& input);

/// A listing for people: threads, points with their source lines, transitions.
std::string to_text(const ThreadProgram& program);

}  // namespace heddle::model::threads
