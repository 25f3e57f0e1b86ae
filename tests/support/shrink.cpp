#include "support/shrink.hpp"

#include <algorithm>

#include "frontend/boolean_program/format.hpp"
#include "frontend/petri/spec.hpp"
#include "frontend/thread_system/format.hpp"
#include "model/c/print.hpp"
#include "support/program_edits.hpp"
#include "support/random_pushdown.hpp"

namespace heddle::test {

namespace {

using model::BooleanProgram;
using model::CounterBound;
using model::PetriNet;
using model::PushdownSystem;
using model::Region;
using model::ThreadSystem;

template <class Model>
using SmallerOf = std::vector<model::Task<Model>>;

/// One task per element of a vector inside the task: the same without that element.
/// `vector_of` maps a task to that vector.
template <class Model, class VectorOf>
void drop_each(const model::Task<Model>& task, VectorOf vector_of, std::size_t least,
               SmallerOf<Model>& out) {
  model::Task<Model> original = task;
  const std::size_t size = vector_of(original).size();
  for (std::size_t i = 0; i < size && size > least; ++i) {
    model::Task<Model> smaller = task;
    auto& elements = vector_of(smaller);
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(std::move(smaller));
  }
}

/// One less of each lower bound, a closed upper bound with it, and no slack between the two.
template <class Model, class BoundsOf>
void lower_each(const model::Task<Model>& task, BoundsOf bounds_of, SmallerOf<Model>& out) {
  model::Task<Model> original = task;
  for (std::size_t i = 0; i < bounds_of(original).size(); ++i) {
    const CounterBound bound = bounds_of(original)[i];
    if (bound.upper && *bound.upper > bound.lower) {
      out.push_back(task);
      *bounds_of(out.back())[i].upper -= 1;
    }
    if (bound.lower > 0) {
      out.push_back(task);
      CounterBound& lowered = bounds_of(out.back())[i];
      lowered.lower -= 1;
      if (lowered.upper) *lowered.upper -= 1;
    }
  }
}

/// One part less, or a part in place of the whole.
template <class Model, class ConditionOf>
void shrink_condition(const model::Task<Model>& task, ConditionOf condition_of,
                      SmallerOf<Model>& out) {
  model::Task<Model> original = task;
  const auto parts = [&](model::Task<Model>& t) -> auto& { return condition_of(t).parts; };
  drop_each(task, parts, 0, out);
  for (const model::Condition& part : parts(original)) {
    out.push_back(task);
    condition_of(out.back()) = part;
  }
}

template <class Model>
void shrink_regions(const model::Task<Model>& task,
                    std::vector<Region> model::CountingQuestion::* regions, SmallerOf<Model>& out) {
  using Typed = model::Task<Model>;
  drop_each(task, [&](Typed& t) -> auto& { return t.question.*regions; }, 1, out);
  for (std::size_t i = 0; i < (task.question.*regions).size(); ++i) {
    const auto bounds = [&](Typed& t) -> auto& { return (t.question.*regions)[i].bounds; };
    drop_each(task, bounds, 0, out);
    lower_each(task, bounds, out);
    shrink_condition(
        task, [&](Typed& t) -> auto& { return (t.question.*regions)[i].condition; }, out);
  }
}

template <class Model>
void shrink_contexts(const model::Task<Model>& task, SmallerOf<Model>& out) {
  if (!task.question.contexts || *task.question.contexts == 1) return;
  out.push_back(task);
  *out.back().question.contexts -= 1;
}

template <class Model>
void shrink_question(const model::Task<Model>& task, SmallerOf<Model>& out) {
  shrink_regions(task, &model::CountingQuestion::initial, out);
  shrink_regions(task, &model::CountingQuestion::targets, out);
  shrink_contexts(task, out);
}

/// Fewer alternatives, fewer tops that are listed, and smaller symbols.
void shrink_states(const model::PushdownTask& task,
                   std::vector<model::VisibleState> model::PushdownQuestion::* states,
                   SmallerOf<PushdownSystem>& out) {
  using Typed = model::PushdownTask;
  drop_each(task, [&](Typed& t) -> auto& { return t.question.*states; }, 1, out);
  for (std::size_t i = 0; i < (task.question.*states).size(); ++i) {
    const auto tops = [&](Typed& t) -> auto& { return (t.question.*states)[i].tops; };
    drop_each(task, tops, 0, out);
    for (std::size_t t = 0; t < (task.question.*states)[i].tops.size(); ++t) {
      const model::Top top = (task.question.*states)[i].tops[t].top;
      if (!top) continue;
      out.push_back(task);
      tops(out.back())[t].top =
          top->value == 0 ? model::Top() : model::Top(model::StackSymbol(top->value - 1));
    }
  }
}

void shrink_question(const model::PushdownTask& task, SmallerOf<PushdownSystem>& out) {
  shrink_states(task, &model::PushdownQuestion::initial, out);
  shrink_states(task, &model::PushdownQuestion::targets, out);
  shrink_contexts(task, out);
}

bool mentions_last_local(const model::ThreadTask& task) {
  const ThreadSystem& system = task.model;
  const model::Counter last(system.local_count - 1);
  const auto in_region = [&](const Region& region) { return region.find(last) != nullptr; };
  const auto in_edge = [&](const model::ThreadTransition& t) {
    return t.source.local == last || t.target.local == last ||
           std::ranges::any_of(t.passive,
                               [&](const auto& p) { return p.from == last || p.to == last; });
  };
  return std::ranges::any_of(system.transitions, in_edge) ||
         std::ranges::any_of(task.question.initial, in_region) ||
         std::ranges::any_of(task.question.targets, in_region);
}

bool mentions_last_shared(const model::ThreadTask& task) {
  const ThreadSystem& system = task.model;
  const model::SharedState last(system.shared_count - 1);
  const auto in_region = [&](const Region& region) { return region.shared == last; };
  const auto in_edge = [&](const model::ThreadTransition& t) {
    return t.source.shared == last || t.target.shared == last;
  };
  return std::ranges::any_of(system.transitions, in_edge) ||
         std::ranges::any_of(task.question.initial, in_region) ||
         std::ranges::any_of(task.question.targets, in_region);
}

void shrink_model(const model::ThreadTask& task, SmallerOf<ThreadSystem>& out) {
  const ThreadSystem& original = task.model;
  const auto system = [](model::ThreadTask& t) -> auto& { return t.model; };
  drop_each(task, [&](model::ThreadTask& t) -> auto& { return system(t).transitions; }, 0, out);
  for (std::size_t i = 0; i < original.transitions.size(); ++i)
    drop_each(
        task, [&](model::ThreadTask& t) -> auto& { return system(t).transitions[i].passive; }, 0,
        out);
  if (original.local_count > 1 && !mentions_last_local(task)) {
    out.push_back(task);
    system(out.back()).local_count -= 1;
  }
  if (original.shared_count > 1 && !mentions_last_shared(task)) {
    out.push_back(task);
    system(out.back()).shared_count -= 1;
  }
  shrink_question(task, out);
}

void shrink_model(const model::NetTask& task, SmallerOf<PetriNet>& out) {
  const PetriNet& original = task.model;
  const auto net = [](model::NetTask& t) -> auto& { return t.model; };
  drop_each(task, [&](model::NetTask& t) -> auto& { return net(t).transitions; }, 0, out);
  drop_each(task, [&](model::NetTask& t) -> auto& { return net(t).claimed_invariants; }, 0, out);
  for (std::size_t i = 0; i < original.transitions.size(); ++i) {
    const auto guard = [&](model::NetTask& t) -> auto& { return net(t).transitions[i].guard; };
    const auto updates = [&](model::NetTask& t) -> auto& { return net(t).transitions[i].updates; };
    drop_each(task, guard, 0, out);
    drop_each(task, updates, 0, out);
    for (std::size_t u = 0; u < original.transitions[i].updates.size(); ++u)
      drop_each(task, [&](model::NetTask& t) -> auto& { return updates(t)[u].sources; }, 0, out);
  }
  shrink_question(task, out);
}

/// A thread less: one that main does not create is not there.
void shrink_model(const model::CTask& task, SmallerOf<model::CProgram>& out) {
  auto& code = task.model.functions[task.model.entry.index()].code;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto* sync = std::get_if<model::c::Synchronise>(&code[i].effect);
    if (!sync || sync->operation != model::c::SyncOperation::CreateThread) continue;
    model::CTask smaller = task;
    smaller.model.functions[task.model.entry.index()].code[i].effect =
        model::c::Synchronise{model::c::SyncOperation::Fence, {}, {}};
    out.push_back(std::move(smaller));
  }
}

void shrink_model(const model::PushdownTask& task, SmallerOf<PushdownSystem>& out) {
  const PushdownSystem& original = task.model;
  const auto rules = [](model::PushdownTask& t) -> auto& { return t.model.transitions; };
  drop_each(task, rules, 0, out);
  for (std::size_t i = 0; i < original.transitions.size(); ++i)
    drop_each(task, [&](model::PushdownTask& t) -> auto& { return rules(t)[i].pushed; }, 0, out);
  shrink_question(task, out);
}

using model::boolean::Expression;
using model::boolean::Operator;
using model::boolean::Procedure;
using model::boolean::Statement;

/// Candidates are kept if they are still programs.
using Smaller = SmallerOf<BooleanProgram>;
void keep_program(const model::ProgramTask& task, const BooleanProgram& edited, Smaller& out) {
  if (edited == task.model) return;
  if (auto read = reread(edited)) out.push_back({std::move(*read), task.question});
}

/// The statement gives way to what is inside of it; its labels stay.
void dissolve(Block& block, std::size_t at) {
  Block inside;
  for (Block& inner : block[at].blocks) std::ranges::move(inner, std::back_inserter(inside));
  Statement label;
  label.labels = block[at].labels;
  if (!label.labels.empty()) inside.insert(inside.begin(), std::move(label));
  block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), inside.begin(), inside.end());
}

