#pragma once

#include <string>

#include "answer/certificate.hpp"
#include "model/counting.hpp"

namespace heddle::output::picture {

constexpr std::size_t kMostBasisRows = 100;
constexpr std::size_t kMostBasisColumns = 50;

/// The minimal elements of a basis as SVG: a row per element, a column per counter that any of
/// them asks for, the number that it asks for in the cell. Sorted by size; the largest elements and
/// the counters that are asked for least are left out if there are too many, and the picture says
/// so. `warning` as for `trace_svg`.
std::string basis_svg(const model::CountingTask& task, const answer::BackwardBasis& basis,
                      const std::string& name, const std::string& warning);

}  // namespace heddle::output::picture
