#pragma once

/// What two readings of one file disagree on: the heart of every round-trip test. Lines in the file
/// are the only thing that may differ.

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>

#include "frontend/frontend.hpp"
#include "model/c/print.hpp"

namespace heddle::fuzz {

/// "transition 3", or empty. Names of transitions do not count: not every format has them.
template <class Model>
std::string different_transition(const Model& a, const Model& b) {
  if (a.transitions.size() != b.transitions.size()) return "the number of transitions";
  for (std::size_t i = 0; i < a.transitions.size(); ++i)
    if (!a.transitions[i].same_step(b.transitions[i]) ||
        a.transitions[i].note != b.transitions[i].note)
      return "transition " + std::to_string(i);
  return {};
}

inline std::string difference(const model::ThreadSystem& a, const model::ThreadSystem& b) {
  if (a.shared_count != b.shared_count || a.local_count != b.local_count) return "the header";
  if (a.shared_names != b.shared_names || a.local_names != b.local_names) return "the names";
  return different_transition(a, b);
}

inline std::string difference(const model::PetriNet& a, const model::PetriNet& b) {
  if (a.places != b.places) return "the places";
  if (a.claimed_invariants != b.claimed_invariants) return "the invariants";
  return different_transition(a, b);
}

/// Positions never count.
inline std::string difference(const model::BooleanProgram& a, const model::BooleanProgram& b) {
  if (a.globals != b.globals) return "the shared variables";
  return a == b ? "" : "the procedures";
}

inline std::string difference(const model::PushdownSystem& a, const model::PushdownSystem& b) {
  if (a.shared_count != b.shared_count || a.threads != b.threads) return "the threads";
  return a == b ? "" : "the rules";
}

/// By what is printed of them: there is no way back to C.
inline std::string difference(const model::CProgram& a, const model::CProgram& b) {
  return model::c::print(a) == model::c::print(b) ? "" : "the functions";
}

/// What differs, empty if nothing does.
inline std::string difference(const frontend::AnyModelFile& first,
                              const frontend::AnyModelFile& second) {
  if (first.index() != second.index()) return "the kind of model";
  return std::visit(
      [&]<class Model>(const frontend::ModelFile<Model>& a) -> std::string {
        const auto& b = std::get<frontend::ModelFile<Model>>(second);
        if (a.initial != b.initial) return "the initial regions";
        if (a.targets != b.targets) return "the targets";
        return difference(a.model, b.model);
      },
      first);
}

/// Prints and reads again; what went wrong, or empty.
inline std::string round_trip_failure(const frontend::FormatRow& format,
                                      const frontend::AnyModelFile& file) {
  const auto again = format.parse({"printed", format.print(file)}, {});
  return again ? difference(file, *again) : base::render(again.error());
}

}  // namespace heddle::fuzz
