#include "support/near_task.hpp"

#include <algorithm>
#include <optional>

#include "model/counting.hpp"
#include "support/program_edits.hpp"
#include "support/random_c.hpp"

namespace heddle::test {

namespace {

using base::Integer;
using model::BooleanProgram;
using model::Counter;
using model::CounterBound;
using model::PetriNet;
using model::PushdownSystem;
using model::Region;
using model::SharedState;
using model::ThreadSystem;

unsigned index_in(std::size_t size, Random& random) {
  return random.below(static_cast<unsigned>(size));
}

template <class T>
T& any_of(std::vector<T>& items, Random& random) {
  return items[index_in(items.size(), random)];
}

void nudge(Integer& value, Random& random) {
  if (value > 0 && random.one_in(2)) {
    value -= 1;
  } else {
    value += 1;
  }
}

// Questions

void nudge_bound(CounterBound& bound, Random& random) {
  const bool exact = bound.upper && *bound.upper == bound.lower;
  nudge(bound.lower, random);
  if (exact || (bound.upper && *bound.upper < bound.lower)) bound.upper = bound.lower;
}

/// Another counter, or one bound more, or one less.
void change_bounds(Region& region, std::size_t counters, Random& random) {
  const Counter other(index_in(counters, random));
  if (!region.bounds.empty() && random.one_in(3)) {
    region.bounds.erase(region.bounds.begin() + index_in(region.bounds.size(), random));
  } else if (!region.find(other)) {
    CounterBound bound{other, 1, std::nullopt};
    if (!region.bounds.empty() && random.one_in(2)) {
      CounterBound& moved = any_of(region.bounds, random);
      bound = {other, moved.lower, moved.upper};
      moved = bound;
    } else {
      region.bounds.push_back(bound);
    }
    std::ranges::sort(region.bounds, {}, &CounterBound::counter);
  }
}

/// Another constant in one of the inequalities.
void nudge_condition(model::Condition& condition, Random& random) {
  if (condition.kind == model::Condition::Kind::AtLeast)
    condition.least += random.one_in(2) ? 1 : -1;
  else if (!condition.parts.empty())
    nudge_condition(any_of(condition.parts, random), random);
}

void change_region(Region& region, std::size_t shared, std::size_t counters, Random& random) {
  if (!region.condition.is_true() && random.one_in(2))
    return nudge_condition(region.condition, random);
  switch (random.below(3)) {
    case 0: region.shared = SharedState(index_in(shared, random)); break;
    case 1: change_bounds(region, counters, random); break;
    default:
      if (!region.bounds.empty()) nudge_bound(any_of(region.bounds, random), random);
  }
}

template <class Model>
void change_question(model::Task<Model>& task, Random& random) {
  auto& regions = random.one_in(2) ? task.question.initial : task.question.targets;
  if (regions.empty()) return;
  change_region(any_of(regions, random), model::shared_count(task.model),
                model::counter_count(task.model), random);
}

// Thread systems

void change_edge(model::ThreadTransition& edge, const ThreadSystem& system, Random& random) {
  model::ThreadState& end = random.one_in(2) ? edge.source : edge.target;
  switch (random.below(5)) {
    case 0:
    case 1: end.shared = SharedState(random.below(system.shared_count)); break;
    case 2:
    case 3: end.local = Counter(random.below(system.local_count)); break;
    default:
      edge.kind = static_cast<model::StepKind>(random.below(3));
      if (edge.kind != model::StepKind::Move) edge.passive.clear();
  }
}

void change_passive(model::ThreadTransition& edge, const ThreadSystem& system, Random& random) {
  if (edge.kind != model::StepKind::Move) return;
  if (!edge.passive.empty() && random.one_in(2)) {
    edge.passive.erase(edge.passive.begin() + index_in(edge.passive.size(), random));
    return;
  }
  const Counter from(random.below(system.local_count)), to(random.below(system.local_count));
  edge.passive.push_back({from, to});
  std::ranges::sort(edge.passive);
  const auto rest = std::ranges::unique(edge.passive);
  edge.passive.erase(rest.begin(), rest.end());
}

void change_model(model::ThreadTask& task, Random& random) {
  ThreadSystem& system = task.model;
  const unsigned way = random.below(8);
  if (way < 2 || system.transitions.empty()) return change_question(task, random);
  if (way == 2) {
    system.transitions.erase(system.transitions.begin() +
                             index_in(system.transitions.size(), random));
  } else if (way == 3) {
    system.transitions.push_back(any_of(system.transitions, random));
    change_edge(system.transitions.back(), system, random);
  } else if (way == 4) {
    change_passive(any_of(system.transitions, random), system, random);
  } else {
    change_edge(any_of(system.transitions, random), system, random);
  }
}

// Nets

void change_guard(model::PetriTransition& transition, std::size_t places, Random& random) {
  Region guard{{}, transition.guard};
  if (guard.bounds.empty() || random.one_in(3)) {
    change_bounds(guard, places, random);
  } else {
    nudge_bound(any_of(guard.bounds, random), random);
  }
  std::erase_if(guard.bounds, [](const CounterBound& b) { return b.lower == 0 && !b.upper; });
  transition.guard = guard.bounds;
}

void change_update(model::PetriTransition& transition, std::size_t places, Random& random) {
  if (transition.updates.empty()) return change_guard(transition, places, random);
  model::PlaceUpdate& update = any_of(transition.updates, random);
  const unsigned way = random.below(4);
  if (way == 0 && !update.sources.empty()) {
    nudge(any_of(update.sources, random).weight, random);
    std::erase_if(update.sources, [](const model::WeightedPlace& s) { return s.weight == 0; });
  } else if (way == 1) {
    const Counter other(index_in(places, random));
    if (std::ranges::find(update.sources, other, &model::WeightedPlace::place) ==
        update.sources.end())
      update.sources.push_back({other, 1});
    std::ranges::sort(update.sources, {}, &model::WeightedPlace::place);
  } else if (random.one_in(2)) {
    update.constant += 1;
  } else {
    update.constant -= 1;
  }
  std::erase_if(transition.updates, [](const model::PlaceUpdate& u) {
    return (u.is_shift() && u.constant == 0) || (u.sources.empty() && u.constant < 0);
  });
}

void change_model(model::NetTask& task, Random& random) {
  PetriNet& net = task.model;
  const unsigned way = random.below(8);
  if (way < 2 || net.transitions.empty()) return change_question(task, random);
  if (way == 2) {
    net.transitions.erase(net.transitions.begin() + index_in(net.transitions.size(), random));
  } else if (way < 5) {
    change_guard(any_of(net.transitions, random), net.places.size(), random);
  } else {
    change_update(any_of(net.transitions, random), net.places.size(), random);
  }
}

// Pushdown systems

void change_rule(model::PushdownRule& rule, const PushdownSystem& system, Random& random) {
  const auto symbol = [&] {
    return model::StackSymbol(random.below(system.threads[rule.thread].last.value + 1));
  };
  switch (random.below(5)) {
    case 0: rule.from = SharedState(random.below(system.shared_count)); break;
    case 1: rule.to = SharedState(random.below(system.shared_count)); break;
    case 2: rule.top = symbol(); break;
    case 3:
      if (!rule.pushed.empty()) any_of(rule.pushed, random) = symbol();
      break;
    default:
      if (rule.pushed.size() == (rule.top ? 2U : 1U) || random.one_in(2)) {
        if (!rule.pushed.empty()) rule.pushed.pop_back();
      } else {
        rule.pushed.push_back(symbol());
      }
  }
}

/// The top of a thread's stack, in an initial or a target region.
void change_tops(model::PushdownTask& task, const PushdownSystem& system, Random& random) {
  const bool initial = random.one_in(2);
  model::VisibleState& region =
      any_of(initial ? task.question.initial : task.question.targets, random);
  if (random.one_in(3)) {
    region.shared = SharedState(random.below(system.shared_count));
    return;
  }
  const unsigned thread = index_in(system.threads.size(), random);
  std::erase_if(region.tops, [&](const model::ThreadTop& at) { return at.thread == thread; });
  const unsigned top = random.below(system.threads[thread].last.value + 2);
  if (top == 0 && (initial || random.one_in(2))) return;
  region.tops.push_back(
      {thread, top == 0 ? std::nullopt : std::optional(model::StackSymbol(top - 1))});
  std::ranges::sort(region.tops);
}

template <class Model>
void change_contexts(model::Task<Model>& task, Random& random) {
  if (task.question.contexts)
    *task.question.contexts += random.one_in(2) || *task.question.contexts == 1 ? 1U : -1U;
}

void change_model(model::PushdownTask& task, Random& random) {
  PushdownSystem& system = task.model;
  const unsigned way = random.below(10);
  if (way == 0) return change_contexts(task, random);
  if (way < 3 || system.transitions.empty()) return change_tops(task, system, random);
  if (way == 3) {
    system.transitions.erase(system.transitions.begin() +
                             index_in(system.transitions.size(), random));
  } else if (way == 4) {
    system.transitions.push_back(any_of(system.transitions, random));
    change_rule(system.transitions.back(), system, random);
  } else {
    change_rule(any_of(system.transitions, random), system, random);
  }
}

// Boolean programs

using model::boolean::Declaration;
using model::boolean::Expression;
using model::boolean::Operator;
using model::boolean::Procedure;
using model::boolean::Statement;
using model::boolean::StatementKind;

void change_leaf(Expression& expression, const BooleanProgram& program, Random& random) {
  switch (random.below(4)) {
    case 0: expression = {Operator::False, {}, {}, {}}; break;
    case 1: expression = {Operator::True, {}, {}, {}}; break;
    case 2: expression = {Operator::Choice, {}, {}, {}}; break;
    default:
      if (program.globals.empty()) return;
      expression = {Operator::Variable,
                    program.globals[index_in(program.globals.size(), random)].name,
                    {},
                    {}};
  }
}

void change_expression(BooleanProgram& program, Random& random) {
  std::vector<Expression*> all;
  for_each_expression(program, [&](Expression& expression) { all.push_back(&expression); });
  if (all.empty()) return;
  Expression& chosen = *any_of(all, random);
  const bool binary = chosen.operands.size() == 2;
  if (binary && chosen.op != Operator::Schoose && random.one_in(2)) {
    static constexpr Operator kOperators[] = {Operator::And, Operator::Or, Operator::Xor,
                                              Operator::Equal, Operator::Implies};
    chosen.op = kOperators[random.below(5)];
  } else if (random.one_in(2)) {
    Expression inner = chosen;
    chosen = {Operator::Not, {}, {std::move(inner)}, {}};
  } else {
    change_leaf(chosen, program, random);
  }
}

void drop_statement(Block& block, std::size_t at) {
  Statement skip;
  skip.labels = block[at].labels;
  if (skip.labels.empty()) {
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
  } else {
    block[at] = std::move(skip);
  }
}

void repeat_statement(Block& block, std::size_t at) {
  Statement copy = block[at];
  copy.labels.clear();
  for (Block& inner : copy.blocks)
    for (Statement& statement : inner) statement.labels.clear();
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), std::move(copy));
}

