#include "frontend/thread_system/format.hpp"

#include <string_view>
#include <variant>

#include "frontend/question_comments.hpp"
#include "frontend/text/note_printer.hpp"

namespace heddle::frontend::thread_system {

namespace {

using model::StepKind;
using model::ThreadState;
using model::ThreadSystem;
using model::ThreadTransition;

std::string_view arrow(StepKind kind) {
  switch (kind) {
    case StepKind::Move: return " -> ";
    case StepKind::Spawn: return " +> ";
    case StepKind::Transfer: return " ~> ";
  }
  return {};
}

void print_names(std::string& out, std::string_view kind, const std::vector<std::string>& names) {
  for (std::size_t state = 0; state < names.size(); ++state)
    if (!names[state].empty())
      out.append("# ").append(kind).append(" state ").append(std::to_string(state)).append(": ") +=
          names[state] + "\n";
}

std::string pair(std::uint32_t a, std::string_view between, std::uint32_t b) {
  return std::to_string(a).append(between) + std::to_string(b);
}

void print_edge(std::string& out, const ThreadTransition& t) {
  text::print_note(out, t.note);
  out += pair(t.source.shared.value, " ", t.source.local.value);
  out += arrow(t.kind);
  out += pair(t.target.shared.value, " ", t.target.local.value);
  for (const model::PassiveMove& move : t.passive)
    out += "  " + pair(move.from.value, " ~> ", move.to.value);
  out += "\n";
}

}  // namespace

std::optional<std::string> cannot_print(const ThreadFile&) { return std::nullopt; }

std::string print(const ThreadFile& file) {
  const ThreadSystem& system = file.model;
  std::string out = question_comments(file, {"#"});
  print_names(out, "shared", system.shared_names);
  print_names(out, "local", system.local_names);
  out += pair(system.shared_count, " ", system.local_count) + "\n";
  for (const ThreadTransition& t : system.transitions) print_edge(out, t);
  return out;
}

}  // namespace heddle::frontend::thread_system
