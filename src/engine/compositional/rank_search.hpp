#pragma once

/// Ranking functions for the loops of a block program. See rank_search.cpp.

#include <optional>
#include <string>

#include "base/run_context.hpp"
#include "engine/compositional/encoding.hpp"
#include "engine/compositional/waits.hpp"
#include "model/threads/ranking.hpp"

namespace heddle::engine::compositional {

struct RankSearchResult {
  std::optional<model::threads::Ranking> ranking;
  std::string why;  ///< without a ranking: which loop has none
};

/// `invariants` is a solution of the thread-modular clauses of `encoding`, which are those of the
/// prepared program. If threads sleep at condition variables, steps that touch these are blocks of
/// their own (`boundaries_for`).
RankSearchResult find_ranking(const Prepared& prepared, const Encoding& encoding,
                              const term::HornSolution& invariants, const Waits& waits,
                              base::RunContext& context);

}  // namespace heddle::engine::compositional
