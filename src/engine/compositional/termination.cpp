#include "engine/compositional/termination.hpp"

#include "engine/compositional/no_waiting.hpp"
#include "engine/compositional/rank_search.hpp"

/// Termination for data without bound: no state is reached in which threads wait for each other
/// (no_waiting.cpp), which also gives invariants; then each loop gets its rank (rank_search.cpp).
/// Whether everything is defined is left to the checker.

namespace heddle::engine::compositional {

TerminationResult prove_termination(const model::c::Program& program, base::RunContext& context) {
  TerminationResult result;
  const NoWaitingResult found = exclude_waiting_for_ever(
      program,
      [&](NoWaiting with) {
        RankSearchResult ranks =
            find_ranking(with.prepared, with.encoding, with.invariants, with.waits, context);
        if (!ranks.ranking) return ranks.why.empty() ? std::string("stopped") : ranks.why;
        model::threads::ThreadProof proof = with.proof();
        result.proof =
            answer::TerminationProof{std::move(with.covering), std::move(proof),
                                     std::move(*ranks.ranking), std::move(with.monitors)};
        return std::string();
      },
      context);
  result.is_refused = found.is_refused;
  result.why = found.why;
  return result;
}

}  // namespace heddle::engine::compositional
