#pragma once

#include <string>

#include "answer/report.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"

namespace heddle::output {

/// The answer as one JSON object, as docs/answer.schema.json describes it. Ends with a line break.
std::string report_json(const model::AnyTask& task, const Asked& asked,
                        const answer::Report& report);

}  // namespace heddle::output
