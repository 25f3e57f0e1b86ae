#include "engine/concolic/affine.hpp"

#include <algorithm>
#include <optional>

namespace heddle::engine::concolic {

using base::Integer;

void Affine::add(Unknown unknown, std::int64_t factor) {
  if (factor == 0) return;
  const auto it =
      std::ranges::lower_bound(terms, unknown, {}, &std::pair<Unknown, std::int64_t>::first);
  if (it == terms.end() || it->first != unknown) {
    terms.insert(it, {unknown, factor});
    return;
  }
  it->second += factor;
  if (it->second == 0) terms.erase(it);
}

namespace {

/// What an unknown is called afterwards; nothing if it is 0.
std::optional<Unknown> renamed(Unknown unknown, const Renaming& renaming) {
  const auto it = std::ranges::lower_bound(renaming, unknown / 2, {}, &Renaming::value_type::first);
  if (it == renaming.end() || it->first != unknown / 2) return std::nullopt;
  return unknown == rounds_of(it->first) ? rounds_of(it->second) : entered_of(it->second);
}

std::int64_t factor_of(const Affine& form, Unknown unknown) {
  const auto it =
      std::ranges::lower_bound(form.terms, unknown, {}, &std::pair<Unknown, std::int64_t>::first);
  return it != form.terms.end() && it->first == unknown ? it->second : 0;
}

}  // namespace

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

/// No two unknowns get the same name, so the other form's negative factors lie above one of ours
/// each, or there is one that none of ours lies below.
bool Affine::below(const Affine& other, const Renaming& renaming) const {
  if (constant > other.constant) return false;
  auto negative = std::ranges::count_if(other.terms, [](const auto& t) { return t.second < 0; });
  for (const auto& [unknown, factor] : terms) {
    const auto name = renamed(unknown, renaming);
    if (!name) continue;
    const std::int64_t above = factor_of(other, *name);
    if (factor > above) return false;
    negative -= above < 0;
  }
  return negative == 0;
}

bool Affine::never_positive(const Renaming& renaming) const {
  return constant <= 0 && std::ranges::all_of(terms, [&](const auto& t) {
           return t.second <= 0 || !renamed(t.first, renaming);
         });
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

bool Maximum::covers(const Affine& form, const Renaming& renaming) const {
  return form.never_positive(renaming) || std::ranges::any_of(forms_, [&](const Affine& above) {
           return form.below(above, renaming);
         });
}

bool Maximum::below(const Maximum& other, const Renaming& renaming) const {
  return std::ranges::all_of(forms_,
                             [&](const Affine& form) { return other.covers(form, renaming); });
}

}  // namespace heddle::engine::concolic
