#include "engine/compositional/linear_space.hpp"

namespace heddle::engine::compositional {

using base::Integer;
using term::Term;

void normalise(LinearVector& v) {
  Integer divisor = 0;
  for (const auto& [i, x] : v) divisor = gcd(divisor, x);
  if (divisor > 1)
    for (auto& [i, x] : v) x /= divisor;
}

LinearVector combine(const Integer& a, const LinearVector& x, const Integer& b,
                     const LinearVector& y) {
  LinearVector out;
  if (a != 0)
    for (const auto& [i, value] : x) out.emplace(i, a * value);
  if (b != 0)
    for (const auto& [i, value] : y) {
      Integer& entry = out[i];
      entry += b * value;
      if (entry == 0) out.erase(i);
    }
  normalise(out);
  return out;
}

Integer product(const LinearVector& a, const LinearVector& b) {
  Integer out = 0;
  for (const auto& [i, value] : a)
    if (const auto other = b.find(i); other != b.end()) out += value * other->second;
  return out;
}

bool LinearSpace::add(LinearVector v) {
  normalise(v);
  while (!v.empty()) {
    const auto row = rows_.find(v.begin()->first);
    if (row == rows_.end()) {
      rows_.emplace(v.begin()->first, std::move(v));
      return true;
    }
    const Integer a = row->second.begin()->second, b = v.begin()->second;
    v = combine(a, v, -b, row->second);
  }
  return false;
}

std::vector<LinearVector> LinearSpace::basis() const {
  std::vector<LinearVector> out;
  for (const auto& [first, row] : rows_) out.push_back(row);
  return out;
}

std::vector<LinearVector> LinearSpace::equalities(std::uint32_t size) const {
  // Reduced rows: a pivot occurs in its own row only.
  std::map<std::uint32_t, LinearVector> rows = rows_;
  for (auto low = rows.rbegin(); low != rows.rend(); ++low)
    for (auto& [first, row] : rows)
      if (first != low->first && row.contains(low->first))
        row = combine(low->second.at(low->first), row, -row.at(low->first), low->second);
  std::vector<LinearVector> out;
  for (std::uint32_t free = 0; free < size; ++free) {
    if (rows.contains(free)) continue;
    // x_free = 1 and each pivot as its row demands, times the common denominator.
    Integer common = 1;
    for (const auto& [first, row] : rows)
      if (row.contains(free)) common = lcm(common, row.at(first));
    LinearVector v = {{free, common}};
    for (const auto& [first, row] : rows)
      if (row.contains(free)) v[first] = -common / row.at(first) * row.at(free);
    normalise(v);
    out.push_back(std::move(v));
  }
  return out;
}

Term vanishing(std::span<const Term> names, const LinearVector& equality) {
  std::vector<Term> left, right;
  for (const auto& [i, x] : equality) {
    const Integer size = abs(x);
    Term part =
        i == 0 ? term::constant(size) : (size == 1 ? names[i] : term::product(size, names[i]));
    (x > 0 ? left : right).push_back(std::move(part));
  }
  return term::equal(term::sum(std::move(left)), term::sum(std::move(right)));
}

}  // namespace heddle::engine::compositional
