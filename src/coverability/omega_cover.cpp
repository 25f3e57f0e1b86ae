#include "coverability/omega_cover.hpp"

#include <algorithm>

namespace heddle::coverability {

namespace {

answer::OmegaConfiguration to_answer(Control control, std::span<const OmegaWord> vector) {
  answer::OmegaConfiguration element{model::SharedState(control), {}, {}};
  for (const OmegaWord word : vector) {
    const model::Counter counter(counter_of(word));
    if (count_of(word) == kOmega)
      element.unbounded.push_back(counter);
    else
      element.counts.set(counter, count_of(word));
  }
  return element;
}

}  // namespace

void ReducedSteps::for_each(Control control, std::span<const OmegaWord> before,
                            const OmegaSteps::Visit& visit) {
  steps_.list_enabled(control, before, enabled_);
  const bool has_guards = !guards_.empty();
  if (has_guards) std::erase_if(enabled_, [&](auto t) { return !keeps(before, guards_[t]); });
  const bool is_reduced = !has_guards && stubborn_.choose(control, before, enabled_);
  bool go_on = true;
  for (std::size_t i = 0; i < enabled_.size() && go_on; ++i) {
    if (is_reduced && !stubborn_.is_chosen(enabled_[i])) continue;
    steps_.successors_by(
        enabled_[i], before,
        [&](std::uint32_t transition, std::uint32_t choice, const OmegaVector& after) {
          go_on = visit(transition, choice, after);
          return go_on;
        });
  }
}

bool keeps(std::span<const OmegaWord> vector, const UpperBounds& bounds) {
  return std::ranges::all_of(bounds, [&](const auto& bound) {
    const auto it = std::ranges::lower_bound(vector, omega_word(bound.first, 0));
    return it == vector.end() || counter_of(*it) != bound.first || count_of(*it) <= bound.second;
  });
}

answer::ForwardCover forward_cover(const OmegaStore& store, std::span<const OmegaId> elements) {
  answer::ForwardCover cover;
  for (const OmegaId id : elements)
    cover.maximal.push_back(to_answer(store.node(id).control, store.vector(id)));
  return cover;
}

}  // namespace heddle::coverability
