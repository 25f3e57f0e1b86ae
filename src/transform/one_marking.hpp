#pragma once

/// A net that starts in one of many markings as a net that starts in one and makes the others: some
/// formats can hold one initial marking only. Exact; the proof is at the head of the source file.

#include <optional>
#include <vector>

#include "answer/verdict.hpp"
#include "model/counting.hpp"

namespace heddle::transform {

/// The first places and transitions are those of the original net.
struct NetWithOneMarking {
  model::NetTask translated;
  std::size_t places = 0;       ///< of the original net
  std::size_t transitions = 0;  ///< of the original net
  /// The tokens of the original net that are there from the start.
  model::Counts marking;
  /// By transition that was added: the tokens that it makes.
  std::vector<model::Counts> makes;
  /// A token here lets the original transitions fire; nothing: they always may.
  std::optional<model::PlaceId> running;
};

/// Precondition: the model is a net, with at least one initial region.
NetWithOneMarking start_in_one_marking(const model::NetTask& task);

/// A verdict about the translated net as one about the original. Traces and bases without
/// invariants carry over; anything else becomes Unknown{Unsupported}.
answer::Verdict translate_back(const NetWithOneMarking& translation,
                               const answer::Verdict& verdict);

}  // namespace heddle::transform
