#include "driver/event_text.hpp"

#include <charconv>

namespace heddle::driver {

namespace {

/// Cuts the first line off `text`.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::string shortest(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, end};
}

}  // namespace

std::string write_event(const base::Event& event) {
  std::string out = (event.milestone ? "milestone " : "progress ") + event.phase;
  for (const auto& [name, value] : event.figures) out += "\n" + name + "\t" + shortest(value);
  return out;
}

std::string write_progress(std::string_view engine, const base::Event& event) {
  return std::string(engine) + "\n" + write_event(event);
}

std::pair<std::string, base::Event> read_progress(std::string_view text) {
  const std::string engine(take_line(text));
  return {engine, read_event(text)};
}

base::Event read_event(std::string_view text) {
  const std::string_view head = take_line(text);
  const std::size_t space = std::min(head.find(' '), head.size());
  base::Event event{std::string(head.substr(std::min(space + 1, head.size()))), {}};
  event.milestone = head.substr(0, space) == "milestone";
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t tab = line.find('\t');
    double value = 0;
    if (tab == std::string_view::npos) continue;
    if (std::from_chars(line.data() + tab + 1, line.data() + line.size(), value).ec == std::errc{})
      event.figures.emplace_back(line.substr(0, tab), value);
  }
  return event;
}

}  // namespace heddle::driver
