#pragma once

/// A forward proof about models whose configurations are counts (docs/evidence.md).

#include <string_view>
#include <vector>

#include "answer/bound.hpp"
#include "base/type_list.hpp"
#include "model/configuration.hpp"
#include "model/petri_net.hpp"
#include "model/thread_system.hpp"

namespace heddle::answer {

/// The configurations of a shared state with at most so many of each counter, any number of those
/// that are unbounded. Unbounded counters are sorted, without duplicates, and not in `counts`.
struct OmegaConfiguration {
  model::SharedState shared;
  model::Counts counts;
  std::vector<model::Counter> unbounded;
  friend bool operator==(const OmegaConfiguration&, const OmegaConfiguration&) = default;
};

/// The maximal elements of a downward-closed set that contains every initial configuration and no
/// target and that is closed under steps.
struct ForwardCover {
  static constexpr std::string_view kName = "forward_cover";
  using Models = base::TypeList<model::ThreadSystem, model::PetriNet>;
  using Bounds = BoundList<>;

  std::vector<OmegaConfiguration> maximal;
  friend bool operator==(const ForwardCover&, const ForwardCover&) = default;
};

}  // namespace heddle::answer
