#include "output/report_row.hpp"

#include <algorithm>
#include <array>

#include "output/cutoff_text.hpp"
#include "output/json.hpp"

namespace heddle::output {

const ReportRow& report_row(Asking asking) {
  static constexpr std::array rows = {
      ReportRow{Asking::Reachability, report_text, recheck_text, report_json},
      ReportRow{Asking::Cutoff, cutoff_text, cutoff_recheck_text, cutoff_json},
  };
  return *std::ranges::find(rows, asking, &ReportRow::asking);
}

}  // namespace heddle::output
