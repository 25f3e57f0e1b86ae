#include "output/projection_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::OnErrorTrace;
using answer::Projection;

/// Stretches of so many lines and more, of which none lies on an error trace, are cut short.
constexpr std::size_t kLongStretch = 12;
constexpr std::size_t kShownOfStretch = 2;  ///< at both ends

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

/// The column of the last character in front of a column that is no blank.
std::uint32_t last_before(std::string_view line, std::size_t column) {
  const std::size_t last = line.substr(0, column - 1).find_last_not_of(" \t");
  return static_cast<std::uint32_t>(last == std::string_view::npos ? 0 : last + 1);
}

/// A line with its statements.
struct MarkedLine {
  std::string_view text;
  std::vector<ListedStatement> statements;

  bool has(OnErrorTrace which) const {
    return std::ranges::find(statements, which, &ListedStatement::on_error_trace) !=
           statements.end();
  }
  bool is_dull() const { return !has(OnErrorTrace::Yes) && !has(OnErrorTrace::Undecided); }
  std::string mark(const Style& style) const {
    if (statements.empty()) return " ";
    if (has(OnErrorTrace::Undecided)) return style.yellow("?");
    if (!has(OnErrorTrace::Yes)) return style.dim("·");
    return style.red(has(OnErrorTrace::No) ? "◐" : "●");
  }
};

std::vector<MarkedLine> marked_lines(const Projection& projection, std::string_view source) {
  std::vector<MarkedLine> out;
  for (const std::string_view line : lines_of(source)) out.push_back({line, {}});
  for (const ListedStatement& s : listed_statements(projection, source))
    out[s.line - 1].statements.push_back(s);
  return out;
}

/// The line's text; what lies on no error trace is faint.
std::string line_text(const MarkedLine& line, const Style& style) {
  std::string out;
  std::size_t done = 0;
  for (const ListedStatement& s : line.statements) {
    const std::size_t first = s.first_column - 1;
    out += line.text.substr(done, first - done);
    const std::string_view text = line.text.substr(first, s.last_column - first);
    out += s.on_error_trace == OnErrorTrace::No ? style.dim(text) : std::string(text);
    done = s.last_column;
  }
  return out.append(line.text.substr(done));
}

/// How many lines from here on have nothing on an error trace.
std::size_t dull_stretch(const std::vector<MarkedLine>& lines, std::size_t from) {
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end =
      std::find_if(begin, lines.end(), [](const MarkedLine& line) { return !line.is_dull(); });
  return static_cast<std::size_t>(end - begin);
}

/// Which lines are not shown: the middle of long stretches.
std::vector<bool> hidden_lines(const std::vector<MarkedLine>& lines) {
  std::vector<bool> hidden(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t stretch = dull_stretch(lines, i);
    for (std::size_t k = kShownOfStretch; stretch >= kLongStretch && k + kShownOfStretch < stretch;
         ++k)
      hidden[i + k] = true;
    i += stretch;
  }
  return hidden;
}

std::string listing(const std::vector<MarkedLine>& lines, const TextOptions& options) {
  const std::size_t width = std::to_string(lines.size()).size();
  const std::vector<bool> hidden =
      options.verbose ? std::vector<bool>(lines.size()) : hidden_lines(lines);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string number = fmt::format("{:>{}}", i + 1, width);
    if (!hidden[i])
      out += "  " + lines[i].mark(options.style) + " " + options.style.dim(number) + "  " +
             line_text(lines[i], options.style) + "\n";
    else if (!hidden[i - 1])
      out += options.style.dim(fmt::format("    {:>{}}  (--verbose shows all lines)", "…", width)) +
             "\n";
  }
  return out;
}

std::string legend(const std::vector<MarkedLine>& lines, const Style& style) {
  const auto some = [&](auto which) { return std::ranges::any_of(lines, which); };
  const auto has = [&](OnErrorTrace which) {
    return some([which](const MarkedLine& line) { return line.has(which); });
  };
  std::string out;
  if (has(OnErrorTrace::Yes)) out += "  " + style.red("●") + " on an error trace";
  if (some([](const MarkedLine& l) { return l.has(OnErrorTrace::Yes) && l.has(OnErrorTrace::No); }))
    out += "  " + style.red("◐") + " a part of the line";
  if (has(OnErrorTrace::No)) out += "  " + style.dim("·") + " on none";
  if (has(OnErrorTrace::Undecided)) out += "  " + style.yellow("?") + " undecided";
  return out.empty() ? out : out + "\n";
}

std::string summary(const Projection& projection) {
  std::string out = fmt::format("{} of {} on an error trace", projection.count(OnErrorTrace::Yes),
                                counted(projection.statements.size(), projection.what));
  if (projection.bound) out += " within " + bound_text(*projection.bound);
  if (const std::size_t open = projection.count(OnErrorTrace::Undecided); open > 0)
    out += fmt::format(", {} undecided: {}", open, projection.why_undecided);
  return out + fmt::format(" ({})", counted(projection.questions, "further question"));
}

}  // namespace

std::vector<ListedStatement> listed_statements(const Projection& projection,
                                               std::string_view source) {
  const std::vector<std::string_view> lines = lines_of(source);
  std::vector<ListedStatement> out;
  for (std::size_t i = 0; i < projection.statements.size(); ++i) {
    const auto& [at, state] = projection.statements[i];
    if (at.line == 0 || at.line > lines.size()) continue;
    const std::string_view line = lines[at.line - 1];
    if (at.column == 0 || at.column > line.size()) continue;
    const bool last =
        i + 1 == projection.statements.size() || projection.statements[i + 1].at.line != at.line;
    const std::size_t behind = last ? line.size() + 1 : projection.statements[i + 1].at.column;
    out.push_back({at.line, at.column, last_before(line, behind), state});
  }
  return out;
}

std::string projection_text(const Projection& projection, std::string_view source,
                            const TextOptions& options) {
  const std::vector<MarkedLine> lines = marked_lines(projection, source);
  std::string head = "projection: " + summary(projection) + "\n";
  if (std::ranges::all_of(lines, &MarkedLine::is_dull) && !options.verbose) return head;
  return head + "\n" + listing(lines, options) + "\n" + legend(lines, options.style);
}

}  // namespace heddle::output
