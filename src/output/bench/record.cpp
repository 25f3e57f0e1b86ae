#include "output/bench/record.hpp"

#include <algorithm>
#include <array>

namespace heddle::output::bench {

namespace {

constexpr std::array<std::string_view, 3> kClaims{"safe", "unsafe", "unknown"};
constexpr std::array<std::string_view, 6> kOutcomes{"solved",  "wrong",   "unconfirmed",
                                                    "unknown", "refused", "error"};

template <class Enum, std::size_t size>
std::optional<Enum> find(const std::array<std::string_view, size>& words, std::string_view word) {
  const auto it = std::ranges::find(words, word);
  if (it == words.end()) return std::nullopt;
  return static_cast<Enum>(it - words.begin());
}

}  // namespace

std::string_view to_string(Claim claim) { return kClaims[static_cast<std::size_t>(claim)]; }

std::optional<Claim> claim_of(std::string_view word) { return find<Claim>(kClaims, word); }

std::string_view to_string(CaseOutcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)];
}

std::optional<CaseOutcome> outcome_of(std::string_view word) {
  return find<CaseOutcome>(kOutcomes, word);
}

std::string header_value(const Header& header, std::string_view name) {
  const auto it = std::ranges::find(header, name, [](const auto& line) { return line.first; });
  return it == header.end() ? std::string() : it->second;
}

std::string family_of(std::string_view path) {
  path = path.substr(0, path.find(" ["));  // a question may have slashes, too
  std::size_t end = path.find('/');
  if (end == std::string_view::npos) return ".";
  if (const auto second = path.find('/', end + 1); second != std::string_view::npos) end = second;
  return std::string(path.substr(0, end));
}

std::vector<std::string> tools_of(const std::vector<Record>& records) {
  std::vector<std::string> tools;
  for (const Record& record : records)
    if (std::ranges::count(tools, record.tool) == 0) tools.push_back(record.tool);
  return tools;
}

}  // namespace heddle::output::bench