void wrap_or_unwrap(Block& block, std::size_t at) {
  if (block[at].kind == StatementKind::Atomic && block[at].labels.empty()) {
    Block inner = std::move(block[at].blocks.front());
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), inner.begin(), inner.end());
    return;
  }
  Statement atomic;
  atomic.kind = StatementKind::Atomic;
  std::swap(atomic.labels, block[at].labels);
  atomic.blocks = {{std::move(block[at])}};
  block[at] = std::move(atomic);
}

void change_statement(BooleanProgram& program, Random& random) {
  std::vector<std::pair<Block*, std::size_t>> all;
  for_each_block(program, [&](Block& block, Procedure&) {
    for (std::size_t i = 0; i < block.size(); ++i) all.emplace_back(&block, i);
  });
  if (all.empty()) return;
  const auto [block, at] = any_of(all, random);
  Statement& chosen = (*block)[at];
  const bool claims = chosen.kind == StatementKind::Assert || chosen.kind == StatementKind::Assume;
  if (claims && random.one_in(2)) {
    chosen.kind =
        chosen.kind == StatementKind::Assert ? StatementKind::Assume : StatementKind::Assert;
    return;
  }
  switch (random.below(5)) {
    case 0: return drop_statement(*block, at);
    case 1: return repeat_statement(*block, at);
    case 2:
      if (at > 0) std::swap((*block)[at - 1], chosen);
      return;
    case 3:  // what a program does stays the same, and another place is a failure
      chosen.labels.emplace_back(model::boolean::kErrorLabel);
      return;
    default: return wrap_or_unwrap(*block, at);
  }
}

