#include "frontend/petri/place_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/suggest.hpp"

namespace heddle::frontend::petri {

namespace {

using namespace std::string_view_literals;

constexpr std::array kSections = {"vars"sv, "rules"sv, "init"sv, "target"sv, "invariants"sv};
/// Measuring distances costs the product of the lengths: no suggestions for monsters.
constexpr std::size_t kLongestSuggestedFor = 60;
constexpr std::size_t kMostCandidates = 5000;

}  // namespace

PlaceTable::PlaceTable(const std::vector<std::string>& names) {
  for (const std::string& name : names) declare(name);
}

bool PlaceTable::declare(std::string_view name) {
  const bool is_new = ids_.try_emplace(name, model::PlaceId(names_.size())).second;
  if (is_new) names_.push_back(name);
  return is_new;
}

std::optional<model::PlaceId> PlaceTable::find(std::string_view name) const {
  const auto it = ids_.find(name);
  return it != ids_.end() ? std::optional(it->second) : std::nullopt;
}

std::string PlaceTable::suggestion(std::string_view name) const {
  if (name.size() > kLongestSuggestedFor || ids_.size() > kMostCandidates) return {};
  std::vector<std::string> candidates;
  for (const std::string_view candidate : names_)
    if (candidate.size() <= 2 * kLongestSuggestedFor) candidates.emplace_back(candidate);
  return base::did_you_mean(name, candidates);
}

bool OncePerPlace::first(model::PlaceId place) {
  if (place == kUnknownPlace) return true;
  if (place.index() >= seen_in_.size()) seen_in_.resize(place.index() + 1);
  return std::exchange(seen_in_[place.index()], round_) != round_;
}

bool is_section(std::string_view word) {
  return std::ranges::find(kSections, word) != kSections.end();
}

bool is_reserved(std::string_view word) {
  return word == "in" || word == "true" || is_section(word);
}

}  // namespace heddle::frontend::petri
