#include "support/shrink.hpp"

#include <algorithm>

#include "frontend/frontend.hpp"
#include "support/program_edits.hpp"
#include "support/random_pushdown.hpp"

namespace heddle::test {

namespace {

using model::BooleanProgram;
using model::CounterBound;
using model::PetriNet;
using model::PushdownSystem;
using model::Region;
using model::Task;
using model::ThreadSystem;

using Smaller = std::vector<Task>;

/// One task per element of a vector inside the task: the same without that element.
/// `vector_of` maps a task to that vector.
template <class VectorOf>
void drop_each(const Task& task, VectorOf vector_of, std::size_t least, Smaller& out) {
  Task original = task;
  const std::size_t size = vector_of(original).size();
  for (std::size_t i = 0; i < size && size > least; ++i) {
    Task smaller = task;
    auto& elements = vector_of(smaller);
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(std::move(smaller));
  }
}

/// One less of each lower bound, a closed upper bound with it, and no slack between the two.
template <class BoundsOf>
void lower_each(const Task& task, BoundsOf bounds_of, Smaller& out) {
  Task original = task;
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

void shrink_regions(const Task& task, std::vector<Region> model::Question::* regions,
                    Smaller& out) {
  drop_each(task, [&](Task& t) -> auto& { return t.question.*regions; }, 1, out);
  for (std::size_t i = 0; i < (task.question.*regions).size(); ++i) {
    const auto bounds = [&](Task& t) -> auto& { return (t.question.*regions)[i].bounds; };
    drop_each(task, bounds, 0, out);
    lower_each(task, bounds, out);
  }
}

void shrink_contexts(const Task& task, Smaller& out) {
  if (!task.question.contexts || *task.question.contexts == 1) return;
  out.push_back(task);
  *out.back().question.contexts -= 1;
}

void shrink_question(const Task& task, Smaller& out) {
  shrink_regions(task, &model::Question::initial, out);
  shrink_regions(task, &model::Question::targets, out);
  shrink_contexts(task, out);
}

bool mentions_last_local(const Task& task) {
  const auto& system = std::get<ThreadSystem>(task.model);
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

bool mentions_last_shared(const Task& task) {
  const auto& system = std::get<ThreadSystem>(task.model);
  const model::SharedState last(system.shared_count - 1);
  const auto in_region = [&](const Region& region) { return region.shared == last; };
  const auto in_edge = [&](const model::ThreadTransition& t) {
    return t.source.shared == last || t.target.shared == last;
  };
  return std::ranges::any_of(system.transitions, in_edge) ||
         std::ranges::any_of(task.question.initial, in_region) ||
         std::ranges::any_of(task.question.targets, in_region);
}

void shrink_model(const Task& task, const ThreadSystem& original, Smaller& out) {
  const auto system = [](Task& t) -> auto& { return std::get<ThreadSystem>(t.model); };
  drop_each(task, [&](Task& t) -> auto& { return system(t).transitions; }, 0, out);
  for (std::size_t i = 0; i < original.transitions.size(); ++i)
    drop_each(task, [&](Task& t) -> auto& { return system(t).transitions[i].passive; }, 0, out);
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

void shrink_model(const Task& task, const PetriNet& original, Smaller& out) {
  const auto net = [](Task& t) -> auto& { return std::get<PetriNet>(t.model); };
  drop_each(task, [&](Task& t) -> auto& { return net(t).transitions; }, 0, out);
  drop_each(task, [&](Task& t) -> auto& { return net(t).claimed_invariants; }, 0, out);
  for (std::size_t i = 0; i < original.transitions.size(); ++i) {
    const auto guard = [&](Task& t) -> auto& { return net(t).transitions[i].guard; };
    const auto updates = [&](Task& t) -> auto& { return net(t).transitions[i].updates; };
    drop_each(task, guard, 0, out);
    drop_each(task, updates, 0, out);
    for (std::size_t u = 0; u < original.transitions[i].updates.size(); ++u)
      drop_each(task, [&](Task& t) -> auto& { return updates(t)[u].sources; }, 0, out);
  }
  shrink_question(task, out);
}

void shrink_model(const Task& task, const PushdownSystem& original, Smaller& out) {
  const auto rules = [](Task& t) -> auto& { return std::get<PushdownSystem>(t.model).transitions; };
  drop_each(task, rules, 0, out);
  for (std::size_t i = 0; i < original.transitions.size(); ++i)
    drop_each(task, [&](Task& t) -> auto& { return rules(t)[i].pushed; }, 0, out);
  shrink_question(task, out);
}

using model::boolean::Expression;
using model::boolean::Operator;
using model::boolean::Procedure;
using model::boolean::Statement;

/// Candidates are kept if they are still programs.
void keep_program(const Task& task, const BooleanProgram& edited, Smaller& out) {
  if (edited == std::get<BooleanProgram>(task.model)) return;
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

void shrink_statements(const Task& task, const BooleanProgram& original, Smaller& out) {
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

void shrink_expressions(const Task& task, const BooleanProgram& original, Smaller& out) {
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

void shrink_model(const Task& task, const BooleanProgram& original, Smaller& out) {
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
bool well_formed(const Task& task) {
  const auto* net = std::get_if<PetriNet>(&task.model);
  const auto odd = [](const model::PlaceUpdate& update) {
    return (update.is_shift() && update.constant == 0) ||
           (update.sources.empty() && update.constant < 0);
  };
  return !net || std::ranges::none_of(net->transitions, [&](const model::PetriTransition& t) {
    return std::ranges::any_of(t.updates, odd);
  });
}

std::string regions_text(const Task& task) {
  std::string out;
  for (const Region& region : task.question.initial)
    out += "# initial " + model::initial_to_string(task.model, region) + "\n";
  for (const Region& region : task.question.targets)
    out += "# target " + model::target_to_string(task.model, region) + "\n";
  return out;
}

std::string text_of(const Task& task, const ThreadSystem&) {
  return frontend::find_format("tts")->print({task.model, {}, {}, {}}) + regions_text(task);
}

std::string text_of(const Task& task, const PetriNet&) {
  frontend::ModelFile file{task.model, {}, task.question.targets, {}};
  if (task.question.initial.size() == 1) file.initial = task.question.initial;
  return frontend::find_format("spec")->print(file) + regions_text(task);
}

std::string text_of(const Task& task, const BooleanProgram&) {
  return frontend::find_format("bp")->print({task.model, {}, {}, {}}) + regions_text(task);
}

std::string text_of(const Task& task, const PushdownSystem&) { return pushdown_text(task); }

}  // namespace

std::vector<Task> one_thing_less(const Task& task) {
  Smaller out;
  std::visit([&](const auto& model) { shrink_model(task, model, out); }, task.model);
  std::erase_if(out, [](const Task& smaller) { return !well_formed(smaller); });
  return out;
}

Task shrink(Task task, const std::function<bool(const Task&)>& still_fails) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (Task& smaller : one_thing_less(task)) {
      if (!still_fails(smaller)) continue;
      task = std::move(smaller);
      shrunk = true;
      break;
    }
  }
  return task;
}

std::string task_text(const Task& task) {
  return std::visit([&](const auto& model) { return text_of(task, model); }, task.model) +
         (task.question.contexts ? "# contexts " + std::to_string(*task.question.contexts) + "\n"
                                 : std::string());
}

}  // namespace heddle::test
