/// Fewest rounds need not be fewest contexts: a run that starts with the second thread and goes on
/// with the first takes two rounds and two contexts, another one may take one round and three.
///
/// Let C_k(j) be the configurations with which a run of k contexts can end whose last context is
/// thread j's. It goes on with a context of another thread, so C_{k+1}(j) are the ends of turns of
/// j that begin in some C_k(i), i ≠ j. What j has begun with before needs fewer contexts and is
/// left out. That turns end only at some places (joint_search.cpp) makes no difference: steps are
/// moved into earlier contexts of their thread, never into new ones.

#include "engine/context/joint_search.hpp"

namespace heddle::engine::context {

std::optional<std::uint32_t> fewest_contexts(const JointSystem& system, std::uint32_t most,
                                             base::RunContext& context) {
  const std::size_t threads = system.threads().size();
  JointSearch search(system);
  std::vector<Bdd> begun(threads), last(threads);
  for (std::uint32_t contexts = 1; contexts < most; ++contexts) {
    std::vector<Bdd> next(threads);
    for (std::size_t j = 0; j < threads; ++j) {
      Bdd begins = contexts == 1 ? system.initial() : Bdd();
      for (std::size_t i = 0; i < threads; ++i)
        if (i != j) begins |= last[i];
      begins = begins - begun[j];
      begun[j] |= begins;
      const auto ended = search.turn(j, begins, context);
      if (!ended || search.end() == JointSearch::End::CutOff) return std::nullopt;
      if (search.end() == JointSearch::End::Failed) return contexts;
      next[j] = *ended;
    }
    last = std::move(next);
  }
  return most;
}

}  // namespace heddle::engine::context
