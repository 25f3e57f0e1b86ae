#include "support/shrink.hpp"

#include <algorithm>

#include "frontend/frontend.hpp"

namespace heddle::test {

namespace {

using model::CounterBound;
using model::PetriNet;
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

void shrink_system(const Task& task, Smaller& out) {
  const auto system = [](Task& t) -> auto& { return std::get<ThreadSystem>(t.model); };
  drop_each(task, [&](Task& t) -> auto& { return system(t).transitions; }, 0, out);
  const auto& original = std::get<ThreadSystem>(task.model);
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
}

void shrink_net(const Task& task, Smaller& out) {
  const auto net = [](Task& t) -> auto& { return std::get<PetriNet>(t.model); };
  drop_each(task, [&](Task& t) -> auto& { return net(t).transitions; }, 0, out);
  drop_each(task, [&](Task& t) -> auto& { return net(t).claimed_invariants; }, 0, out);
  const auto& original = std::get<PetriNet>(task.model);
  for (std::size_t i = 0; i < original.transitions.size(); ++i) {
    const auto guard = [&](Task& t) -> auto& { return net(t).transitions[i].guard; };
    const auto updates = [&](Task& t) -> auto& { return net(t).transitions[i].updates; };
    drop_each(task, guard, 0, out);
    drop_each(task, updates, 0, out);
    for (std::size_t u = 0; u < original.transitions[i].updates.size(); ++u)
      drop_each(task, [&](Task& t) -> auto& { return updates(t)[u].sources; }, 0, out);
  }
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

}  // namespace

std::vector<Task> one_thing_less(const Task& task) {
  Smaller out;
  if (std::holds_alternative<ThreadSystem>(task.model)) shrink_system(task, out);
  if (std::holds_alternative<PetriNet>(task.model)) shrink_net(task, out);
  shrink_regions(task, &model::Question::initial, out);
  shrink_regions(task, &model::Question::targets, out);
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
  const bool is_net = std::holds_alternative<PetriNet>(task.model);
  frontend::ModelFile file{task.model, {}, {}, {}};
  if (is_net && task.question.initial.size() == 1) file.initial = task.question.initial;
  if (is_net) file.targets = task.question.targets;
  std::string out = frontend::find_format(is_net ? "spec" : "tts")->print(file);
  for (const Region& region : task.question.initial)
    out += "# initial " + model::initial_to_string(task.model, region) + "\n";
  for (const Region& region : task.question.targets)
    out += "# target " + model::target_to_string(task.model, region) + "\n";
  return out;
}

}  // namespace heddle::test
