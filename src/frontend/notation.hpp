#pragma once

/// How questions about each kind of model are written, what they are if nobody says, and where they
/// are looked for: one row for each kind, beside its parser. A kind without one does not compile.

#include <string>
#include <vector>

#include "frontend/boolean_program/notation.hpp"
#include "frontend/c/notation.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/notation.hpp"
#include "frontend/pushdown/notation.hpp"
#include "frontend/thread_system/notation.hpp"

namespace heddle::frontend {

/// Texts that `parse_targets` and `parse_initial` read as the same, one a line; "" if there are
/// none. What the notation has no text for (the target of a program, a place whose name has a quote
/// in it) reads as something else, or not at all.
template <class Model>
std::string print_targets(const Model& model, const std::vector<model::TargetOf<Model>>& targets) {
  std::string out;
  for (const auto& target : targets) out += target_to_string(model, target) + "\n";
  return out;
}

template <class Model>
std::string print_initial(const Model& model, const std::vector<model::InitialOf<Model>>& initial) {
  std::string out;
  for (const auto& state : initial) out += Notation<Model>::print_initial(model, state) + "\n";
  return out;
}

}  // namespace heddle::frontend
