#pragma once

#include <optional>

#include "base/run_context.hpp"
#include "model/c/run.hpp"

namespace heddle::engine::compositional {

/// A violation in one of a few plain schedules, with every input 0: each thread runs as long as it
/// can, the oldest or the youngest first. A step of the context for each instruction. None if there
/// is none, or the runs are longer than `most_instructions`, or the context says that the run must
/// end.
std::optional<model::c::Run> find_plain_run(const model::c::Program& program,
                                            std::uint64_t most_instructions,
                                            base::RunContext& context);

}  // namespace heddle::engine::compositional
