#pragma once

#include <string>

#include "model/task.hpp"

namespace heddle::driver {

/// What tasks have in common for which the same engines do well, in words: "thread system, any
/// number of threads, moves only, small". The kind of model comes first. Linear in the model; calls
/// are not unfolded.
std::string task_class(const model::AnyTask& task);

}  // namespace heddle::driver
