#pragma once

#include <variant>
#include <vector>

#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/configuration.hpp"

namespace heddle::engine::onthefly {

struct SearchSettings {
  bool use_facts = true;
  coverability::SearchOrder order = coverability::SearchOrder::SmallestFirst;
};

/// A run that fails, a basis, or why the search stopped.
using SearchResult = std::variant<answer::ProgramRun, answer::ProgramBasis, base::StopReason>;

/// Can a thread fail, if the numbers of threads in main are as the regions say (counter 0)?
/// Ends, because includes() is a well-quasi-order.
SearchResult search(const model::boolean::Flow& flow, const std::vector<model::Region>& initial,
                    const SearchSettings& settings, base::RunContext& context);

}  // namespace heddle::engine::onthefly
