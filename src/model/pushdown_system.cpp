#include "model/pushdown_system.hpp"

#include <algorithm>
#include <ranges>

namespace heddle::model {

namespace {

std::string symbol_text(const std::optional<StackSymbol>& symbol) {
  return symbol ? std::to_string(symbol->value) : "-";
}

std::string stack_text(const Stack& stack) {
  std::string out;
  for (const StackSymbol symbol : stack | std::views::reverse)
    out += (out.empty() ? "" : ".") + std::to_string(symbol.value);
  return out.empty() ? "-" : out;
}

}  // namespace

base::Integer top_value(const std::optional<StackSymbol>& top) {
  return top ? base::Integer(top->value) + 1 : base::Integer(0);
}

std::optional<StackSymbol> top_of(const Stack& stack) {
  return stack.empty() ? std::nullopt : std::optional(stack.back());
}

std::expected<PushdownConfiguration, std::string> step(const PushdownSystem& system,
                                                       const PushdownConfiguration& before,
                                                       TransitionId id) {
  if (id.index() >= system.transitions.size()) return std::unexpected("there is no such rule");
  const PushdownRule& rule = system.transitions[id.index()];
  if (before.shared != rule.from)
    return std::unexpected("the shared state is " + std::to_string(before.shared.value));
  if (rule.thread >= before.stacks.size()) return std::unexpected("there is no such thread");
  const std::optional<StackSymbol> top = top_of(before.stacks[rule.thread]);
  if (top != rule.top)
    return std::unexpected(top ? symbol_text(top) + " is on top of the stack"
                               : "the stack is empty");
  PushdownConfiguration after = before;
  after.shared = rule.to;
  Stack& stack = after.stacks[rule.thread];
  if (rule.top) stack.pop_back();
  stack.insert(stack.end(), rule.pushed.rbegin(), rule.pushed.rend());
  return after;
}

std::optional<PushdownConfiguration> with_tops(const PushdownSystem& system,
                                               const Configuration& tops) {
  PushdownConfiguration out{tops.shared, std::vector<Stack>(system.threads.size())};
  for (const auto& [thread, value] : tops.counts.entries()) {
    const auto symbol = base::to_uint32(value - 1);
    if (thread.index() >= out.stacks.size() || !symbol) return std::nullopt;
    out.stacks[thread.index()] = {StackSymbol(*symbol)};
  }
  return out;
}

Configuration visible(const PushdownConfiguration& configuration) {
  Configuration tops{configuration.shared, {}};
  for (std::size_t i = 0; i < configuration.stacks.size(); ++i)
    tops.counts.set(Counter(i), top_value(top_of(configuration.stacks[i])));
  return tops;
}

std::string to_string(const PushdownRule& rule) {
  std::string out = std::to_string(rule.from.value) + " " + symbol_text(rule.top) + " -> " +
                    std::to_string(rule.to.value);
  for (const StackSymbol symbol : rule.pushed) out += " " + std::to_string(symbol.value);
  return rule.pushed.empty() ? out + " -" : out;
}

std::string visible_to_string(const PushdownSystem& system, const Configuration& tops) {
  std::string out;
  for (std::size_t i = 0; i < system.threads.size(); ++i) {
    const base::Integer value = tops.counts[Counter(i)];
    out += (out.empty() ? "" : ",") + (value == 0 ? "-" : base::to_string(value - 1));
  }
  return std::to_string(tops.shared.value) + "|" + out;
}

std::string to_string(const PushdownConfiguration& configuration) {
  std::string out;
  for (const Stack& stack : configuration.stacks)
    out += (out.empty() ? "" : ",") + stack_text(stack);
  return std::to_string(configuration.shared.value) + "|" + out;
}

}  // namespace heddle::model
