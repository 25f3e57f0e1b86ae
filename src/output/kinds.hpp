#pragma once

/// What outputs need of each kind of model: how long its runs are, and their text. A new kind adds
/// its overloads here and defines them in files of its own; without them, the outputs do not
/// compile.

#include <optional>
#include <span>
#include <string>

#include "answer/trace.hpp"
#include "base/integer.hpp"
#include "model/counting.hpp"
#include "output/listed_run.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// All steps of a run, those of repetition blocks counted as often as they are run.
base::Integer step_count(const answer::Trace& trace);
base::Integer step_count(const answer::ProgramRun& run);
base::Integer step_count(const answer::PushdownRun& run);
base::Integer step_count(const model::c::Run& run);

/// The threads that take part in a run: those at its start and those created on the way. Nothing
/// for nets.
std::optional<base::Integer> threads_of(const model::ThreadSystem& system,
                                        const answer::Trace& trace);
std::optional<base::Integer> threads_of(const model::PetriNet& net, const answer::Trace& trace);
std::optional<base::Integer> threads_of(const model::BooleanProgram& program,
                                        const answer::ProgramRun& run);
std::optional<base::Integer> threads_of(const model::PushdownSystem& system,
                                        const answer::PushdownRun& run);
std::optional<base::Integer> threads_of(const model::CProgram& program, const model::c::Run& run);

/// The run as a list of moments, with the lines of these files; it is what `heddle replay` steps
/// through and pictures draw. Kinds that count threads or tokens have a cursor instead
/// (replay_tape.cpp).
ListedRun list_run(const model::ProgramTask& task, const answer::ProgramRun& run,
                   std::span<const SourceFile> sources = {});
ListedRun list_run(const model::PushdownTask& task, const answer::PushdownRun& run,
                   std::span<const SourceFile> sources = {});
ListedRun list_run(const model::CTask& task, const model::c::Run& run,
                   std::span<const SourceFile> sources);

/// A run step by step: who moves from where to where, the line of the input file, the comment that
/// stood above it. Long runs show their two ends only, unless verbose. A run that does not replay
/// is shown up to the step that is impossible.
std::string trace_text(const model::CountingTask& task, const answer::Trace& trace,
                       const TextOptions& options);
std::string trace_text(const model::ProgramTask& task, const answer::ProgramRun& run,
                       const TextOptions& options);
std::string trace_text(const model::PushdownTask& task, const answer::PushdownRun& run,
                       const TextOptions& options);
std::string trace_text(const model::CTask& task, const model::c::Run& run,
                       const TextOptions& options);

}  // namespace heddle::output
