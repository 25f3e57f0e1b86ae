#include "engine/pushdown/thread_rules.hpp"

#include <algorithm>
#include <set>

#include "base/invariant.hpp"

namespace heddle::engine::pushdown {

namespace {

std::uint64_t head(Shared from, Symbol top) { return (std::uint64_t{from} << 32) | top; }

std::optional<model::StackSymbol> symbol_of(const base::Integer& top) {
  if (top == 0) return std::nullopt;
  const auto number = base::to_uint32(top - 1);
  HEDDLE_INVARIANT(number, "a stack symbol should fit 32 bits");
  return model::StackSymbol(*number);
}

}  // namespace

ThreadRules::ThreadRules(const model::PushdownSystem& system, std::uint32_t thread,
                         const std::vector<model::Region>& initial) {
  std::set<model::StackSymbol> symbols;
  for (const model::Region& region : initial)
    if (const auto* bound = region.find(model::Counter(thread)))
      if (const auto symbol = symbol_of(bound->lower)) symbols.insert(*symbol);
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

std::optional<Symbol> ThreadRules::symbol_of_top(const base::Integer& value) const {
  if (value == 0) return bottom();
  const auto wanted = base::to_uint32(value - 1);
  if (!wanted || !std::ranges::binary_search(names_, model::StackSymbol(*wanted)))
    return std::nullopt;
  return number(model::StackSymbol(*wanted));
}

std::span<const Rule> ThreadRules::rules_for(Shared from, Symbol top) const {
  const auto it = heads_.find(head(from, top));
  if (it == heads_.end()) return {};
  return std::span(rules_).subspan(it->second.first, it->second.second - it->second.first);
}

}  // namespace heddle::engine::pushdown
