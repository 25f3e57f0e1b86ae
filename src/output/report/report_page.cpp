#include "output/report/report_page.hpp"

#include "output/report/page_parts.hpp"
#include "output/verdict_sentence.hpp"

namespace heddle::output {

std::optional<RunSheet> report::sheet_of(const PageInput& input) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&input.report.verdict);
  if (!unsafe) return std::nullopt;
  return output::sheet_of(input.task, unsafe->trace, input.asked.sources);
}

std::string report_page(const PageInput& input) {
  const std::optional<RunSheet> sheet = report::sheet_of(input);
  const RunSheet* run = sheet ? &*sheet : nullptr;
  const std::vector<LineNote> notes = line_notes(input.task, input.report.verdict);
  const bool has_source = !input.sources.empty();
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"generator\" content=\"Heddle " HEDDLE_VERSION "\">\n<title>";
  out += report::html(verdict_word(input.task, input.report.verdict) + " – " + input.asked.file);
  out += "</title>\n<style>\n" + std::string(report::kStyles) + "</style>\n</head>\n<body>\n";
  out += report::head_section(input, run) + "<main>\n" + report::question_section(input);
  if (run) out += report::run_section(*run, has_source);
  out += report::proof_section(input, notes);
  if (!run && has_source) out += report::source_section();
  out += report::pictures_section(input) + report::engines_section(input) + "</main>\n" +
         report::details_section(input);
  out += "<script type=\"application/json\" id=\"run-data\">" +
         report::page_data(input, run, notes) + "</script>\n<script>\n" +
         std::string(report::kScript) + "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace heddle::output
