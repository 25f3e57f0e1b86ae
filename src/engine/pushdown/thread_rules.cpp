#include "engine/pushdown/thread_rules.hpp"

#include <algorithm>
#include <set>

#include "base/invariant.hpp"

namespace heddle::engine::pushdown {

namespace {

std::uint64_t head(Shared from, Symbol top) { return (std::uint64_t{from} << 32) | top; }

}  // namespace

ThreadRules::ThreadRules(const model::PushdownSystem& system, std::uint32_t thread,
                         const std::vector<model::VisibleState>& initial) {
  std::set<model::StackSymbol> symbols;
  for (const model::VisibleState& state : initial)
    if (const model::ThreadTop* at = state.find(thread); at && at->top) symbols.insert(*at->top);
  for (const model::PushdownRule& rule : system.transitions) {
    if (rule.thread != thread) continue;
    if (rule.top) symbols.insert(*rule.top);
    symbols.insert(rule.pushed.begin(), rule.pushed.end());
  }
  names_.assign(symbols.begin(), symbols.end());

  for (std::size_t i = 0; i < system.transitions.size(); ++i) {
    const model::PushdownRule& given = system.transitions[i];
    if (given.thread != thread) continue;
    Rule rule{given.from.value, number(given.top), given.to.value, 0, {}, model::TransitionId(i)};
    for (const model::StackSymbol symbol : given.pushed) rule.pushed[rule.size++] = number(symbol);
    if (!given.top) rule.pushed[rule.size++] = bottom();
    rules_.push_back(rule);
  }
  std::ranges::stable_sort(rules_, {}, [](const Rule& r) { return head(r.from, r.top); });
  for (std::uint32_t i = 0; i < rules_.size(); ++i) {
    const auto it = heads_.try_emplace(head(rules_[i].from, rules_[i].top), i, i).first;
    it->second.second = i + 1;
  }
}

Symbol ThreadRules::number(const std::optional<model::StackSymbol>& symbol) const {
  if (!symbol) return bottom();
  return static_cast<Symbol>(std::ranges::lower_bound(names_, *symbol) - names_.begin());
}

std::optional<Symbol> ThreadRules::symbol_of_top(const model::Top& top) const {
  if (!top) return bottom();
  if (!std::ranges::binary_search(names_, *top)) return std::nullopt;
  return number(*top);
}

std::span<const Rule> ThreadRules::rules_for(Shared from, Symbol top) const {
  const auto it = heads_.find(head(from, top));
  if (it == heads_.end()) return {};
  return std::span(rules_).subspan(it->second.first, it->second.second - it->second.first);
}

}  // namespace heddle::engine::pushdown
