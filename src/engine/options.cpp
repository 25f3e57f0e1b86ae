#include "engine/options.hpp"

#include <algorithm>

#include "base/invariant.hpp"
#include "engine/engine.hpp"

namespace heddle::engine {

namespace {

/// Sets the option for every engine that has it.
bool set_for_all(Options& options, const std::string& name, std::string_view value) {
  bool known = false;
  for (const EngineRow& engine : registry())
    for (const OptionRow& row : engine.options)
      if (row.name == name) known = row.set(options, value);
  return known;
}

/// "backward, concolic": the engines that have the option.
std::string engines_with(const std::string& name) {
  std::string out;
  for (const EngineRow& engine : registry())
    if (std::ranges::find(engine.options, name, &OptionRow::name) != engine.options.end())
      out += (out.empty() ? "" : ", ") + std::string(engine.name);
  return out;
}

std::vector<OptionRow> all_options() {
  std::vector<OptionRow> rows;
  for (const EngineRow& engine : registry())
    for (const OptionRow& row : engine.options) {
      if (std::ranges::find(rows, row.name, &OptionRow::name) != rows.end()) continue;
      rows.push_back(row);
      rows.back().help += "; read by " + engines_with(row.name);
      rows.back().set = [name = row.name](Options& options, std::string_view value) {
        return set_for_all(options, name, value);
      };
    }
  return rows;
}

}  // namespace

std::span<const OptionRow> option_table() {
  static const std::vector<OptionRow> rows = all_options();
  return rows;
}

void set_option(Options& options, std::string_view name, std::string_view value) {
  const auto row = std::ranges::find(option_table(), name, &OptionRow::name);
  HEDDLE_INVARIANT(row != option_table().end() && row->set(options, value),
                   "an option should be in the table, and its value one of the listed");
}

}  // namespace heddle::engine
