#pragma once

/// What the option tables of all commands are built from.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/values.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle::cli {

/// A value that is not yet understood, if it was given.
using Text = std::optional<std::string>;

inline constexpr std::uint64_t kMostMemoryMb = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMostJobs = 1024;

/// Breaks a description into lines that fit beside the column of names.
std::string wrapped(const std::string& text);

/// An option with one value; the last one given counts.
CLI::Option* add_text(CLI::App* app, const std::string& name, Text& text, const std::string& help,
                      const std::string& placeholder, const std::string& group);

/// An option that may be repeated.
void add_texts(CLI::App* app, const std::string& name, std::vector<std::string>& texts,
               const std::string& help, const std::string& type, const std::string& group);

/// A command with its help, and without options.
CLI::App* add_command(CLI::App& app, const CommandHelp& help);

/// CLI11's layout, with our usage line.
void set_usage(CLI::App& app, const std::string& usage);

/// "no file given", with the usage.
UsageError missing(const CommandHelp& command, const std::string& what);

/// Takes the value of an optional text into `place`, if it is there.
template <class T, class Place, class Understand>
std::optional<UsageError> take(const Text& text, Place& place, Understand understand) {
  if (!text) return std::nullopt;
  Value<T> value = understand(*text);
  if (!value) return std::move(value.error());
  place = std::move(*value);
  return std::nullopt;
}

std::optional<UsageError> take_number(const std::string& option, const Text& text, auto& place,
                                      std::uint64_t least, std::uint64_t greatest) {
  using Number = std::uint64_t;
  return take<Number>(text, place, [&](const std::string& t) -> Value<Number> {
    return number_value(option, t, least, greatest);
  });
}

}  // namespace heddle::cli
