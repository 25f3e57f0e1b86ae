#include "cli/values.hpp"

#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "base/suggest.hpp"
#include "frontend/frontend.hpp"

namespace heddle::cli {

namespace {

using base::Integer;

constexpr double kLongestSeconds = 1e9;  // 30 years; steady_clock ends at 292

std::unexpected<UsageError> bad(std::string_view option, std::string_view text,
                                std::string_view wanted, std::string hint = {}) {
  return std::unexpected(UsageError{
      std::string(option) + ": '" + std::string(text) + "' is not " + std::string(wanted),
      std::move(hint)});
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

struct Unit {
  std::string_view name;
  double factor;
};

/// `1.5m` in the units given; nothing if it is not a finite number with one of them.
std::optional<double> measured(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& known : units)
    if (known.name == unit) return number * known.factor;
  return std::nullopt;
}

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

/// "did you mean 'x'?", or else what there is.
std::string suggestion(std::string_view word, const std::vector<std::string>& words) {
  const std::string guess = base::did_you_mean(word, words);
  return guess.empty() ? "there is: " + joined(words) : guess;
}

}  // namespace

Value<std::chrono::duration<double>> seconds_value(std::string_view option, std::string_view text) {
  static constexpr Unit kUnits[] = {{"", 1},     {"s", 1},    {"ms", 0.001}, {"m", 60},
                                    {"min", 60}, {"h", 3600}, {"d", 86400}};
  const auto seconds = measured(text, kUnits);
  if (!seconds || *seconds <= 0 || *seconds > kLongestSeconds)
    return bad(option, text, "a positive number of seconds or a time such as 2m",
               "for example " + std::string(option) + " 60 (seconds), " + std::string(option) +
                   " 0.5 or " + std::string(option) + " 2m");
  return std::chrono::duration<double>(*seconds);
}

Value<std::uint64_t> megabytes_value(std::string_view option, std::string_view text,
                                     std::uint64_t greatest) {
  static constexpr Unit kUnits[] = {{"", 1},      {"M", 1},       {"MB", 1},      {"G", 1000},
                                    {"GB", 1000}, {"T", 1000000}, {"TB", 1000000}};
  const auto megabytes = measured(text, kUnits);
  if (!megabytes || *megabytes < 1 || *megabytes > static_cast<double>(greatest) ||
      *megabytes != std::floor(*megabytes))
    return bad(option, text, "an amount of memory",
               "for example " + std::string(option) + " 2000 (megabytes) or " +
                   std::string(option) + " 2G");
  return static_cast<std::uint64_t>(*megabytes);
}

Value<ColourChoice> colour_value(std::string_view option, std::string_view text) {
  if (text == "auto") return ColourChoice::Auto;
  if (text == "always") return ColourChoice::Always;
  if (text == "never") return ColourChoice::Never;
  return bad(option, text, "a choice of colours", "it is auto, always or never");
}

Value<std::uint64_t> number_value(std::string_view option, std::string_view text,
                                  std::uint64_t least, std::uint64_t greatest) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || number < least || number > greatest)
    return bad(option, text,
               "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest));
  return number;
}

Value<std::optional<Integer>> threads_value(std::string_view option, std::string_view text) {
  if (text == "any") return Value<std::optional<Integer>>(std::in_place);
  const auto number = base::parse_integer(text);
  if (!number || *number < 1) return bad(option, text, "a positive whole number or 'any'");
  return number;
}

Value<std::string> format_value(std::string_view option, std::string_view text) {
  if (frontend::find_format(text)) return std::string(text);
  return bad(option, text, "a format", suggestion(text, names_of(frontend::format_table())));
}

Value<engine::EngineRow> engine_value(std::string_view name) {
  if (const engine::EngineRow* row = engine::find_engine(name)) return *row;
  return std::unexpected(UsageError{"there is no engine '" + std::string(name) + "'",
                                    suggestion(name, names_of(engine::registry()))});
}

Value<model::AnyKind> model_kind_value(std::string_view option, std::string_view text) {
  if (text == "threads") return model::AnyKind(model::Tag<model::ThreadSystem>());
  if (text == "net") return model::AnyKind(model::Tag<model::PetriNet>());
  return bad(option, text, "a kind of model", "it is threads or net");
}

Value<transform::FirstTurn> first_turn_value(std::string_view option, std::string_view text) {
  if (text == "first") return transform::FirstTurn::First;
  if (text == "any") return transform::FirstTurn::Any;
  return bad(option, text, "a thread to begin with", "it is first or any");
}

Value<std::vector<engine::EngineRow>> engines_value(std::string_view text) {
  std::vector<engine::EngineRow> rows;
  for (const std::string& name : split(text, ',')) {
    auto row = engine_value(name);
    if (!row) return std::unexpected(std::move(row.error()));
    rows.push_back(std::move(*row));
  }
  return rows;
}

Value<void> set_engine_option(const engine::OptionRow& row, std::string_view text,
                              engine::Options& options) {
  if (row.set(options, text)) return {};
  return bad("--" + std::string(row.name), text, "one of " + std::string(row.values),
             base::did_you_mean(text, split(row.values, '|')));
}

}  // namespace heddle::cli
