#pragma once

/// The question for one bound after another.

#include <optional>
#include <string>

#include "base/run_context.hpp"
#include "engine/bounded/unrolling.hpp"
#include "model/c/run.hpp"

namespace heddle::engine::bounded {

struct Found {
  std::optional<model::c::Run> run;
  /// The whole program has no violation: with any number of contexts, or up to so many per thread.
  bool is_safe = false;
  std::optional<std::uint32_t> safe_contexts;
  std::string why;  ///< there is no run
  bool is_stopped = false;
};

/// `contexts`: of each thread at most, if given.
Found deepen(const model::c::Program& program, model::c::Property property,
             std::optional<std::uint32_t> contexts, base::RunContext& context);

}  // namespace heddle::engine::bounded
