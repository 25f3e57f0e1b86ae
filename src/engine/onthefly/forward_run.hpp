#pragma once

#include <cstddef>

#include "answer/program_evidence.hpp"
#include "engine/onthefly/antichain.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

/// Makes a run out of a chain of elements, each with a step into the next.
class ForwardRun {
 public:
  /// Starts in an initial state of the element, with at least `threads` threads.
  ForwardRun(const model::boolean::Flow& flow, const Element& first, std::size_t threads);

  /// Takes the edge to some state of `next`. There is one, because every state of an element has a
  /// step by its edge to the element that it is a predecessor of.
  void step(model::boolean::EdgeId edge, const Element& next);

  answer::ProgramRun take() { return std::move(run_); }

 private:
  bool try_thread(std::uint32_t thread, model::boolean::EdgeId edge, const Element& next);
  bool try_outcome(std::uint32_t thread, model::boolean::EdgeId edge, const Element& next,
                   const model::boolean::Wanted& wanted);

  const model::boolean::Flow& flow_;
  model::boolean::State state_;
  answer::ProgramRun run_;
};

}  // namespace heddle::engine::onthefly
