#pragma once

/// Values of options: from text to type, or a message that names the option.

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/integer.hpp"
#include "cli/command.hpp"
#include "engine/engine.hpp"
#include "transform/first_turn.hpp"
#include "transform/translation.hpp"

namespace heddle::cli {

template <class T>
using Value = std::expected<T, UsageError>;

/// `60`, `0.5`, `500ms`, `2m`, `1h`: without a unit in seconds.
Value<std::chrono::duration<double>> seconds_value(std::string_view option, std::string_view text);

/// `2000`, `512M`, `2G`: without a unit in megabytes.
Value<std::uint64_t> megabytes_value(std::string_view option, std::string_view text,
                                     std::uint64_t greatest);

/// `auto`, `always` or `never`.
Value<ColourChoice> colour_value(std::string_view option, std::string_view text);

/// A whole number in a range.
Value<std::uint64_t> number_value(std::string_view option, std::string_view text,
                                  std::uint64_t least, std::uint64_t greatest);

/// A positive number of any size, or `any`, which is nothing.
Value<std::optional<base::Integer>> threads_value(std::string_view option, std::string_view text);

/// A format's name.
Value<std::string> format_value(std::string_view option, std::string_view text);

/// `threads` or `net`.
Value<model::AnyKind> model_kind_value(std::string_view option, std::string_view text);

/// `first` or `any`.
Value<transform::FirstTurn> first_turn_value(std::string_view option, std::string_view text);

/// The engines of a list `a,b`, in that order.
Value<std::vector<engine::EngineRow>> engines_value(std::string_view text);
Value<engine::EngineRow> engine_value(std::string_view name);

/// Sets one engine option from its text.
Value<void> set_engine_option(const engine::OptionRow& row, std::string_view text,
                              engine::Options& options);

}  // namespace heddle::cli
