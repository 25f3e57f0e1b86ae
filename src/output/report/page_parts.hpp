#pragma once

/// The parts of a page. Private to src/output/report.

#include <optional>
#include <string>
#include <string_view>

#include "output/line_notes.hpp"
#include "output/report/report_page.hpp"
#include "output/run_sheet.hpp"

namespace heddle::output::report {

extern const std::string_view kStyles;  ///< page.css
extern const std::string_view kScript;  ///< page.js

/// Text between tags or in an attribute.
std::string html(std::string_view text);

/// The run of the verdict, if it is one.
std::optional<RunSheet> sheet_of(const PageInput& input);

/// The run, the sources and the invariants as JSON, safe inside a script element.
std::string page_data(const PageInput& input, const RunSheet* sheet,
                      const std::vector<LineNote>& notes);

std::string head_section(const PageInput& input, const RunSheet* sheet);
std::string question_section(const PageInput& input);
std::string run_section(const RunSheet& sheet, bool has_source);
std::string proof_section(const PageInput& input, const std::vector<LineNote>& notes);
std::string source_section();
std::string engines_section(const PageInput& input);
std::string pictures_section(const PageInput& input);
std::string details_section(const PageInput& input);

}  // namespace heddle::output::report
