#include "driver/stored_outputs.hpp"

#include <array>

#include "driver/answer_page.hpp"
#include "driver/witness.hpp"
#include "output/sarif.hpp"

namespace heddle::driver {

namespace {

using Text = std::optional<std::string>;

Text stored_evidence(const Disk&, const Answered& answered, const std::string&) {
  return evidence_text(answered);
}

Text stored_page(const Disk& disk, const Answered& answered, const std::string&) {
  return answer_page(disk, answered);
}

Text stored_log(const Disk&, const Answered& answered, const std::string&) {
  return output::sarif_log(answered.task, answered.asked, answered.report);
}

}  // namespace

std::span<const OutputRow> output_table() {
  static constexpr std::array rows = {
      OutputRow{"evidence", "OUT.json", "store the evidence, for 'heddle check'", true,
                stored_evidence, "there is no evidence"},
      OutputRow{"report", "OUT.html",
                "store the answer as a page for a browser: the run beside the source, step by "
                "step, or the proof in words",
                true, stored_page, ""},
      OutputRow{"sarif", "OUT.sarif",
                "store the answer for editors and continuous integration (SARIF 2.1.0)", true,
                stored_log, ""},
      OutputRow{"witness", "OUT",
                "store the violation of a C program as a witness of SV-COMP: GraphML 1.0, or YAML "
                "2.2 if OUT ends in .yml",
                false, witness_text, "witnesses show violations of C programs"},
  };
  return rows;
}

}  // namespace heddle::driver
