#include "cli/settings.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/suggest.hpp"

namespace heddle::cli {

namespace {

using nlohmann::json;

constexpr const char* kFileName = "heddle.json";
constexpr std::array<std::string_view, 3> kPaths{"I", "include", "compile-commands"};
constexpr std::array<std::string_view, 3> kNever{"help", "version", "settings"};

/// The nearest one; empty if there is none.
std::string nearest_file() {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::current_path(error);
  for (std::string up; !error && !folder.empty(); folder = folder.parent_path(), up += "../") {
    if (std::filesystem::is_regular_file(folder / kFileName, error)) return up + kFileName;
    if (folder == folder.parent_path()) break;
    error.clear();
  }
  return {};
}

std::string dashed(const std::string& name) { return (name.size() == 1 ? "-" : "--") + name; }

CLI::Option* find_option(const CLI::App& command, const std::string& name) {
  if (std::ranges::find(kNever, name) != kNever.end()) return nullptr;
  // CLI11 gives options of a constant command as constants only.
  return const_cast<CLI::App&>(command).get_option_no_throw(dashed(name));  // NOLINT(*-const-cast)
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// One settings file, and the command whose options it completes.
class Reader {
 public:
  Reader(std::string file, const CLI::App& app, CLI::App& command)
      : file_(std::move(file)), app_(app), command_(command) {}

  Value<TakenSettings> run() {
    std::ifstream in(file_);
    if (!in) return fail("cannot be read");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    json settings;
    try {
      settings = json::parse(text, nullptr, true, true);
    } catch (const json::parse_error& error) {
      return fail("is not JSON: " + place(text, error.byte));
    }
    if (!settings.is_object())
      return fail("is not an object", "for example { \"timeout\": \"1m\" }");
    for (const auto& [key, value] : settings.items())
      if (auto error = check(key, value)) return std::unexpected(std::move(*error));
    if (const auto own = settings.find(command_.get_name()); own != settings.end())
      if (auto error = take_all(*own)) return std::unexpected(std::move(*error));
    if (auto error = take_all(settings)) return std::unexpected(std::move(*error));
    return std::move(taken_);
  }

 private:
  std::unexpected<UsageError> fail(const std::string& what, const std::string& hint = {}) const {
    return std::unexpected(UsageError{file_ + " " + what, hint, true});
  }

  /// Of a byte, counted from 1.
  static std::string place(const std::string& text, std::size_t byte) {
    const std::string_view before =
        std::string_view(text).substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start =
        before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
  }

  const CLI::App* command_named(const std::string& name) const {
    for (const CLI::App* command : commands_of(app_))
      if (command->get_name() == name) return command;
    return nullptr;
  }

  std::optional<UsageError> unknown(const std::string& key,
                                    const std::vector<const CLI::App*>& commands) const {
    std::vector<std::string> names;
    for (const CLI::App* command : commands)
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) names.push_back(name);
    return UsageError{file_ + ": there is no option '" + key + "'", base::did_you_mean(key, names),
                      true};
  }

  /// Each key must be an option of some command, or a command with options of its own.
  std::optional<UsageError> check(const std::string& key, const json& value) const {
    const auto commands = commands_of(app_);
    const CLI::App* command = command_named(key);
    if (!command || !value.is_object()) {
      const bool known = std::ranges::any_of(
          commands, [&](const CLI::App* one) { return find_option(*one, key) != nullptr; });
      return known ? std::nullopt : unknown(key, commands);
    }
    for (const auto& [name, ignored] : value.items())
      if (!find_option(*command, name)) return unknown(name, {command});
    return std::nullopt;
  }

  std::optional<UsageError> take_all(const json& settings) {
    for (const auto& [name, value] : settings.items()) {
      CLI::Option* option = find_option(command_, name);
      if (!option || option->count() > 0 || (value.is_object() && command_named(name))) continue;
      auto texts = texts_of(name, *option, value);
      if (!texts) return std::move(texts.error());
      if (texts->empty()) continue;
      option->add_result(*texts);
      option->run_callback();
      remember_words(name, *option, *texts);
      taken_.names.push_back(name);
      taken_.file = file_;
    }
    return std::nullopt;
  }

  void remember_words(const std::string& name, const CLI::Option& option,
                      const std::vector<std::string>& texts) {
    const bool is_flag = option.get_items_expected_max() == 0;
    for (const std::string& text : texts) {
      taken_.words.push_back(dashed(name) + (is_flag || name.size() == 1 ? "" : "=" + text));
      if (!is_flag && name.size() == 1) taken_.words.push_back(text);
    }
  }

  Value<std::vector<std::string>> texts_of(const std::string& name, const CLI::Option& option,
                                           const json& value) const {
    const bool is_flag = option.get_items_expected_max() == 0;
    const bool is_list = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (is_flag) {
      if (!value.is_boolean()) return fail("says something else: '" + name + "' is true or false");
      return value.get<bool>() ? std::vector<std::string>{"true"} : std::vector<std::string>{};
    }
    std::vector<std::string> out;
    const json items = value.is_array() && is_list ? value : json::array({value});
    for (const json& item : items) {
      if (!item.is_string() && !item.is_number_integer())
        return fail("says something else: '" + name + "' is a text or a number" +
                    (is_list ? ", or a list of them" : ""));
      out.push_back(relocated(name, item.is_string() ? item.get<std::string>() : item.dump()));
    }
    return out;
  }

  std::string relocated(const std::string& name, const std::string& value) const {
    const std::filesystem::path folder = std::filesystem::path(file_).parent_path();
    if (folder.empty() || std::ranges::find(kPaths, name) == kPaths.end()) return value;
    return (folder / value).string();
  }

  std::string file_;
  const CLI::App& app_;
  CLI::App& command_;
  TakenSettings taken_;
};

}  // namespace

Value<TakenSettings> take_settings(const std::function<const CLI::App&()>& all_commands,
                                   CLI::App& command, const Text& choice) {
  if (choice == "none" || !command.get_option_no_throw("--settings")) return TakenSettings{};
  const std::string file = choice ? *choice : nearest_file();
  if (file.empty()) return TakenSettings{};
  return Reader(file, all_commands(), command).run();
}

}  // namespace heddle::cli
