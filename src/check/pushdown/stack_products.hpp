#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "answer/pushdown_evidence.hpp"
#include "base/integer.hpp"
#include "check/pushdown/stack_inclusion.hpp"

namespace heddle::check {

/// A step of one thread from a shared state: on stacks that begin with `read` (topmost first), or,
/// if that is empty, on the empty stack. It writes `written` in its place.
struct StackStep {
  std::uint32_t thread = 0;
  std::vector<model::StackSymbol> read;
  model::SharedState to;
  std::vector<model::StackSymbol> written;
};

/// A claimed union of products, and whether steps stay in it (stack_products.cpp says what that
/// proves). Own code: no engine's automata are used here.
class StackProducts {
 public:
  using Words = std::vector<std::vector<model::StackSymbol>>;

  /// The claim must be well formed (`malformed`) and must outlive this. With `rounds`, steps count
  /// turn by turn, for so many rounds.
  StackProducts(const answer::PushdownInvariant& claim, std::size_t shared_count,
                const std::optional<base::Integer>& rounds);

  /// What is wrong with the claim's form.
  static std::optional<std::string> malformed(const answer::PushdownInvariant& claim,
                                              std::size_t threads, std::size_t shared_count,
                                              const std::optional<base::Integer>& rounds);

  std::size_t thread_count() const { return claim_.automata.size(); }
  const StackInclusion& stacks(std::size_t thread) const { return inclusions_[thread]; }
  bool is_empty(const answer::StackProduct& product) const;
  /// Has the thread a turn left to step from the product?
  bool may_step(const answer::StackProduct& product, std::uint32_t thread) const {
    return due(product, thread).has_value();
  }

  /// Does a product of turn 0 hold the configuration with these stacks, topmost symbols first?
  bool hold_initially(model::SharedState shared, const Words& stacks) const;

  /// Does the step, from wherever it is possible in the product, lead into the union, in time if
  /// turns count? Inclusions of languages are remembered.
  bool hold_after(const answer::StackProduct& product, const StackStep& step);

 private:
  using Key = std::vector<std::uint32_t>;
  using Listed = std::vector<const answer::StackProduct*>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  static Key key(model::SharedState shared, const std::vector<std::uint32_t>& stacks,
                 std::size_t but);
  std::optional<std::uint32_t> due(const answer::StackProduct& product, std::uint32_t thread) const;
  bool others_within(const answer::StackProduct& product, const answer::StackProduct& other,
                     std::size_t but);
  bool within(const StackStep& step, std::uint32_t rest, const Listed& products,
              std::uint32_t turn);

  const answer::PushdownInvariant& claim_;
  const std::optional<base::Integer>& rounds_;
  std::vector<StackInclusion> inclusions_;  ///< by thread
  std::vector<Listed> by_shared_;
  std::unordered_map<Key, Listed, KeyHash> similar_;
};

}  // namespace heddle::check
