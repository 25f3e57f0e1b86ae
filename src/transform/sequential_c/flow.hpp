#pragma once

/// Which functions threads execute, and how often: the call graph, loops and recursion of a C
/// program, as far as the sequential program depends on them.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/c/control_flow.hpp"
#include "model/c/program.hpp"

namespace heddle::transform::sequential_c {

using model::c::FunctionId;
using model::c::Location;
using model::c::Program;

/// A loop: what lies between its head and the jumps back to it.
struct Loop {
  Location head;
  std::set<Location> inside;                              ///< with the head
  std::set<std::pair<Location, Location>> back;           ///< edges to the head
  std::optional<std::pair<Location, Location>> entrance;  ///< the edge with which a round begins,
                                                          ///< if the head decides about it
};

class ControlFlow {
 public:
  /// With a bound, each loop is executed at most so many rounds, and recursion goes so deep.
  /// Throws Refusal for loops with several heads if there is a bound.
  ControlFlow(const Program& program, std::optional<std::uint32_t> bound);

  std::optional<std::uint32_t> bound() const { return bound_; }
  /// By the thread of the entry; by threads that are created.
  bool runs_first(FunctionId function) const { return first_.contains(function); }
  bool runs_created(FunctionId function) const { return created_.contains(function); }
  bool is_reached(FunctionId function) const {
    return runs_first(function) || runs_created(function);
  }
  bool is_reached(FunctionId function, Location at) const {
    return is_reached(function) && reached_[function.index()][at.index()];
  }
  bool is_recursive(FunctionId function) const { return recursive_.contains(function); }
  const std::vector<Loop>& loops(FunctionId function) const { return loops_[function.index()]; }
  /// Functions that a call through a pointer may execute, and those that threads may start with.
  const std::vector<FunctionId>& pointed() const { return pointed_; }
  const std::set<FunctionId>& start_routines() const { return starts_; }
  std::vector<FunctionId> callees(const model::c::Call& call) const;

  /// Whether an instruction is executed by the first thread only, and only before it has created
  /// another one.
  bool is_alone(FunctionId function, Location at) const;

  bool may_be_in_section(FunctionId function, Location at) const;

  /// How often a thread that begins with one of these executes an instruction at most; none: there
  /// is no bound. A sum over all functions that a thread may begin with would be too much: it
  /// begins with one.
  std::optional<std::uint64_t> times(FunctionId function, Location at) const;
  /// Of all threads together, the first one included; none: there is no bound.
  std::optional<std::uint64_t> threads() const { return threads_; }
  /// A creation that has no bound, if there is none for the threads.
  model::c::Position unbounded_creation() const { return unbounded_creation_; }

 private:
  void find_pointed();
  void find_starts();
  std::set<FunctionId> reached_from(const std::set<FunctionId>& roots) const;
  void find_recursion();
  void find_loops(FunctionId function);
  void find_rounds_begin(const model::c::Function& function, Loop& loop) const;
  /// Of one execution of the function.
  std::optional<std::uint64_t> times_here(FunctionId function, Location at) const;
  std::optional<std::uint64_t> calls_from(FunctionId root, FunctionId function) const;
  void count_threads();
  void find_alone();
  void find_sections();

  const Program& program_;
  std::optional<std::uint32_t> bound_;
  std::vector<std::vector<bool>> reached_;      ///< inside of the function
  std::vector<std::vector<bool>> accompanied_;  ///< there may be other threads
  std::vector<std::vector<unsigned>> depths_;   ///< of atomic sections
  std::vector<std::vector<Loop>> loops_;
  std::vector<FunctionId> pointed_;
  std::set<FunctionId> starts_, first_, created_, recursive_;
  mutable std::map<std::pair<FunctionId, FunctionId>, std::optional<std::uint64_t>> calls_;
  mutable std::map<FunctionId, std::set<FunctionId>>
      families_;  ///< functions by where threads begin
  std::optional<std::uint64_t> threads_;
  model::c::Position unbounded_creation_;
};

}  // namespace heddle::transform::sequential_c