void shrink_statements(const model::ProgramTask& task, const BooleanProgram& original,
                       Smaller& out) {
  std::size_t blocks = 0;
  BooleanProgram counted = original;
  for_each_block(counted, [&](Block&, Procedure&) { ++blocks; });
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t at = 0, size = 1; at < size; ++at) {
      BooleanProgram edited = original;
      std::vector<Block*> all;
      for_each_block(edited, [&](Block& block, Procedure&) { all.push_back(&block); });
      size = all[b]->size();
      if (at >= size) break;
      dissolve(*all[b], at);
      keep_program(task, edited, out);
    }
  }
}

void shrink_expressions(const model::ProgramTask& task, const BooleanProgram& original,
                        Smaller& out) {
  std::size_t count = 0;
  BooleanProgram counted = original;
  for_each_expression(counted, [&](Expression&) { ++count; });
  for (std::size_t i = 0; i < count; ++i) {
    const auto replace = [&](auto make) {
      BooleanProgram edited = original;
      std::size_t at = 0;
      Expression* chosen = nullptr;
      for_each_expression(edited, [&](Expression& e) {
        if (at++ == i) chosen = &e;
      });
      if (chosen->operands.empty()) return;
      *chosen = make(*chosen);
      keep_program(task, edited, out);
    };
    replace([](const Expression& e) { return Expression(e.operands.front()); });
    replace([](const Expression& e) { return Expression(e.operands.back()); });
    replace([](const Expression&) { return Expression{Operator::True, {}, {}, {}}; });
    replace([](const Expression&) { return Expression{Operator::False, {}, {}, {}}; });
  }
}

