#include "frontend/text/note_printer.hpp"

#include <algorithm>
#include <cstddef>

namespace heddle::frontend::text {

void print_note(std::string& out, std::string_view note) {
  while (!note.empty()) {
    const std::size_t end = std::min(note.find('\n'), note.size());
    if (end > 0) out.append("# ").append(note.substr(0, end)).append("\n");
    note.remove_prefix(std::min(end + 1, note.size()));
  }
}

}  // namespace heddle::frontend::text
