#include "output/source_lines.hpp"

#include <algorithm>

namespace heddle::output {

const std::vector<std::string_view>& SourceLines::lines_of(std::uint32_t file) {
  const auto [entry, is_new] = lines_.try_emplace(file);
  if (!is_new || file >= program_.files.size()) return entry->second;
  const auto source = std::ranges::find(sources_, program_.files[file], &SourceFile::name);
  std::string_view rest = source == sources_.end() ? std::string_view() : source->text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    entry->second.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return entry->second;
}

std::string_view SourceLines::line(const model::c::Position& position) {
  const auto& lines = lines_of(position.file);
  if (position.line == 0 || position.line > lines.size()) return {};
  return lines[position.line - 1];
}

std::string SourceLines::trimmed(const model::c::Position& position) {
  const std::string_view text = line(position);
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace heddle::output
