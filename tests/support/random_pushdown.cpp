#include "support/random_pushdown.hpp"

#include <optional>

namespace heddle::test {

namespace {

using model::PushdownRule;
using model::SharedState;
using model::StackSymbol;

PushdownRule random_rule(Random& random, std::uint32_t thread, unsigned shared, unsigned symbols) {
  const auto symbol = [&] { return StackSymbol(random.below(symbols)); };
  PushdownRule rule;
  rule.thread = thread;
  rule.from = SharedState(random.below(shared));
  rule.to = SharedState(random.below(shared));
  if (!random.one_in(8)) rule.top = symbol();
  for (unsigned n = random.below(rule.top ? 3 : 2); n > 0; --n) rule.pushed.push_back(symbol());
  return rule;
}

}  // namespace

model::PushdownTask random_pushdown(Random& random, unsigned most_threads) {
  const unsigned shared = random.between(1, 3);
  const unsigned symbols = random.between(1, 3);
  model::PushdownSystem system;
  system.shared_count = shared;
  model::VisibleState initial{SharedState(random.below(shared)), {}};
  model::VisibleState target{SharedState(random.below(shared)), {}};
  const unsigned threads = random.between(1, most_threads);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    system.threads.push_back({StackSymbol(0U), StackSymbol(symbols - 1)});
    for (unsigned n = random.between(1, 5); n > 0; --n)
      system.transitions.push_back(random_rule(random, thread, shared, symbols));
    if (!random.one_in(8)) initial.tops.push_back({thread, StackSymbol(random.below(symbols))});
    if (random.one_in(3)) continue;
    const bool empty = random.one_in(4);
    target.tops.push_back(
        {thread, empty ? std::nullopt : std::optional(StackSymbol(random.below(symbols)))});
  }
  return {std::move(system), {{initial}, {target}}};
}

std::vector<PushdownRule> all_tiny_rules(std::uint32_t thread) {
  std::vector<PushdownRule> rules;
  const StackSymbol a(0U);
  for (std::uint32_t from = 0; from < 2; ++from)
    for (std::uint32_t to = 0; to < 2; ++to)
      for (const bool on_empty : {false, true})
        for (std::size_t pushed = 0; pushed < (on_empty ? 2U : 3U); ++pushed) {
          PushdownRule rule;
          rule.thread = thread;
          rule.from = SharedState(from);
          rule.to = SharedState(to);
          if (!on_empty) rule.top = a;
          rule.pushed.assign(pushed, a);
          rules.push_back(std::move(rule));
        }
  return rules;
}

std::string pushdown_text(const model::PushdownTask& task) {
  const auto& system = task.model;
  std::string out =
      "# initial " + model::initial_to_string(task.model, task.question.initial.front()) + "\n";
  for (const model::VisibleState& target : task.question.targets)
    out += "# target " + model::target_to_string(task.model, target) + "\n";
  out += std::to_string(system.shared_count) + "\n";
  for (std::size_t i = 0; i < system.threads.size(); ++i) {
    out += "PDA 0 " + std::to_string(system.threads[i].last.value) + "\n";
    for (const PushdownRule& rule : system.transitions)
      if (rule.thread == i) out += model::to_string(rule) + "\n";
  }
  return out;
}

}  // namespace heddle::test
