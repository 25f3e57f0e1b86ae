#include "model/condition.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace heddle::model {

namespace {

/// Parts that are of the same kind themselves become parts of the whole; a single part is the
/// whole. So equal formulas that are bracketed differently are equal.
Condition joined(Condition::Kind kind, std::vector<Condition> parts) {
  Condition out;
  out.kind = kind;
  for (Condition& part : parts) {
    if (part.kind != kind)
      out.parts.push_back(std::move(part));
    else if (out.parts.empty())  // long chains are joined one by one
      out.parts = std::move(part.parts);
    else
      std::ranges::move(part.parts, std::back_inserter(out.parts));
  }
  if (out.parts.size() != 1) return out;
  Condition only = std::move(out.parts.front());
  return only;
}

}  // namespace

Condition Condition::all(std::vector<Condition> parts) {
  if (std::ranges::any_of(parts, &Condition::is_false)) return any({});
  return joined(Kind::All, std::move(parts));
}

Condition Condition::any(std::vector<Condition> parts) {
  if (std::ranges::any_of(parts, &Condition::is_true)) return all({});
  return joined(Kind::Any, std::move(parts));
}

Condition Condition::at_least(std::vector<WeightedPlace> terms, base::Integer least) {
  Condition out;
  out.kind = Kind::AtLeast;
  out.terms = std::move(terms);
  out.least = std::move(least);
  return out;
}

bool precedes(const Condition& a, const Condition& b) {
  if (std::tie(a.kind, a.least) != std::tie(b.kind, b.least))
    return std::tie(a.kind, a.least) < std::tie(b.kind, b.least);
  const auto earlier = [](const WeightedPlace& x, const WeightedPlace& y) {
    return std::tie(x.place, x.weight) < std::tie(y.place, y.weight);
  };
  if (a.terms != b.terms) return std::ranges::lexicographical_compare(a.terms, b.terms, earlier);
  return std::ranges::lexicographical_compare(a.parts, b.parts, precedes);
}

bool holds(const Condition& condition, const Counts& counts) {
  const auto here = [&](const Condition& part) { return holds(part, counts); };
  switch (condition.kind) {
    case Condition::Kind::All: return std::ranges::all_of(condition.parts, here);
    case Condition::Kind::Any: return std::ranges::any_of(condition.parts, here);
    case Condition::Kind::AtLeast: break;
  }
  base::Integer sum = 0;
  for (const auto& [place, weight] : condition.terms) sum += weight * counts[place];
  return sum >= condition.least;
}

}  // namespace heddle::model
