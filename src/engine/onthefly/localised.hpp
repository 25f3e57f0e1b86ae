#pragma once

#include "engine/onthefly/search.hpp"

namespace heddle::engine::onthefly {

/// As `search`, by abstraction and refinement; localised.cpp explains it.
SearchResult search_localised(const model::boolean::Flow& flow,
                              const std::vector<model::ThreadsInMain>& initial,
                              const SearchSettings& settings, base::RunContext& context);

/// The coarse graph of what the abstraction shows, with as few nodes as possible: fills in the
/// classes. Nothing if a step has too many choices. With `ends_apart`, nodes that nobody leaves are
/// one only if threads come to them from the same classes.
std::optional<model::boolean::CoarseFlow> coarse_of(const model::boolean::Flow& flow,
                                                    model::boolean::Abstraction& abstraction,
                                                    bool ends_apart = false);

/// As `search`, with lemmas about pairs of threads if it takes long.
SearchResult search_coarse(const model::boolean::Flow& flow,
                           const std::vector<model::ThreadsInMain>& initial,
                           const SearchSettings& settings, base::RunContext& context);

}  // namespace heddle::engine::onthefly
