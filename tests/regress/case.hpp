#pragma once

/// Regression cases as files: the format is described in README.md beside this file.

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::regress {

struct Case {
  std::string name;  ///< path without extension, only letters, digits and '_'
  std::string command = "verify";
  std::filesystem::path input;
  std::vector<std::string> options;
  std::string verdict;  ///< as in the JSON, or "none"
  int exit_code = 0;
  std::optional<std::string> threads;
  std::vector<std::string> require;
  std::vector<std::string> forbid;

  bool has_evidence() const { return verdict != "unknown" && verdict != "none"; }
};

/// Where the cases are, and what their inputs are relative to.
std::filesystem::path checkout();

/// Splits at blanks, except inside single quotes.
std::vector<std::string> split_words(std::string_view text);

/// The error says which line is wrong and why.
std::expected<Case, std::string> parse_case(std::string_view text,
                                            const std::filesystem::path& case_file);

/// All cases below tests/regress, sorted by name. Throws std::runtime_error on a malformed one.
std::vector<Case> all_cases();

}  // namespace heddle::regress
