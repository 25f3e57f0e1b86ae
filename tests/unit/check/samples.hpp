#pragma once

#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/counting.hpp"

namespace heddle::check {

/// A task with valid evidence, small enough for brute force.
struct Sample {
  std::string name;
  model::CountingTask task;
  answer::Verdict verdict;
};

/// One or more of every kind of evidence, step, update and invariant.
std::vector<Sample> samples();

}  // namespace heddle::check
