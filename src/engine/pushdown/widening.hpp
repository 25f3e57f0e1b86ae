#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/pushdown/products.hpp"

namespace heddle::engine::pushdown {

/// What a thread alone does to the shared state while it takes symbols from its stack
/// (widening.cpp). Relations are numbered.
class Returns {
 public:
  using Relation = std::uint32_t;
  static constexpr Relation kNothing = 0;     ///< of no symbols: every state to itself
  static constexpr Relation kImpossible = 1;  ///< of symbols that are never gone

  explicit Returns(const ThreadRules& rules);

  /// That of `top` on symbols with the relation `rest`. Nothing: there are too many, or
  /// too many shared states.
  std::optional<Relation> on_top(Symbol top, Relation rest);

 private:
  using Bits = std::vector<std::uint64_t>;  ///< by shared state: those that it leads to

  void find_returns(const ThreadRules& rules);
  bool apply(const Rule& rule);
  std::uint64_t after(Symbol symbol, std::uint64_t from) const;

  std::map<Shared, std::uint32_t> position_;
  std::vector<Bits> returns_;  ///< by symbol
  std::vector<Bits> relations_;
  std::map<Bits, Relation> numbers_;
  std::unordered_map<std::uint64_t, Relation> on_top_;
};

/// Larger languages of stacks, of which there are finitely many (widening.cpp).
class Widening {
 public:
  /// From level to level they are more, and closer to the given ones.
  Widening(StackThreads& facts, std::uint32_t level);

  /// One that includes the given one.
  Language operator()(std::size_t thread, Language language);

 private:
  Language widen(std::size_t thread, const StackDfa& dfa, Language language);

  StackThreads& facts_;
  std::uint32_t depth_;
  std::vector<std::optional<Returns>> returns_;  ///< by thread
  std::vector<std::unordered_map<std::uint32_t, Language>> known_;
};

}  // namespace heddle::engine::pushdown
