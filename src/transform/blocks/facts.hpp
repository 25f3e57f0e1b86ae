#pragma once

/// What holds at a point of a thread whatever the others do, by the shape of the program alone:
/// which mutexes the thread holds, and which other threads are not running.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/threads/thread_program.hpp"

namespace heddle::transform::blocks {

class Facts {
 public:
  explicit Facts(const model::threads::ThreadProgram& program);

  /// Owner variables of mutexes that the thread certainly holds at the point.
  const std::set<model::threads::VariableId>& held(model::threads::ThreadIndex thread,
                                                   model::threads::Point point) const {
    return held_[thread.index()][point.index()];
  }

  /// Whether the threads can be at these points at the same time, as far as is known here. For one
  /// thread twice: two copies of it.
  bool may_coexist(model::threads::ThreadIndex a, model::threads::Point at_a,
                   model::threads::ThreadIndex b, model::threads::Point at_b) const;

  /// The facts as a formula over globals and the thread's number. Inductive, together for all
  /// threads and points, on the program without reduction: a checker can confirm that.
  term::Term formula(model::threads::ThreadIndex thread, model::threads::Point point) const;

  /// Whether the point can be reached in the thread's graph.
  bool is_reachable(model::threads::ThreadIndex thread, model::threads::Point point) const {
    return reachable_[thread.index()][point.index()];
  }

 private:
  void find_held(model::threads::ThreadIndex thread);
  void find_running();
  void drop_unreliable();
  bool is_reliable_assignment(const model::threads::Assignment& a,
                              const model::threads::Transition& t,
                              model::threads::ThreadIndex thread) const;
  /// Whether the transition takes the mutex, or leaves it to the thread, which holds it or not.
  bool holds_after(const model::threads::Assignment& a, const model::threads::Transition& t,
                   model::threads::ThreadIndex thread, bool is_held) const;
  bool is_valid(const term::Term& formula) const;
  bool runs_with(model::threads::ThreadIndex a, model::threads::ThreadIndex b) const;

  model::threads::ThreadProgram program_;
  std::vector<std::vector<std::set<model::threads::VariableId>>> held_;  ///< thread, point
  std::vector<std::vector<bool>> reachable_;
  /// By point of thread 0: threads that may be running.
  std::vector<std::set<std::uint32_t>> running_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> concurrent_;
  mutable std::map<std::string, bool> answers_;  ///< of the solver, by formula
};

/// Whether `term` is a conjunct of `formula`, up to the sides of equations.
bool has_conjunct(const term::Term& formula, const term::Term& term);
bool same_term(const term::Term& a, const term::Term& b);

}  // namespace heddle::transform::blocks
