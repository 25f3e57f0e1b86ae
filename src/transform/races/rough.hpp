#pragma once

/// A rough look for data races, for programs that no thread program covers. See rough.cpp.

#include <functional>
#include <vector>

#include "transform/races/report.hpp"

namespace heddle::transform::races {

/// Pairs of accesses without a common mutex, each pair of lines once, in the order of the source.
/// Neither complete nor free of false pairs; a few passes over the program. `stops` is asked now
/// and then: true ends the search with what was found so far.
std::vector<Warning> rough_warnings(const model::c::Program& program,
                                    const std::function<bool()>& stops);

}  // namespace heddle::transform::races
