#pragma once

#include <string>
#include <utility>

#include "model/c/program.hpp"

namespace heddle::transform::sequential_c {

/// What has no counterpart in a sequential program, and where it stands. Thrown inside of this
/// folder only.
struct Refusal {
  std::string why;
  model::c::Position position;
};

}  // namespace heddle::transform::sequential_c
