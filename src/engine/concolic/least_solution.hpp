#pragma once

#include <optional>
#include <vector>

#include "engine/concolic/feasibility.hpp"

namespace heddle::engine::concolic {

/// The least solution of inequalities each of which has at most one unknown with a negative factor,
/// which are most of those that loops give rise to: one that says that some loop must deliver what
/// others take. Nothing if an inequality is not of this form, or if there is no end in sight.
std::optional<Feasibility> least_solution(const std::vector<Inequality>& system);

}  // namespace heddle::engine::concolic
