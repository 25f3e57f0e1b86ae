#pragma once

/// The conditions of targets (model/condition.hpp) in machine words, for searches that look at many
/// configurations.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "coverability/counter_system.hpp"
#include "model/condition.hpp"

namespace heddle::coverability {

struct TargetCondition {
  using Kind = model::Condition::Kind;

  Kind kind = Kind::All;
  std::vector<TargetCondition> parts;                         ///< of All and Any
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;  ///< of AtLeast: counter and weight
  std::int64_t least = 0;
  std::uint32_t number = 0;  ///< of the inequality, among all of the task

  bool is_true() const { return kind == Kind::All && parts.empty(); }

  /// Σ weight·value of an inequality.
  std::int64_t sum(std::span<const Count> values) const;
  bool holds(std::span<const Count> values) const;
};

/// Nothing if a number is so large that sums might not fit. `inequalities` counts them.
std::optional<TargetCondition> compile(const model::Condition& condition,
                                       std::uint32_t& inequalities);

template <class Visit>
void for_each_inequality(const TargetCondition& condition, const Visit& visit) {
  if (condition.kind == TargetCondition::Kind::AtLeast) return visit(condition);
  for (const TargetCondition& part : condition.parts) for_each_inequality(part, visit);
}

}  // namespace heddle::coverability
