#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/pushdown_system.hpp"

namespace heddle::engine::pushdown {

/// A stack symbol of one thread, numbered from 0 without gaps; the last one is the bottom, which
/// stands below every stack and is never removed. So the empty stack has a top, too.
using Symbol = std::uint32_t;
using Shared = std::uint32_t;

/// ⟨from, top⟩ → ⟨to, pushed[0] … pushed[size − 1]⟩, topmost first. A rule for the bottom keeps it
/// as its last symbol.
struct Rule {
  Shared from = 0;
  Symbol top = 0;
  Shared to = 0;
  std::uint8_t size = 0;
  Symbol pushed[2] = {};
  model::TransitionId id;
};

/// One thread of a pushdown system, as its saturation needs it.
class ThreadRules {
 public:
  /// `thread` must exist. Linear in the number of rules, but for sorting. Symbols that stand on
  /// initial stacks have numbers, too.
  ThreadRules(const model::PushdownSystem& system, std::uint32_t thread,
              const std::vector<model::VisibleState>& initial);

  Symbol bottom() const { return static_cast<Symbol>(names_.size()); }
  std::uint32_t symbol_count() const { return bottom() + 1; }

  /// The file's symbol. Precondition: it is not the bottom.
  model::StackSymbol name(Symbol symbol) const { return names_[symbol]; }
  /// What stands for a top as regions number them. Nothing: the thread never has this top.
  std::optional<Symbol> symbol_of_top(const model::Top& top) const;

  std::span<const Rule> rules() const { return rules_; }
  std::span<const Rule> rules_for(Shared from, Symbol top) const;

 private:
  Symbol number(const std::optional<model::StackSymbol>& symbol) const;

  std::vector<model::StackSymbol> names_;  ///< ascending
  std::vector<Rule> rules_;                ///< sorted by (from, top)
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> heads_;
};

}  // namespace heddle::engine::pushdown
