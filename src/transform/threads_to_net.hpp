#pragma once

/// A thread system as a Petri net: a place for every local state, whose tokens are the threads
/// there, and a place for every shared state, of which exactly one is marked. Exact for
/// coverability; the proof is at the head of the source file.

#include <cstdint>
#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/counting.hpp"

namespace heddle::transform {

/// What a transition of the net does in terms of the thread system's step `of`.
struct NetStepOrigin {
  enum class Part {
    Whole,   ///< all of it
    Begin,   ///< all but the passive threads that choose among several targets: they are set aside
    Choose,  ///< one of these threads makes its choice
    End,     ///< no more choices; those who have not chosen disappear
  };
  Part part = Part::Whole;
  model::TransitionId of;
  model::PassiveMove choice;  ///< of Choose
  friend bool operator==(const NetStepOrigin&, const NetStepOrigin&) = default;
};

/// Place l is local state l; the places of the shared states follow, then auxiliary ones.
struct ThreadsAsNet {
  model::NetTask translated;
  std::vector<NetStepOrigin> origins;  ///< by transition of the net
  std::uint32_t local_count = 0;
  std::uint32_t shared_count = 0;
  /// The places of which exactly one holds exactly one token at any time.
  std::vector<model::PlaceId> control;

  model::PlaceId place_of(model::SharedState shared) const {
    return model::PlaceId(local_count + shared.value);
  }
};

/// Translates every task about a thread system. Linear in its size.
ThreadsAsNet threads_to_net(const model::ThreadTask& task);

/// A verdict about the net as one about `original`, the thread system that it came from. Traces
/// and bases without invariants always carry over; concurrent places become part of the basis, and
/// an equation about the control places goes without saying; other invariants make it
/// Unknown{Unsupported}.
answer::Verdict translate_back(const model::ThreadSystem& original, const ThreadsAsNet& translation,
                               const answer::Verdict& verdict);

}  // namespace heddle::transform