void shrink_model(const model::ProgramTask& task, Smaller& out) {
  const BooleanProgram& original = task.model;
  for (std::size_t i = 0; i < original.procedures.size(); ++i) {
    BooleanProgram edited = original;
    edited.procedures.erase(edited.procedures.begin() + static_cast<std::ptrdiff_t>(i));
    keep_program(task, edited, out);
    for (std::size_t j = 0; j < original.procedures[i].locals.size(); ++j) {
      edited = original;
      auto& locals = edited.procedures[i].locals;
      locals.erase(locals.begin() + static_cast<std::ptrdiff_t>(j));
      keep_program(task, edited, out);
    }
  }
  for (std::size_t i = 0; i < original.globals.size(); ++i) {
    BooleanProgram edited = original;
    edited.globals.erase(edited.globals.begin() + static_cast<std::ptrdiff_t>(i));
    keep_program(task, edited, out);
  }
  shrink_statements(task, original, out);
  shrink_expressions(task, original, out);
  shrink_contexts(task, out);
}

/// The models hold no update that changes nothing and none that can never succeed.
bool well_formed(const model::ThreadTask&) { return true; }
bool well_formed(const model::ProgramTask&) { return true; }
bool well_formed(const model::PushdownTask&) { return true; }
bool well_formed(const model::CTask&) { return true; }
bool well_formed(const model::NetTask& task) {
  const auto odd = [](const model::PlaceUpdate& update) {
    return (update.is_shift() && update.constant == 0) ||
           (update.sources.empty() && update.constant < 0);
  };
  return std::ranges::none_of(task.model.transitions, [&](const model::PetriTransition& t) {
    return std::ranges::any_of(t.updates, odd);
  });
}

