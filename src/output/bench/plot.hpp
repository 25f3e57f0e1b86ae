#pragma once

/// Pictures of a benchmark run: SVG files that need nothing else. Times are CPU seconds on
/// logarithmic axes.

#include <optional>
#include <string>
#include <vector>

#include "output/bench/record.hpp"

namespace heddle::output::bench {

/// How many cases each tool solves within a time: a curve per tool, lower and longer is better.
std::string cactus_svg(const std::vector<Record>& records, std::optional<double> timeout);

/// A point per case that one of the two solved, one tool per axis. Above the diagonal `ours` was
/// faster; what only one of them solved lies on the other's line "not solved".
std::string scatter_svg(const std::vector<Record>& records, const std::string& ours,
                        const std::string& theirs, std::optional<double> timeout);

}  // namespace heddle::output::bench
