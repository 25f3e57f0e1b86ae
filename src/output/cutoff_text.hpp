#pragma once

#include <string>

#include "answer/report.hpp"
#include "model/counting.hpp"
#include "output/asked.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// What a cutoff says: the rounds with their plateaus, the thread states with the threads they
/// need, the candidates with the reason why they are none, and why fewer threads are not enough.
std::string cutoff_proof_text(const model::AnyTask& task, const answer::Cutoff& cutoff,
                              const TextOptions& options);

/// `CUTOFF 4  12 thread states, 3 candidates  (0.02 s)`, the proof, and what the checker says.
/// Ends with a line break.
std::string cutoff_text(const model::AnyTask& task, const Asked& asked,
                        const answer::Report& report, const TextOptions& options);

/// The same for stored evidence that was checked again.
std::string cutoff_recheck_text(const model::AnyTask& task, const Asked& asked,
                                const answer::Report& report, const TextOptions& options);

/// One JSON object (docs/cutoff.schema.json).
std::string cutoff_json(const model::AnyTask& task, const Asked& asked,
                        const answer::Report& report);

}  // namespace heddle::output
