#pragma once

#include <string>

#include "answer/program_evidence.hpp"
#include "answer/trace.hpp"
#include "model/task.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// A run of a Boolean program: who does what in which line, and what changes.
std::string program_run_text(const model::ProgramTask& task, const answer::ProgramRun& run,
                             const TextOptions& options);

/// Elements and thread states with the program's names for them.
std::string program_basis_text(const model::ProgramTask& task, const answer::ProgramBasis& basis,
                               const TextOptions& options);

}  // namespace heddle::output
