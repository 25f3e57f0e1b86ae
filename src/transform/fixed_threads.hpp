#pragma once

#include <expected>
#include <string>
#include <vector>

#include "model/boolean_program/flow.hpp"
#include "model/task.hpp"

namespace heddle::transform {

/// A program with its calls kept, and the nodes where its threads start.
struct FixedThreads {
  model::boolean::Flow flow;
  std::vector<model::boolean::NodeId> starts;
};

/// The threads that the question is about; the error says why there are none.
std::expected<FixedThreads, std::string> fixed_threads(const model::ProgramTask& task);

/// Can a procedure be on a stack of calls twice?
bool is_recursive(const model::boolean::Flow& flow);

}  // namespace heddle::transform
