#include <algorithm>

#include "support/metamorphosis.hpp"

namespace heddle::test {

namespace {

using model::PushdownRule;
using model::PushdownSystem;
using model::SharedState;
using model::StackSymbol;
using model::VisibleState;

/// The task with the system edited by `edit`.
template <class Edit>
model::PushdownTask edited_system(const model::PushdownTask& task, Edit edit) {
  model::PushdownTask out = task;
  edit(out.model, out.question);
  return out;
}

template <class Visit>
void for_each_region(model::PushdownQuestion& question, Visit visit) {
  for (VisibleState& region : question.initial) visit(region);
  for (VisibleState& region : question.targets) visit(region);
}

model::PushdownTask rename_states_and_symbols(const model::PushdownTask& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::PushdownQuestion& question) {
    const auto shared = random_permutation(system.shared_count, random);
    std::vector<std::vector<unsigned>> symbols;
    for (const auto& thread : system.threads)
      symbols.push_back(random_permutation(thread.last.value + 1, random));
    for (PushdownRule& rule : system.transitions) {
      const auto renamed = [&](StackSymbol s) {
        return StackSymbol(symbols[rule.thread][s.value]);
      };
      rule.from = SharedState(shared[rule.from.value]);
      rule.to = SharedState(shared[rule.to.value]);
      if (rule.top) rule.top = renamed(*rule.top);
      for (StackSymbol& symbol : rule.pushed) symbol = renamed(symbol);
    }
    for_each_region(question, [&](VisibleState& region) {
      region.shared = SharedState(shared[region.shared.value]);
      for (model::ThreadTop& at : region.tops)
        if (at.top) at.top = StackSymbol(symbols[at.thread][at.top->index()]);
    });
  });
}

model::PushdownTask permute_rules(const model::PushdownTask& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::PushdownQuestion&) {
    shuffle(system.transitions, random);
  });
}

model::PushdownTask duplicate_rules(const model::PushdownTask& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::PushdownQuestion&) {
    const auto before = system.transitions;
    for (const PushdownRule& rule : before)
      if (random.one_in(2)) system.transitions.push_back(rule);
  });
}

/// Who steps first in a round is a matter of the order: it does not count without a bound only.
model::PushdownTask permute_stacks(const model::PushdownTask& task, Random& random) {
  if (task.question.contexts) return task;
  return edited_system(task, [&](PushdownSystem& system, model::PushdownQuestion& question) {
    const auto place = random_permutation(system.threads.size(), random);
    const auto before = system.threads;
    for (std::size_t i = 0; i < before.size(); ++i) system.threads[place[i]] = before[i];
    for (PushdownRule& rule : system.transitions) rule.thread = place[rule.thread];
    for_each_region(question, [&](VisibleState& region) {
      for (model::ThreadTop& at : region.tops) at.thread = place[at.thread];
      std::ranges::sort(region.tops);
    });
  });
}

/// Rules that start in a shared state to which none leads.
model::PushdownTask add_unreachable_rules(const model::PushdownTask& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::PushdownQuestion& question) {
    const SharedState unreachable(system.shared_count++);
    for (const VisibleState& target : question.targets) {
      const auto thread = random.below(static_cast<unsigned>(system.threads.size()));
      system.transitions.push_back(
          {thread, unreachable, StackSymbol(0U), target.shared, {StackSymbol(0U)}, 0});
    }
  });
}

/// By way of a shared state of its own, in which no other thread can step.
model::PushdownTask split_a_rule(const model::PushdownTask& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::PushdownQuestion&) {
    if (system.transitions.empty()) return;
    const SharedState middle(system.shared_count++);
    const auto chosen = random.below(static_cast<unsigned>(system.transitions.size()));
    PushdownRule first = system.transitions[chosen];
    first.to = middle;
    first.pushed.clear();
    if (first.top) first.pushed.push_back(*first.top);
    system.transitions[chosen].from = middle;
    system.transitions.push_back(std::move(first));
  });
}

}  // namespace

std::vector<Metamorphosis> pushdown_metamorphoses() {
  return {metamorphosis("renamed", rename_states_and_symbols),
          metamorphosis("permuted", permute_rules),
          metamorphosis("with duplicates", duplicate_rules),
          metamorphosis("with permuted threads", permute_stacks),
          metamorphosis("with unreachable rules", add_unreachable_rules),
          metamorphosis("with a rule split in two", split_a_rule)};
}

}  // namespace heddle::test
