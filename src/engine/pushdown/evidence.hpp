#pragma once

#include "answer/pushdown_evidence.hpp"
#include "answer/trace.hpp"
#include "base/run_context.hpp"
#include "engine/pushdown/context_search.hpp"
#include "engine/pushdown/products.hpp"

namespace heddle::engine::pushdown {

/// All products as a certificate: with their turns, of those up to `last_turn`; or without, of a
/// search that is closed.
answer::PushdownInvariant turns_of(const StackThreads& facts, const Products& products,
                                   std::uint32_t last_turn);
answer::PushdownInvariant closed_set_of(const StackThreads& facts, const Products& products);

/// A run to a target within the hit. The saturations of its contexts are done once more, since
/// only these know why a stack is reached.
answer::PushdownRun trace_to(const StackThreads& facts, const Products& products, const Hit& hit);

/// Contexts of a run: how often the thread changes, plus one; 0 of a run without steps.
std::size_t context_count(const answer::PushdownRun& run);

}  // namespace heddle::engine::pushdown
