#pragma once

#include <expected>
#include <string>
#include <vector>

#include "model/boolean_program/flow.hpp"
#include "model/task.hpp"

namespace heddle::engine::context {

/// A program with its calls kept, and the nodes where its threads start.
struct Threads {
  model::boolean::Flow flow;
  std::vector<model::boolean::NodeId> starts;
};

/// The threads that the question is about; the error says why there are none.
std::expected<Threads, std::string> threads_of(const model::Task& task);

}  // namespace heddle::engine::context