void change_first_value(BooleanProgram& program, Random& random) {
  std::vector<Declaration*> all;
  for (Declaration& declaration : program.globals) all.push_back(&declaration);
  for (Procedure& procedure : program.procedures)
    for (Declaration& declaration : procedure.locals) all.push_back(&declaration);
  if (all.empty()) return;
  std::optional<bool>& initial = any_of(all, random)->initial;
  initial = initial == false ? std::optional(true) : initial ? std::nullopt : std::optional(false);
}

/// One thread in main, any number, or two: of programs that do not list their threads.
void change_threads(model::ProgramTask& task, Random& random) {
  model::ThreadsInMain& threads = task.question.initial.front();
  const bool any = !threads.most;
  threads.most = any ? std::optional(Integer(random.between(1, 2))) : std::nullopt;
  threads.least = any ? *threads.most : Integer(1);
}

void change_model(model::ProgramTask& task, Random& random) {
  BooleanProgram& program = task.model;
  const unsigned way = random.below(12);
  if (way == 0) return change_contexts(task, random);
  if (way == 1 && !task.question.contexts && program.find("main"))
    return change_threads(task, random);
  BooleanProgram edited = program;
  if (way < 4) {
    change_first_value(edited, random);
  } else if (way < 8) {
    change_expression(edited, random);
  } else {
    change_statement(edited, random);
  }
  if (auto read = reread(edited)) program = std::move(*read);
}

}  // namespace

model::AnyTask near_task(const model::AnyTask& task, Random& random) {
  model::AnyTask out = task;
  std::visit([&](auto& typed) { change_model(typed, random); }, out);
  return out;
}

}  // namespace heddle::test
