#pragma once

#include <string_view>
#include <variant>

#include "answer/forward_cover.hpp"
#include "coverability/omega_path.hpp"
#include "engine/engine.hpp"
#include "engine/search_verdict.hpp"

/// What the engines that count threads and tokens have in common.
namespace heddle::engine {

/// What they say to the other kinds of models; `programs` is for Boolean programs.
Refusal counters_only(
    std::string_view programs =
        "a Boolean program is translated to a thread system first (--via threads)");

/// A search over upward-closed sets needs a target, and no upper bounds in guards or targets.
Acceptance accepts_upward_closed(const model::CountingTask& task);

/// All that is reachable lies below one of these, and no target does.
struct Covered {
  answer::ForwardCover cover;
};

/// Numbers grow without end in a way that is not accelerated.
struct Endless {};

/// How a search from the initial states ends.
using ForwardOutcome = std::variant<coverability::OmegaPath, Covered, Endless,
                                    coverability::Stopped, coverability::Overflowed>;

/// Precondition: the system is the compiled task.
answer::Verdict to_verdict(const model::CountingTask& task,
                           const coverability::CounterSystem& system, ForwardOutcome outcome,
                           std::string_view why_endless);

}  // namespace heddle::engine
