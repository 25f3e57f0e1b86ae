#pragma once

/// The condition under which it is enough to follow some of the transitions from a configuration
/// (stubborn_condition.cpp).

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/counting.hpp"

namespace heddle::check {

class StubbornCondition {
 public:
  /// Covers: configurations stand for smaller ones, too, and upper bounds of guards and targets are
  /// ignored; without them there are only more runs. Exact: configurations stand for themselves,
  /// targets may have upper bounds and conditions, and guards have no upper bounds.
  enum class About { Covers, Exact };

  /// The task must outlive it.
  StubbornCondition(const model::CountingTask& task, About about);

  /// Do all transitions have a constant effect, and no upper bounds if the condition is exact? The
  /// others need that.
  bool applies() const { return applies_; }

  /// The number of a counter; null for any number.
  using Value = std::function<const base::Integer*(std::uint32_t counter)>;

  /// Is there a stubborn set whose enabled transitions are all among `followed`? Linear in the
  /// model, times the arcs at a place.
  bool holds(model::SharedState shared, const Value& value, const std::vector<bool>& followed);

 private:
  struct Arc {
    std::uint32_t counter;  ///< the model's counters, then one for each shared state
    base::Integer take;
    base::Integer give;
  };
  using Transitions = std::vector<std::uint32_t>;
  using Bounds = std::vector<std::pair<std::uint32_t, base::Integer>>;
  /// A condition of a target; the inequalities of all targets are numbered.
  struct Part {
    const model::Condition* condition;
    std::vector<Part> parts = {};
    std::size_t number = 0;  ///< of an inequality
  };
  struct Target {
    Bounds lower;
    Bounds upper;
    std::optional<Part> condition = std::nullopt;
  };

  void add(const model::ThreadTransition& transition);
  void add(const model::PetriTransition& transition);
  void index_arcs();
  Part numbered(const model::Condition& condition);
  void place(model::SharedState shared, const Value& value);
  bool lacks(std::uint32_t counter, const base::Integer& wanted) const;
  bool exceeds(std::uint32_t counter, const base::Integer& most) const;
  /// Is there a bound that it violates and that only members can mend?
  bool is_out_of_reach(const Target& target) const;
  /// Does it not hold, and can only members mend that?
  bool is_out_of_reach(const Part& part) const;
  /// Does it need what only members produce?
  bool stays_disabled(std::uint32_t transition) const;
  bool decreases(std::uint32_t transition, std::uint32_t counter) const;
  void remove(std::uint32_t transition);
  void remove_next();

  std::uint32_t counters_;
  About about_;
  bool applies_ = true;
  std::vector<std::vector<Arc>> arcs_;  ///< by transition
  std::vector<Transitions> producers_;  ///< by counter
  std::vector<Transitions> consumers_;
  std::vector<Target> targets_;
  std::vector<std::vector<std::uint32_t>> raised_by_;  ///< by transition: inequalities

  std::vector<const base::Integer*> values_;  ///< by counter, of the configuration at hand
  std::vector<bool> is_enabled_;
  std::vector<bool> is_member_;
  std::vector<std::size_t> missing_producers_;  ///< by counter: those that are not members
  std::vector<std::size_t> missing_consumers_;
  std::vector<std::size_t> missing_decreasers_;
  std::vector<std::size_t> missing_raisers_;  ///< by inequality
  Transitions removed_;                       ///< what follows from it is still to be seen
};

}  // namespace heddle::check
