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

namespace {

/// What has a negative weight stands on the other side, so that nothing is subtracted.
std::string inequality_text(const Condition& inequality, const ConditionWords& words) {
  std::string left, right;
  const auto add = [](std::string& side, const std::string& term) {
    side += (side.empty() ? "" : " + ") + term;
  };
  for (const auto& [place, weight] : inequality.terms) {
    const base::Integer size = abs(weight);
    add(weight > 0 ? left : right,
        (size == 1 ? "" : base::to_string(size) + " * ") + words.name(place));
  }
  const bool is_bound_from_above = left.empty();
  if (inequality.least != 0)
    add(inequality.least > 0 ? right : left, base::to_string(abs(inequality.least)));
  if (left.empty()) left = "0";
  if (right.empty()) right = "0";
  return is_bound_from_above ? right + " <= " + left : left + " >= " + right;
}

}  // namespace

std::string to_text(const Condition& condition, const ConditionWords& words) {
  if (condition.kind == Condition::Kind::AtLeast) return inequality_text(condition, words);
  const bool is_all = condition.kind == Condition::Kind::All;
  if (condition.parts.empty()) return std::string(is_all ? words.truth : words.falsity);
  std::string out = "(";
  for (std::size_t i = 0; i < condition.parts.size(); ++i) {
    if (i > 0) out += is_all ? words.conjunction : words.disjunction;
    out += to_text(condition.parts[i], words);
  }
  return out + ")";
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
