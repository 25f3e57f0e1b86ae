#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/c/run.hpp"
#include "model/task.hpp"
#include "output/source_lines.hpp"

namespace heddle::output {

/// An interleaving of a C program, line by line: who, where, what changed, which locks are held.
nlohmann::ordered_json c_run_json(const model::CTask& task, const model::c::Run& run,
                                  std::span<const SourceFile> sources);

}  // namespace heddle::output
