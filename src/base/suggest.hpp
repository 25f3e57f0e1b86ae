#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle::base {

/// The candidate that `word` is most likely a misspelling of, if any is close enough
/// (Damerau–Levenshtein distance at most a third of the word, at least 1).
std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

/// "did you mean 'backward'?", or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace heddle::base
