#include "regress/case.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>

#include "support/run_heddle.hpp"

namespace heddle::regress {
namespace fs = std::filesystem;
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string name_of(const fs::path& case_file) {
  fs::path relative = case_file.lexically_relative(checkout() / "tests/regress");
  std::string name = relative.replace_extension().string();
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

fs::path input_path(std::string_view value, const fs::path& case_file) {
  return value.starts_with("./") ? case_file.parent_path() / value.substr(2) : checkout() / value;
}

bool is_verdict(std::string_view word) {
  constexpr std::array<std::string_view, 6> kVerdicts{"safe",    "unsafe", "safe_up_to",
                                                      "unknown", "cutoff", "none"};
  return std::ranges::find(kVerdicts, word) != kVerdicts.end();
}

bool parse_exit_code(std::string_view word, int& code) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), code);
  return error == std::errc{} && end == word.data() + word.size();
}

/// Files beside the case are named as in `input`.
std::vector<std::string> option_words(std::string_view value, const fs::path& case_file) {
  std::vector<std::string> words = split_words(value);
  for (std::string& word : words)
    if (word.starts_with("./")) word = input_path(word, case_file);
  return words;
}

/// Takes one `key: value`; false if the key is unknown or the value makes no sense.
bool take(Case& result, std::string_view key, std::string_view value, const fs::path& case_file) {
  if (key == "input")
    result.input = input_path(value, case_file);
  else if (key == "command")
    result.command = value;
  else if (key == "options")
    result.options = option_words(value, case_file);
  else if (key == "verdict")
    result.verdict = value;
  else if (key == "threads")
    result.threads = std::string(value);
  else if (key == "require")
    result.require.emplace_back(value);
  else if (key == "forbid")
    result.forbid.emplace_back(value);
  else if (key == "exit")
    return parse_exit_code(value, result.exit_code);
  else
    return key == "tag";
  return key == "command" ? value == "verify" || value == "cutoff"
                          : key != "verdict" || is_verdict(value);
}

std::string at(std::size_t line, std::string_view why) {
  return "line " + std::to_string(line) + ": " + std::string(why);
}

}  // namespace

fs::path checkout() { return HEDDLE_CHECKOUT; }

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool quoted = false;
  bool in_word = false;
  for (const char c : text) {
    if (!quoted && (c == ' ' || c == '\t')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'')
      quoted = !quoted;
    else
      words.back() += c;
  }
  return words;
}

std::expected<Case, std::string> parse_case(std::string_view text, const fs::path& case_file) {
  Case result;
  result.name = name_of(case_file);
  std::set<std::string, std::less<>> seen;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string_view content = trim(line);
    if (content.empty() || content.front() == '#') continue;
    const auto colon = content.find(':');
    if (colon == std::string_view::npos) return std::unexpected(at(number, "no 'key: value'"));
    const std::string_view key = trim(content.substr(0, colon));
    if (!take(result, key, trim(content.substr(colon + 1)), case_file))
      return std::unexpected(at(number, "unknown key or value"));
    if (!seen.emplace(key).second && key != "require" && key != "forbid")
      return std::unexpected(at(number, "given twice"));
  }
  for (const std::string_view key : {"input", "exit", "verdict"})
    if (!seen.contains(key)) return std::unexpected("'" + std::string(key) + "' is missing");
  return result;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& entry : fs::recursive_directory_iterator(checkout() / "tests/regress")) {
    if (entry.path().extension() != ".case") continue;
    auto parsed = parse_case(test::read_text(entry.path()), entry.path());
    if (!parsed) throw std::runtime_error(entry.path().string() + ": " + parsed.error());
    cases.push_back(std::move(*parsed));
  }
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

}  // namespace heddle::regress
