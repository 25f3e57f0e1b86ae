#pragma once

/// Runs of C programs in words: thread by thread, line by line.

#include "output/listed_run.hpp"
#include "output/text.hpp"

namespace heddle::output {

std::string c_run_text(const model::CTask& task, const model::c::Run& run,
                       const TextOptions& options);

}  // namespace heddle::output
