#pragma once

/// A Petri net as a thread system: tokens are threads, places are local states, and a transition is
/// a chain of steps of one thread each (papers/cutoff.txt section 6.1). Exact for coverability; the
/// proof is at the head of the source file.

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/counting.hpp"

namespace heddle::transform {

/// Longer chains of steps for one transition are refused: they would drown the model.
inline constexpr unsigned kLongestChain = 10'000;
/// So are translations with more steps than this.
inline constexpr std::size_t kMostSteps = 1'000'000;

/// Local state p is place p; the last local state is the pool of threads that are no tokens now.
/// Shared state 0 is the base: there and only there a configuration is a marking.
struct NetAsThreads {
  model::ThreadTask translated;
  /// For each step of the thread system: the transition of the net that it completes, if it is the
  /// last of its chain.
  std::vector<std::optional<model::TransitionId>> completes;

  model::LocalState pool() const {
    return model::LocalState(model::counter_count(translated.model) - 1);
  }
};

/// Translates a monotone task about a net. The error names the first rule or target without a
/// thread form: an upper bound, tokens that are copied or multiplied, weights beyond
/// `kLongestChain`. Linear in the sum of all weights.
std::expected<NetAsThreads, std::string> net_to_threads(const model::NetTask& task);

/// A verdict about the thread system as one about the net. Traces and bases without invariants
/// always carry over, closed thread states become part of the basis; other invariants make it
/// Unknown{Unsupported}.
answer::Verdict translate_back(const NetAsThreads& translation, const answer::Verdict& verdict);

}  // namespace heddle::transform
