#include "output/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output/words.hpp"

namespace heddle::output {

namespace {

constexpr const char* kLineUp = "\033[A";
constexpr const char* kClearBelow = "\r\033[J";

/// The first `columns` characters of UTF-8 text; of longer text the last one is `…`.
std::string cut(const std::string& text, std::size_t columns) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  std::size_t seen = 0;
  std::size_t last = 0;  // where the last character that fits begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!begins(text[i])) continue;
    if (++seen > columns) return columns == 0 ? "" : text.substr(0, last) + "…";
    last = i;
  }
  return text;
}

/// `7 s`, `2 min 5 s`: no fractions that would only flicker.
std::string elapsed_text(double seconds) {
  return seconds < 100 ? fmt::format("{:.0f} s", seconds) : duration_text(seconds);
}

}  // namespace

std::string progress_text(const base::Event& event) {
  std::string out = event.phase;
  for (const auto& [name, value] : event.figures) out += fmt::format("  {} {:.0f}", name, value);
  return out;
}

ProgressBoard::Row& ProgressBoard::row_of(std::string_view engine) {
  const auto known = std::ranges::find(rows_, engine, &Row::engine);
  if (known != rows_.end()) return *known;
  return rows_.emplace_back(Row{std::string(engine), "", ""});
}

void ProgressBoard::hear(std::string_view engine, const base::Event& event) {
  started_ = true;
  if (event.phase.empty()) {
    std::erase_if(rows_, [&](const Row& row) { return row.engine == engine; });
  } else if (event.milestone) {
    row_of(engine).established = event.phase;
  } else {
    row_of(engine).doing = progress_text(event);
  }
}

std::vector<std::string> ProgressBoard::lines(double seconds, std::size_t columns,
                                              std::size_t rows) const {
  std::vector<std::string> out{elapsed_text(seconds) + "  " + (started_ ? search_ : work_)};
  std::size_t widest = 0;
  for (const Row& row : rows_) widest = std::max(widest, row.engine.size());
  for (const Row& row : rows_) {
    std::string line = fmt::format("  {:<{}}  ", row.engine, widest);
    line +=
        row.established + (row.established.empty() || row.doing.empty() ? "" : "; ") + row.doing;
    out.push_back(std::move(line));
  }
  if (out.size() > rows && rows > 0) {
    const std::size_t hidden = out.size() - rows + 1;
    out.resize(rows > 1 ? rows - 1 : 0);
    out.push_back(fmt::format("  … {} more", hidden));
  }
  for (std::string& line : out) line = cut(line, columns);
  return out;
}

void ProgressScreen::show(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 1; i < shown_; ++i) text += kLineUp;
  if (shown_ > 0) text += kClearBelow;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  std::fputs(text.c_str(), stream_);
  std::fflush(stream_);
  shown_ = lines.size();
}

void ProgressScreen::clear() {
  if (shown_ > 0) show({});
}

void write_milestone(std::FILE* stream, std::string_view engine, const base::Event& event) {
  std::fputs(fmt::format("{}: {}\n", engine, progress_text(event)).c_str(), stream);
}

}  // namespace heddle::output
