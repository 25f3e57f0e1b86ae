#pragma once

#include <string>

#include "answer/report.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// How answers to a question are shown; one row for each question that can be asked.
struct ReportRow {
  using Text = std::string(const model::AnyTask&, const Asked&, const answer::Report&,
                           const TextOptions&);
  using Json = std::string(const model::AnyTask&, const Asked&, const answer::Report&);

  Asking asking;
  Text* text;
  Text* recheck_text;  ///< of stored evidence that was checked again
  Json* json;
};

const ReportRow& report_row(Asking asking);

}  // namespace heddle::output
