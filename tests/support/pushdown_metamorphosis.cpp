#include <algorithm>

#include "support/metamorphosis.hpp"

namespace heddle::test {

namespace {

using model::Counter;
using model::PushdownRule;
using model::PushdownSystem;
using model::Region;
using model::SharedState;
using model::StackSymbol;
using model::Task;

/// The task with the system edited by `edit`.
template <class Edit>
Task edited_system(const Task& task, Edit edit) {
  Task out = task;
  edit(std::get<PushdownSystem>(out.model), out.question);
  return out;
}

template <class Visit>
void for_each_region(model::Question& question, Visit visit) {
  for (Region& region : question.initial) visit(region);
  for (Region& region : question.targets) visit(region);
}

Task rename_states_and_symbols(const Task& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::Question& question) {
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
    for_each_region(question, [&](Region& region) {
      region.shared = SharedState(shared[region.shared.value]);
      for (model::CounterBound& bound : region.bounds) {
        if (bound.lower == 0) continue;  // the empty stack
        const auto symbol = base::to_int64(bound.lower - 1).value();
        bound.lower = symbols[bound.counter.index()][static_cast<std::size_t>(symbol)] + 1;
        bound.upper = bound.lower;
      }
    });
  });
}

Task permute_rules(const Task& task, Random& random) {
  return edited_system(
      task, [&](PushdownSystem& system, model::Question&) { shuffle(system.transitions, random); });
}

Task duplicate_rules(const Task& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::Question&) {
    const auto before = system.transitions;
    for (const PushdownRule& rule : before)
      if (random.one_in(2)) system.transitions.push_back(rule);
  });
}

/// Who steps first in a round is a matter of the order: it does not count without a bound only.
Task permute_stacks(const Task& task, Random& random) {
  if (task.question.contexts) return task;
  return edited_system(task, [&](PushdownSystem& system, model::Question& question) {
    const auto place = random_permutation(system.threads.size(), random);
    const auto before = system.threads;
    for (std::size_t i = 0; i < before.size(); ++i) system.threads[place[i]] = before[i];
    for (PushdownRule& rule : system.transitions) rule.thread = place[rule.thread];
    for_each_region(question, [&](Region& region) {
      for (model::CounterBound& bound : region.bounds)
        bound.counter = Counter(place[bound.counter.index()]);
      std::ranges::sort(region.bounds, {}, &model::CounterBound::counter);
    });
  });
}

/// Rules that start in a shared state to which none leads.
Task add_unreachable_rules(const Task& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::Question& question) {
    const SharedState unreachable(system.shared_count++);
    for (const Region& target : question.targets) {
      const auto thread = random.below(static_cast<unsigned>(system.threads.size()));
      system.transitions.push_back(
          {thread, unreachable, StackSymbol(0U), target.shared, {StackSymbol(0U)}, 0});
    }
  });
}

/// By way of a shared state of its own, in which no other thread can step.
Task split_a_rule(const Task& task, Random& random) {
  return edited_system(task, [&](PushdownSystem& system, model::Question&) {
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
  return {{"renamed", rename_states_and_symbols},
          {"permuted", permute_rules},
          {"with duplicates", duplicate_rules},
          {"with permuted threads", permute_stacks},
          {"with unreachable rules", add_unreachable_rules},
          {"with a rule split in two", split_a_rule}};
}

}  // namespace heddle::test
