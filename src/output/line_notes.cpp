#include "output/line_notes.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

#include "model/threads/formula_text.hpp"
#include "term/term.hpp"

namespace heddle::output {

namespace {

namespace c = model::c;
namespace threads = model::threads;
using threads::Covering;

/// The line that a place of a covering lies in. Functions of our library belong to the line that
/// calls them.
SourcePlace place_of(const c::Program& program, const Covering& covering,
                     const Covering::Place& place) {
  std::uint32_t context = place.context;
  c::Location at = place.at;
  while (context < covering.contexts.size()) {
    const Covering::Context& call = covering.contexts[context];
    if (call.function.index() >= program.functions.size()) break;
    const c::Function& function = program.functions[call.function.index()];
    if (at.index() >= function.code.size()) break;
    const c::Position& position = function.code[at.index()].position;
    if (!function.is_library && position.line != 0)
      return {position.file, position.line, position.column};
    if (!call.caller) break;
    at = call.call;
    context = *call.caller;
  }
  return {};
}

std::string name_of(const c::Program& program, const Covering::Thread& thread) {
  if (thread.start.index() >= program.functions.size()) return "a thread";
  const c::Function& start = program.functions[thread.start.index()];
  return (start.is_library ? "main" : start.name) + (thread.is_replicated ? " (any number)" : "");
}

/// The names of the covering's variables, for formulas.
threads::ThreadProgram names_of(const Covering& covering) {
  threads::ThreadProgram program;
  for (const Covering::Variable& variable : covering.variables) {
    if (variable.symbol.empty()) continue;
    threads::Variable& named = program.variables.emplace_back();
    named.term = term::variable(variable.symbol, term::Sort::Integer);
    named.name = variable.name;
  }
  return program;
}

class ProofNotes {
 public:
  ProofNotes(const c::Program& program, const Covering& covering)
      : program_(program), covering_(covering), names_(names_of(covering)) {}

  std::vector<LineNote> notes(const threads::ThreadProof& proof) const {
    std::vector<LineNote> out;
    for (const auto& invariant : proof.invariants) {
      const std::string text = threads::to_c_text(names_, invariant.formula);
      if (text == "true") continue;
      if (auto note = note_at(invariant.at)) {
        note->text = text;
        out.push_back(std::move(*note));
      }
    }
    return out;
  }

 private:
  /// At the line of the first thread; the others are named with their lines.
  std::optional<LineNote> note_at(
      const std::vector<std::pair<threads::ThreadIndex, std::uint32_t>>& at) const {
    LineNote note;
    for (const auto& [thread, point] : at) {
      if (thread.index() >= covering_.threads.size()) return std::nullopt;
      const Covering::Thread& which = covering_.threads[thread.index()];
      if (point >= which.places.size()) continue;  // not started, or ended
      const SourcePlace place = place_of(program_, covering_, which.places[point]);
      const std::string name = name_of(program_, which);
      if (note.who.empty()) {
        note.place = place;
        note.who = name;
      } else {
        note.who += ", " + name + " at line " + std::to_string(place.line);
      }
    }
    if (note.place.line == 0) return std::nullopt;
    return note;
  }

  const c::Program& program_;
  const Covering& covering_;
  threads::ThreadProgram names_;
};

template <class Evidence>
concept HasProof = requires(const Evidence& evidence) {
  evidence.covering;
  evidence.proof.invariants;
};

std::vector<LineNote> notes_of(const model::CTask& task, const HasProof auto& evidence) {
  return ProofNotes(task.model, evidence.covering).notes(evidence.proof);
}
std::vector<LineNote> notes_of(const auto&, const auto&) { return {}; }

const answer::Certificate* certificate_of(const answer::Verdict& verdict) {
  if (const auto* safe = std::get_if<answer::Safe>(&verdict)) return &safe->certificate;
  const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict);
  return bounded ? &bounded->certificate : nullptr;
}

}  // namespace

std::vector<LineNote> line_notes(const model::AnyTask& any, const answer::Verdict& verdict) {
  const answer::Certificate* certificate = certificate_of(verdict);
  if (!certificate) return {};
  std::vector<LineNote> notes =
      std::visit([](const auto& task, const auto& evidence) { return notes_of(task, evidence); },
                 any, *certificate);
  const auto key = [](const LineNote& note) {
    return std::tuple(note.place.file, note.place.line, note.who, note.text);
  };
  std::ranges::sort(notes, {}, key);
  const auto repeated = std::ranges::unique(notes, {}, key);
  notes.erase(repeated.begin(), repeated.end());
  return notes;
}

}  // namespace heddle::output
