#pragma once

/// What the engine `compositional` makes of a C program, as text: movers and blocks beside the
/// source, and Horn clauses.

#include <cstdint>
#include <string>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"
#include "driver/question.hpp"

namespace heddle::driver {

/// The source, each line with the classes of its steps and a mark where a block begins; then why
/// steps are not movers. The error says what cannot be translated, with its line.
base::Parsed<std::string> mover_listing(const Disk& disk, const std::string& file,
                                        const QuestionOptions& options);

enum class HornForm : std::uint8_t {
  Modular,  ///< one predicate for each thread and boundary; without a solution it says nothing
  Product   ///< one for each tuple of boundaries: exact, for a fixed number of threads
};

struct HornChoice {
  HornForm form = HornForm::Modular;
  bool reduction = true;
};

/// A script in logic HORN that is satisfiable only if no error is reachable.
base::Parsed<std::string> horn_clauses(const Disk& disk, const std::string& file,
                                       const QuestionOptions& options, const HornChoice& choice);

}  // namespace heddle::driver