template <class Model>
std::string regions_text(const model::Task<Model>& task) {
  std::string out;
  for (const auto& initial : task.question.initial)
    out += "# initial " + initial_to_string(task.model, initial) + "\n";
  for (const auto& target : task.question.targets)
    out += "# target " + target_to_string(task.model, target) + "\n";
  return out;
}

std::string text_of(const model::ThreadTask& task) {
  return frontend::thread_system::print({task.model, {}, {}, {}}) + regions_text(task);
}

std::string text_of(const model::NetTask& task) {
  frontend::NetFile file{task.model, {}, task.question.targets, {}};
  const auto has_condition = [](const Region& target) { return !target.condition.is_true(); };
  if (std::ranges::any_of(file.targets, has_condition)) file.targets.clear();
  if (task.question.initial.size() == 1) file.initial = task.question.initial;
  return frontend::petri::print_spec(file) + regions_text(task);
}

std::string text_of(const model::ProgramTask& task) {
  return frontend::boolean_program::print({task.model, {}, {}, {}}) + regions_text(task);
}

std::string text_of(const model::PushdownTask& task) { return pushdown_text(task); }

std::string text_of(const model::CTask& task) {
  return model::c::print(task.model) + regions_text(task);
}

}  // namespace

std::vector<model::AnyTask> one_thing_less(const model::AnyTask& any) {
  return std::visit(
      []<class Model>(const model::Task<Model>& task) {
        SmallerOf<Model> smaller;
        shrink_model(task, smaller);
        std::erase_if(smaller, [](const auto& candidate) { return !well_formed(candidate); });
        return std::vector<model::AnyTask>(smaller.begin(), smaller.end());
      },
      any);
}

model::AnyTask shrink(model::AnyTask task,
                      const std::function<bool(const model::AnyTask&)>& still_fails) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (model::AnyTask& smaller : one_thing_less(task)) {
      if (!still_fails(smaller)) continue;
      task = std::move(smaller);
      shrunk = true;
      break;
    }
  }
  return task;
}

std::string task_text(const model::AnyTask& any) {
  const auto& contexts = model::contexts_of(any);
  return std::visit([](const auto& task) { return text_of(task); }, any) +
         (contexts ? "# contexts " + std::to_string(*contexts) + "\n" : std::string());
}

}  // namespace heddle::test
