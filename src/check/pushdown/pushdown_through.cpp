#include "check/pushdown/pushdown_through.hpp"

#include <algorithm>

namespace heddle::check {

namespace {

using model::PushdownRule;
using model::PushdownSystem;
using model::VisibleState;

/// Rule i, from and to shared states with these offsets.
bool stands_for(const PushdownRule& copy, const PushdownRule& rule, std::uint32_t from,
                std::uint32_t to) {
  return copy.thread == rule.thread && copy.top == rule.top && copy.pushed == rule.pushed &&
         copy.line == rule.line && copy.from.value == rule.from.value + from &&
         copy.to.value == rule.to.value + to;
}

}  // namespace

std::optional<std::string> why_not_through(const model::PushdownTask& original,
                                           const model::PushdownTask& through,
                                           const std::set<std::uint32_t>& lines) {
  const PushdownSystem& system = original.model;
  const PushdownSystem& copies = through.model;
  const std::uint32_t states = system.shared_count;
  if (copies.shared_count != 2 * states || copies.threads != system.threads ||
      copies.transitions.size() != 2 * system.transitions.size())
    return "there are not two copies of the system";
  for (std::size_t i = 0; i < system.transitions.size(); ++i) {
    const PushdownRule& rule = system.transitions[i];
    const std::uint32_t crossing = lines.contains(rule.line) ? states : 0;
    if (!stands_for(copies.transitions[2 * i], rule, 0, crossing) ||
        !stands_for(copies.transitions[2 * i + 1], rule, states, states))
      return "the copies of rule " + std::to_string(i) + " do something else";
  }
  const auto behind = [&](VisibleState target, const VisibleState& copy) {
    target.shared.value += states;
    return target == copy;
  };
  if (original.question.initial != through.question.initial ||
      original.question.contexts != through.question.contexts ||
      !std::ranges::equal(original.question.targets, through.question.targets, behind))
    return "the evidence answers another question";
  return std::nullopt;
}

}  // namespace heddle::check
