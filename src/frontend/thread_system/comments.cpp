#include "frontend/thread_system/comments.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/printable.hpp"

namespace heddle::frontend::thread_system {

namespace {

constexpr std::uint32_t kNamedStatesEnd = 65536;
constexpr std::string_view kHeadingStart = "BP-PC";

void append_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

/// Splits `<kind> state 16: m=1` into 16 and `m=1`.
bool read_named_state(std::string_view comment, std::string_view kind, std::uint32_t& state,
                      std::string_view& name) {
  const std::string start = std::string(kind) + " state ";
  if (!comment.starts_with(start)) return false;
  comment.remove_prefix(start.size());
  const auto [end, error] = std::from_chars(comment.begin(), comment.end(), state);
  if (error != std::errc{} || end == comment.end() || *end != ':') return false;
  name = comment.substr(static_cast<std::size_t>(end - comment.begin()) + 1);
  name.remove_prefix(std::min(name.find_first_not_of(" \t\r\v\f"), name.size()));
  return !name.empty();
}

std::vector<std::string> by_state(const std::map<std::uint32_t, std::string>& names,
                                  std::uint32_t states) {
  std::vector<std::string> out;
  for (const auto& [state, name] : names) {
    if (state >= std::min(states, kNamedStatesEnd)) break;
    out.resize(state + 1);
    out[state] = name;
  }
  return out;
}

}  // namespace

bool Comments::read_name(std::string_view comment) {
  std::uint32_t state = 0;
  std::string_view name;
  for (const auto& [kind, names] : {std::pair{"shared", &shared_names_}, {"local", &local_names_}})
    if (read_named_state(comment, kind, state, name)) {
      (*names)[state] = base::printable(name);
      return true;
    }
  return false;
}

std::string Comments::note_of_edge(const std::vector<text::Comment>& comments) {
  std::string own;
  bool has_heading = false;
  for (const text::Comment& comment : comments) {
    if (read_name(comment.text)) continue;
    const std::string line = base::printable(comment.text);
    append_line(own, line);
    if (!line.starts_with(kHeadingStart)) continue;
    heading_ = line;
    has_heading = true;
  }
  if (has_heading || heading_.empty()) return own;
  std::string note = heading_;
  if (!own.empty()) append_line(note, own);
  return note;
}

void Comments::outside_edges(const std::vector<text::Comment>& comments) {
  for (const text::Comment& comment : comments) read_name(comment.text);
}

void Comments::name_states(model::ThreadSystem& system) const {
  system.shared_names = by_state(shared_names_, system.shared_count);
  system.local_names = by_state(local_names_, system.local_count);
}

}  // namespace heddle::frontend::thread_system
