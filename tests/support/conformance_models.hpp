#pragma once

/// Models on which every engine shows what it owes its caller. A new engine needs rows here for
/// what it accepts, or the conformance tests fail.

#include <string>
#include <vector>

#include "model/task.hpp"

namespace heddle::test {

struct ConformanceModel {
  std::string name;
  model::AnyTask task;
  bool reachable;  ///< the target
  /// Whoever accepts it has to work for its answer: some hundred steps.
  bool is_long;
};

const std::vector<ConformanceModel>& conformance_models();

}  // namespace heddle::test
