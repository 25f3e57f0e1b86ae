#include "model/pushdown_system.hpp"

#include <algorithm>
#include <ranges>

namespace heddle::model {

namespace {

std::string symbol_text(const std::optional<StackSymbol>& symbol) {
  return symbol ? std::to_string(symbol->value) : "-";
}

/// Symbols of a stack that are written; of a deep one, how many there are below them. A run of n
/// pushes is then told in n lines of limited length.
constexpr std::size_t kSymbolsShown = 24;

std::string stack_text(const Stack& stack) {
  std::string out;
  for (const StackSymbol symbol : stack | std::views::reverse | std::views::take(kSymbolsShown))
    out += (out.empty() ? "" : ".") + std::to_string(symbol.value);
  if (stack.size() > kSymbolsShown)
    out += ".… (" + std::to_string(stack.size() - kSymbolsShown) + " more)";
  return out.empty() ? "-" : out;
}

}  // namespace

const ThreadTop* VisibleState::find(std::size_t thread) const {
  const auto it = std::ranges::lower_bound(tops, thread, {}, &ThreadTop::thread);
  return it != tops.end() && it->thread == thread ? &*it : nullptr;
}

Top top_of(const Stack& stack) {
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

std::optional<PushdownConfiguration> initial_configuration(const PushdownSystem& system,
                                                           const VisibleState& initial) {
  PushdownConfiguration out{initial.shared, std::vector<Stack>(system.threads.size())};
  for (const auto& [thread, top] : initial.tops) {
    if (thread >= out.stacks.size()) return std::nullopt;
    if (top) out.stacks[thread] = {*top};
  }
  return out;
}

bool same_initial_state(const VisibleState& a, const VisibleState& b) {
  const auto listed_in = [](const VisibleState& other) {
    return [&other](const ThreadTop& at) {
      const ThreadTop* found = other.find(at.thread);
      return found ? found->top == at.top : !at.top;
    };
  };
  return a.shared == b.shared && std::ranges::all_of(a.tops, listed_in(b)) &&
         std::ranges::all_of(b.tops, listed_in(a));
}

bool meets(const VisibleState& target, const PushdownConfiguration& configuration) {
  return target.shared == configuration.shared &&
         std::ranges::all_of(target.tops, [&](const ThreadTop& at) {
           return at.thread < configuration.stacks.size() &&
                  top_of(configuration.stacks[at.thread]) == at.top;
         });
}

std::string to_string(const PushdownRule& rule) {
  std::string out = std::to_string(rule.from.value) + " " + symbol_text(rule.top) + " -> " +
                    std::to_string(rule.to.value);
  for (const StackSymbol symbol : rule.pushed) out += " " + std::to_string(symbol.value);
  return rule.pushed.empty() ? out + " -" : out;
}

std::string initial_to_string(const PushdownSystem& system, const VisibleState& state) {
  std::string out;
  for (std::size_t i = 0; i < system.threads.size(); ++i) {
    const ThreadTop* at = state.find(i);
    out += (i == 0 ? "" : ",") + symbol_text(at ? at->top : Top());
  }
  return std::to_string(state.shared.value) + "|" + out;
}

std::string target_to_string(const PushdownSystem& system, const VisibleState& target) {
  std::string out;
  for (std::size_t i = 0; i < system.threads.size(); ++i) {
    const ThreadTop* at = target.find(i);
    out += (i == 0 ? "" : ",") + (at ? symbol_text(at->top) : "*");
  }
  return std::to_string(target.shared.value) + "|" + out;
}

std::string to_string(const PushdownConfiguration& configuration) {
  std::string out;
  for (const Stack& stack : configuration.stacks)
    out += (out.empty() ? "" : ",") + stack_text(stack);
  return std::to_string(configuration.shared.value) + "|" + out;
}

}  // namespace heddle::model
