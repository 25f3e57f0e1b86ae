#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/task.hpp"

namespace heddle::transform {

/// Do failing assertions count, or does their thread just end there?
enum class Assertions { Count, End };

/// The program in which a thread fails where it would execute a statement with one of the labels:
/// an assertion that never holds stands there instead. No other label means failure. Linear.
model::BooleanProgram fail_at_labels(model::BooleanProgram program,
                                     const std::set<std::string>& labels, Assertions assertions);

/// All labels of the program, sorted.
std::vector<std::string> labels_of(const model::BooleanProgram& program);

}  // namespace heddle::transform
