#include "base/diagnostic.hpp"

#include <algorithm>

#include "base/printable.hpp"

namespace heddle::base {

namespace {

constexpr std::size_t kLongestKeptLine = 1 << 16;
constexpr std::size_t kLongestShownLine = 120;
constexpr std::size_t kShownBefore = 60;  ///< the place, where a line is cut

std::string position(const SourceLocation& at) {
  std::string out = printable(at.file);
  if (at.line > 0) out += ":" + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) out += ":" + std::to_string(at.column);
  return out;
}

/// Of a long line the part around the place; `…` is where something is left out.
Diagnostic shortened(Diagnostic d) {
  std::string& line = d.line_text;
  if (line.size() <= kLongestShownLine) return d;
  const std::size_t at = std::min<std::size_t>(std::max(d.location.column, 1u) - 1, line.size());
  const auto whole = [&](std::size_t position) {  // not inside a character of UTF-8
    while (position < line.size() && (static_cast<unsigned char>(line[position]) & 0xC0) == 0x80)
      ++position;
    return position;
  };
  std::size_t begin = at <= kShownBefore ? 0 : whole(at - kShownBefore);
  const std::size_t end = whole(std::min(line.size(), begin + kLongestShownLine));
  const bool is_last = end == line.size();
  line = line.substr(begin, end - begin) + (is_last ? "" : "…");
  if (begin == 0 || d.location.column == 0) return d;
  line = "…" + line;
  d.location.column -= static_cast<std::uint32_t>(begin);
  d.location.column += 1;  // the mark is one column wide
  return d;
}

/// Keeps tabs, so that the carets stand below the text whatever the tab width is.
std::string underline(const Diagnostic& d) {
  const std::size_t before = d.location.column - 1;
  if (d.location.column == 0 || before > d.line_text.size()) return {};
  std::string out;
  for (char c : d.line_text.substr(0, before)) out += c == '\t' ? '\t' : ' ';
  const std::size_t room = std::max<std::size_t>(1, d.line_text.size() - before);
  out.append(std::clamp<std::size_t>(d.offending.size(), 1, room), '^');
  return out;
}

}  // namespace

std::string render(const Diagnostic& d) {
  std::string out = position(d.location);
  if (!out.empty()) out += ": ";
  out += d.severity == Severity::Error ? "error: " : "warning: ";
  out += printable(d.message) + "\n";
  const Diagnostic shown = shortened(d);
  const std::string marks = underline(shown);
  if (!shown.line_text.empty()) out += "    " + printable(shown.line_text) + "\n";
  if (!shown.line_text.empty() && !marks.empty()) out += "    " + marks + "\n";
  if (!d.hint.empty()) out += "  hint: " + printable(d.hint) + "\n";
  return out;
}

std::string render(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += render(d);
  return out;
}

std::string line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, std::min(text.find('\n'), kLongestKeptLine));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return std::string(text);
}

Diagnostics complaint(std::string file, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.location.file = std::move(file);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  return {std::move(diagnostic)};
}

}  // namespace heddle::base
