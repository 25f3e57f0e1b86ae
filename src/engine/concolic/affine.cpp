#include "engine/concolic/affine.hpp"

#include <algorithm>

namespace heddle::engine::concolic {

using base::Integer;

void Affine::add(Unknown unknown, std::int64_t factor) {
  if (factor == 0) return;
  const auto it =
      std::ranges::lower_bound(terms, unknown, {}, &std::pair<Unknown, std::int64_t>::first);
  if (it == terms.end() || it->first != unknown) {
    terms.insert(it, {unknown, factor});
  } else if ((it->second += factor) == 0) {
    terms.erase(it);
  }
}

Affine Affine::renamed(const Renaming& renaming) const {
  Affine result{constant, {}};
  for (const auto& [unknown, factor] : terms) {
    const auto it =
        std::ranges::lower_bound(renaming, unknown / 2, {}, &Renaming::value_type::first);
    if (it == renaming.end() || it->first != unknown / 2) continue;
    const bool rounds = unknown == rounds_of(it->first);
    result.add(rounds ? rounds_of(it->second) : entered_of(it->second), factor);
  }
  return result;
}

bool Affine::below(const Affine& other) const {
  if (constant > other.constant) return false;
  auto b = other.terms.begin();
  for (const auto& [unknown, factor] : terms) {
    for (; b != other.terms.end() && b->first < unknown; ++b)
      if (b->second < 0) return false;
    const bool shared = b != other.terms.end() && b->first == unknown;
    if (factor > (shared ? b->second : 0)) return false;
    if (shared) ++b;
  }
  return std::all_of(b, other.terms.end(), [](const auto& term) { return term.second >= 0; });
}

bool Affine::never_positive() const {
  return constant <= 0 && std::ranges::all_of(terms, [](const auto& t) { return t.second <= 0; });
}

bool Affine::always_above(const Integer& limit) const {
  return constant > limit &&
         std::ranges::all_of(terms, [](const auto& t) { return t.second >= 0; });
}

void Maximum::raise(Affine form) {
  if (form.never_positive()) return;
  for (const Affine& old : forms_)
    if (form.below(old)) return;
  std::erase_if(forms_, [&](const Affine& old) { return old.below(form); });
  forms_.push_back(std::move(form));
}

void Maximum::shift(std::int64_t amount, std::int64_t floor) {
  std::vector<Affine> old = std::move(forms_);
  forms_.clear();
  for (Affine& form : old) {
    form.constant += amount;
    raise(std::move(form));
  }
  raise({std::max(amount, floor), {}});
}

void Maximum::repeat(std::int64_t shift, std::int64_t floor, std::uint32_t component) {
  std::vector<Affine> old = std::move(forms_);
  forms_.clear();
  old.emplace_back();  // a count is at least 0
  for (Affine& form : old) {
    form.add(rounds_of(component), shift);
    raise(std::move(form));
  }
  const std::int64_t growth = std::max<std::int64_t>(shift, 0);
  Affine least;
  least.add(rounds_of(component), growth);
  least.add(entered_of(component), floor - growth);
  raise(std::move(least));
}

bool Maximum::always_above(const Integer& limit) const {
  return std::ranges::any_of(forms_, [&](const Affine& form) { return form.always_above(limit); });
}

bool Maximum::covers(const Affine& form) const {
  return form.never_positive() ||
         std::ranges::any_of(forms_, [&](const Affine& above) { return form.below(above); });
}

bool Maximum::below(const Maximum& other) const {
  return std::ranges::all_of(forms_, [&](const Affine& form) { return other.covers(form); });
}

bool Maximum::below(const Maximum& other, const Renaming& renaming) const {
  return std::ranges::all_of(
      forms_, [&](const Affine& form) { return other.covers(form.renamed(renaming)); });
}

}  // namespace heddle::engine::concolic
