#include "coverability/target_condition.hpp"

#include <algorithm>

namespace heddle::coverability {

namespace {

/// Weights of less than this, for fewer counters than this: sums of products with counts of 32 bits
/// stay below 2^62.
constexpr long kLargestWeight = 1L << 15;
constexpr std::size_t kMostTerms = std::size_t{1} << 15;
constexpr long kLargestLeast = 1L << 61;  ///< so that differences with such sums fit

}  // namespace

std::int64_t TargetCondition::sum(std::span<const Count> values) const {
  std::int64_t total = 0;
  for (const auto& [counter, weight] : terms)
    total += weight * static_cast<std::int64_t>(values[counter]);
  return total;
}

bool TargetCondition::holds(std::span<const Count> values) const {
  const auto here = [&](const TargetCondition& part) { return part.holds(values); };
  switch (kind) {
    case Kind::All: return std::ranges::all_of(parts, here);
    case Kind::Any: return std::ranges::any_of(parts, here);
    case Kind::AtLeast: break;
  }
  return sum(values) >= least;
}

std::optional<TargetCondition> compile(const model::Condition& condition,
                                       std::uint32_t& inequalities) {
  TargetCondition out;
  out.kind = condition.kind;
  for (const model::Condition& part : condition.parts) {
    auto compiled = compile(part, inequalities);
    if (!compiled) return std::nullopt;
    out.parts.push_back(std::move(*compiled));
  }
  if (condition.kind != model::Condition::Kind::AtLeast) return out;
  if (abs(condition.least) > kLargestLeast || condition.terms.size() > kMostTerms)
    return std::nullopt;
  out.least = condition.least.get_si();
  out.number = inequalities++;
  for (const auto& [place, weight] : condition.terms) {
    if (abs(weight) > kLargestWeight) return std::nullopt;
    out.terms.emplace_back(place.value, weight.get_si());
  }
  return out;
}

}  // namespace heddle::coverability
