#include "cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "cli/option_builders.hpp"
#include "engine/engine.hpp"
#include "frontend/frontend.hpp"

namespace heddle::cli {

namespace {

using engine::EngineRow;
using engine::OptionRow;
using nlohmann::ordered_json;

std::string abilities(const EngineRow& row) {
  const std::string what = row.proves && row.refutes ? "proves and refutes"
                           : row.proves              ? "proves"
                                                     : "refutes";
  return what + (row.complete ? ", always answers, given time and memory" : "");
}

/// "trace, backward basis".
std::string evidence_of(const EngineRow& row) {
  std::string out = fmt::format("{}", fmt::join(row.evidence, ", "));
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string details(const EngineRow& row) {
  std::string out =
      fmt::format("{}: {}\n  models    {}\n  decides   {}\n  evidence  {}\n", row.name, row.summary,
                  row.models, abilities(row), evidence_of(row));
  for (const OptionRow& option : row.options)
    out += fmt::format("  --{} {}\n      {} (default: {})\n", option.name, option.values,
                       option.help, option.standard);
  return out;
}

ordered_json option_json(const OptionRow& option) {
  return {{"name", option.name},
          {"values", option.values},
          {"default", option.standard},
          {"help", option.help}};
}

ordered_json engine_json(const EngineRow& row) {
  ordered_json options = ordered_json::array();
  for (const OptionRow& option : row.options) options.push_back(option_json(option));
  return {{"name", row.name},
          {"summary", row.summary},
          {"models", row.models},
          {"proves", row.proves},
          {"refutes", row.refutes},
          {"complete", row.complete},
          {"evidence", evidence_of(row)},
          {"options", options}};
}

std::string extensions(const frontend::FormatRow& row) {
  std::string out;
  for (const std::string_view extension : row.extensions)
    out += (out.empty() ? "" : " ") + std::string(extension);
  return out;
}

/// Lines that stand behind a column of this width.
std::string beside(std::string_view text, std::size_t width) {
  std::string out = wrapped(std::string(text)) + "\n";
  const std::string margin(width + 1, ' ');
  for (std::size_t end = out.find('\n'); end + 1 < out.size(); end = out.find('\n', end + 1))
    out.insert(end + 1, margin);
  return out;
}

}  // namespace

std::string engines_text(const std::optional<std::string>& name) {
  if (name) return details(*engine::find_engine(*name));
  std::size_t width = 0;
  for (const EngineRow& row : engine::registry()) width = std::max(width, row.name.size());
  std::string out;
  for (const EngineRow& row : engine::registry())
    out +=
        fmt::format("{:<{}} {}{:>{}} {}{:>{}} {}", row.name, width, beside(row.summary, width), "",
                    width, beside(row.models, width), "", width, beside(abilities(row), width));
  return out + "\nheddle engines NAME shows an engine's evidence and options\n";
}

std::string engines_json(const std::optional<std::string>& name) {
  ordered_json engines = ordered_json::array();
  for (const EngineRow& row : engine::registry())
    if (!name || row.name == *name) engines.push_back(engine_json(row));
  return ordered_json{{"engines", engines}}.dump(2) + "\n";
}

std::string formats_text() {
  std::size_t width = 0;
  for (const frontend::FormatRow& row : frontend::format_table())
    width = std::max(width, extensions(row).size());
  std::string out;
  for (const frontend::FormatRow& row : frontend::format_table())
    out += fmt::format("{:<5} {:<{}} {}\n", row.name, extensions(row), width, row.summary);
  return out;
}

std::string formats_json() {
  ordered_json formats = ordered_json::array();
  for (const frontend::FormatRow& row : frontend::format_table())
    formats.push_back(
        {{"name", row.name}, {"extensions", row.extensions}, {"summary", row.summary}});
  return ordered_json{{"formats", formats}}.dump(2) + "\n";
}

}  // namespace heddle::cli
