#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"
#include "engine/onthefly/reachable_pairs.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/configuration.hpp"

namespace heddle::engine::onthefly {

struct SearchSettings {
  bool use_facts = true;
  coverability::SearchOrder order = coverability::SearchOrder::SmallestFirst;
  /// What to search from instead of "a thread has failed", if there is any.
  std::vector<answer::ProgramElement> roots = {};
  /// Localisation begins with nothing, instead of with the variables that the property mentions.
  bool hides_property = false;
  /// As for `coarse_of`.
  bool ends_apart = false;
  /// So many threads may be explored instead (localised.cpp).
  std::optional<std::uint32_t> explores = std::nullopt;
};

/// A run that fails, a basis, or why the search stopped.
using SearchResult = std::variant<answer::ProgramRun, answer::ProgramBasis, base::StopReason>;

/// Can a thread fail, if the numbers of threads in main are as the regions say (counter 0)?
/// Ends, because includes() is a well-quasi-order.
SearchResult search(const model::boolean::Flow& flow,
                    const std::vector<model::ThreadsInMain>& initial,
                    const SearchSettings& settings, base::RunContext& context);

/// The same with lemmas about pairs of threads, which need not hold. Nothing if one of them does
/// not.
std::optional<SearchResult> search_with_lemmas(const model::boolean::Flow& flow,
                                               const std::vector<model::ThreadsInMain>& initial,
                                               const SearchSettings& settings,
                                               const ReachablePairs& pairs,
                                               base::RunContext& context);

}  // namespace heddle::engine::onthefly
