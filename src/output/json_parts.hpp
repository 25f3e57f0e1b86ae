#pragma once

/// What the JSON forms of several answers share. Private to src/output.

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"

namespace heddle::output {

/// JSON has no way to say "nothing" but null.
nlohmann::ordered_json text_or_null(std::string_view text);

/// Figures are counts or measurements: counts stay whole, measurements keep three decimals.
nlohmann::ordered_json figure(double value);

nlohmann::ordered_json statistics_json(const base::Statistics& statistics);

/// Everything that is said about the input on standard error is in the JSON, too.
nlohmann::ordered_json warnings_json(const base::Diagnostics& warnings);

nlohmann::ordered_json question_json(const model::AnyTask& task, const Asked& asked);

}  // namespace heddle::output
