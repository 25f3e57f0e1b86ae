#include "cli/option_catalogue.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "engine/engine.hpp"
#include "frontend/frontend.hpp"

namespace heddle::cli::generation {

namespace {

std::string one_line(const std::string& text) {
  std::string out;
  std::istringstream words(text);
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// The words of `auto|always|never`; none if a part of it stands for something else (`N|any`).
std::vector<std::string> alternatives(const std::string& placeholder) {
  std::vector<std::string> words;
  std::istringstream parts(placeholder);
  for (std::string part; std::getline(parts, part, '|');) words.push_back(part);
  const bool is_closed = std::ranges::none_of(words, [](const std::string& word) {
    return std::ranges::any_of(word, [](unsigned char c) {
      return std::isupper(c) || c >= 128 || std::string_view("[]<>.,").contains(char(c));
    });
  });
  return words.size() > 1 && is_closed ? words : std::vector<std::string>{};
}

std::vector<std::string> names_of(const auto& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

bool is_named(const OptionEntry& entry, std::string_view name) {
  return std::ranges::count(entry.names, name) > 0;
}

/// What the placeholder says about the value; registries know the names of engines and formats.
void set_kind(OptionEntry& entry) {
  entry.words = alternatives(entry.placeholder);
  if (is_named(entry, "--engine")) {
    entry.words = names_of(engine::registry());
    entry.is_list = true;
  }
  if (is_named(entry, "--format") || is_named(entry, "--to"))
    entry.words = names_of(frontend::format_table());
  if (!entry.words.empty())
    entry.kind = ValueKind::Words;
  else if (entry.placeholder == "DIR" || entry.placeholder == "FOLDER")
    entry.kind = ValueKind::Folder;
  else if (entry.placeholder.starts_with("FILE") || entry.placeholder.starts_with("OUT") ||
           entry.placeholder == "JSON" || entry.placeholder == "SUITE")
    entry.kind = ValueKind::File;
  else
    entry.kind = ValueKind::Text;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.placeholder = option.get_type_name();
  entry.help = one_line(option.get_description());
  entry.group = option.get_group();
  if (option.get_positional()) {
    entry.names = {option.get_name(true, false)};
    entry.placeholder = entry.names[0];
  }
  if (option.get_items_expected_max() > 0) set_kind(entry);
  return entry;
}

/// As the help has it.
std::string usage_of(const CLI::App& app) {
  const std::string before = "Usage: heddle ";
  const std::string help = app.help();
  const std::size_t begin = help.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t end = help.find('\n', begin);
  return help.substr(begin + before.size(), end - begin - before.size());
}

CommandEntry entry_of(const CLI::App& app) {
  CommandEntry entry;
  entry.name = app.get_name();
  entry.usage = usage_of(app);
  entry.description = one_line(app.get_description());
  entry.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? entry.arguments : entry.options).push_back(entry_of(*option));
  if (entry.name == "engines" && !entry.arguments.empty()) {
    entry.arguments[0].kind = ValueKind::Words;
    entry.arguments[0].words = names_of(engine::registry());
  }
  return entry;
}

}  // namespace

std::vector<CommandEntry> option_catalogue(const CLI::App& app) {
  std::vector<CommandEntry> entries{entry_of(app)};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    entries.push_back(entry_of(*command));
  return entries;
}

}  // namespace heddle::cli::generation
