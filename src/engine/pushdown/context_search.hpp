#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/run_context.hpp"
#include "engine/pushdown/products.hpp"
#include "engine/pushdown/widening.hpp"

namespace heddle::engine::pushdown {

/// What a target asks of a product: the shared state, and for each thread a top or nothing.
struct TargetTops {
  Shared shared;
  std::vector<std::optional<Symbol>> tops;
};

/// The targets that can be met at all: of symbols that the threads use.
std::vector<TargetTops> target_tops(const StackThreads& facts,
                                    const std::vector<model::VisibleState>& targets);

/// Has the product a configuration with these tops?
bool meets(const StackThreads& facts, Shared shared, std::span<const Language> stacks,
           const TargetTops& target);

/// A product with a configuration of the target.
struct Hit {
  ProductId product;
  TargetTops target;
};

/// The configurations that threads reach when they take turns (context_search.cpp).
class ContextSearch {
 public:
  /// With a widening, which must outlive it: more than these, but finitely many sets of them.
  ContextSearch(StackThreads& facts, const model::PushdownQuestion& question,
                base::RunContext& context, Widening* widening = nullptr);

  /// A context of each thread in turn, each from all that there is. False: the context ended it,
  /// and the round is not complete.
  bool round();

  /// One more context, of whichever thread. False as above.
  bool any_context();

  const Products& products() const { return products_; }
  /// Set as soon as a target is reached; then a round may be left incomplete.
  const std::optional<Hit>& hit() const { return hit_; }
  const std::optional<base::StopReason>& stopped() const { return stopped_; }
  /// Nothing new can be reached: the products are closed under the steps of all threads.
  bool closed() const;
  /// At most so many products; more end the search as a step limit would.
  void limit_products(std::size_t most) { most_products_ = most; }

 private:
  void take_turn(std::uint32_t thread);
  bool expand(ProductId from, std::uint32_t thread, std::uint32_t turn);
  void look_at(ProductId product);
  bool ended() const { return stopped_ || hit_; }

  StackThreads& facts_;
  base::RunContext& context_;
  Widening* widening_;
  Products products_;
  std::vector<TargetTops> targets_;
  std::vector<std::size_t> expanded_;  ///< by thread: products before this one are closed under it
  std::uint32_t turn_ = 0;
  std::size_t most_products_ = SIZE_MAX;
  std::optional<Hit> hit_;
  std::optional<base::StopReason> stopped_;
};

}  // namespace heddle::engine::pushdown
