#include "support/metamorphosis.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "support/builders.hpp"

namespace heddle::test {

namespace {

using model::Counter;
using model::PetriNet;
using model::Region;
using model::SharedState;
using model::Task;
using model::ThreadSystem;

/// What the numbers of shared states and counters become.
struct Renaming {
  std::function<unsigned(unsigned)> shared;
  std::function<unsigned(unsigned)> counter;

  SharedState operator()(SharedState s) const { return SharedState(shared(s.value)); }
  Counter operator()(Counter c) const { return Counter(counter(c.value)); }
};

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[random.below(static_cast<unsigned>(i))]);
}

std::vector<unsigned> random_permutation(std::size_t n, Random& random) {
  std::vector<unsigned> p(n);
  std::iota(p.begin(), p.end(), 0u);
  shuffle(p, random);
  return p;
}

model::ThreadTransition renamed(model::ThreadTransition t, const Renaming& r) {
  for (model::ThreadState* state : {&t.source, &t.target})
    *state = {r(state->shared), r(state->local)};
  for (model::PassiveMove& move : t.passive) move = {r(move.from), r(move.to)};
  std::ranges::sort(t.passive);
  return t;
}

model::PetriTransition renamed(model::PetriTransition t, const Renaming& r) {
  for (model::CounterBound& bound : t.guard) bound.counter = r(bound.counter);
  std::ranges::sort(t.guard, {}, &model::CounterBound::counter);
  for (model::PlaceUpdate& update : t.updates) {
    update.place = r(update.place);
    for (model::WeightedPlace& source : update.sources) source.place = r(source.place);
    std::ranges::sort(update.sources, {}, &model::WeightedPlace::place);
  }
  std::ranges::sort(t.updates, {}, &model::PlaceUpdate::place);
  return t;
}

std::vector<Region> renamed(std::vector<Region> regions, const Renaming& r) {
  for (Region& region : regions) {
    region.shared = r(region.shared);
    for (model::CounterBound& bound : region.bounds) bound.counter = r(bound.counter);
    std::ranges::sort(region.bounds, {}, &model::CounterBound::counter);
  }
  return regions;
}

std::vector<std::vector<model::WeightedPlace>> renamed(
    std::vector<std::vector<model::WeightedPlace>> claims, const Renaming& r) {
  for (auto& weights : claims) {
    for (model::WeightedPlace& weighted : weights) weighted.place = r(weighted.place);
    std::ranges::sort(weights, {}, &model::WeightedPlace::place);
  }
  return claims;
}

/// The thread system or net of a task, to be changed.
template <class Visitor>
void visit_counting(Visitor visitor, model::Model& model) {
  if (auto* net = std::get_if<PetriNet>(&model)) return visitor(*net);
  visitor(std::get<ThreadSystem>(model));
}

Task renamed(Task task, const Renaming& r) {
  visit_counting(
      [&](auto& model) {
        for (auto& t : model.transitions) t = renamed(std::move(t), r);
      },
      task.model);
  if (auto* net = std::get_if<PetriNet>(&task.model))
    net->claimed_invariants = renamed(net->claimed_invariants, r);
  task.question = {renamed(task.question.initial, r), renamed(task.question.targets, r)};
  return task;
}

void add_places(PetriNet& net, std::size_t more) {
  for (std::size_t i = 0; i < more; ++i) net.places.push_back("q" + std::to_string(i));
}

/// A net has no shared state behind which its new part could hide: a rule that needs a token of a
/// place that nobody marks.
void add_dead_rules(PetriNet& net, Random& random) {
  const auto old_places = static_cast<unsigned>(net.places.size());
  add_places(net, 2);
  const Counter dead(old_places + random.below(2));
  model::Counts give;
  give.set(Counter(random.below(old_places)), 2);
  give.set(dead, 3);
  add_transition(net, "", model::Counts{{dead, 1}}, give);
  add_transition(net, "", model::Counts{{dead, 2}}, model::Counts{{Counter(0u), 1}});
}

void add_dead_edges(ThreadSystem& system, Random& random) {
  const unsigned shared = system.shared_count++, local = system.local_count++;
  const unsigned s = random.below(shared), l = random.below(local);
  system.transitions.push_back(move(shared, l, s, local));
  system.transitions.push_back(move(shared, local, s, l, {{l, local}}));
  system.transitions.push_back(spawn(shared, local, s, l));
  system.transitions.push_back(transfer(shared, l, s, l));
  system.transitions.push_back(move(s, local, shared, l));
}

}  // namespace

Task rename_states(const Task& task, Random& random) {
  const auto shared = random_permutation(model::shared_count(task.model), random);
  const auto counters = random_permutation(model::counter_count(task.model), random);
  return renamed(task,
                 {[&](unsigned s) { return shared[s]; }, [&](unsigned c) { return counters[c]; }});
}

Task permute_transitions(const Task& task, Random& random) {
  Task out = task;
  visit_counting([&](auto& model) { shuffle(model.transitions, random); }, out.model);
  return out;
}

Task duplicate_transitions(const Task& task, Random& random) {
  Task out = task;
  visit_counting(
      [&](auto& model) {
        const auto original = model.transitions;
        for (const auto& t : original)
          if (random.one_in(2)) model.transitions.push_back(t);
      },
      out.model);
  return permute_transitions(out, random);
}

Task add_unreachable_part(const Task& task, Random& random) {
  Task out = task;
  if (auto* system = std::get_if<ThreadSystem>(&out.model)) add_dead_edges(*system, random);
  if (auto* net = std::get_if<PetriNet>(&out.model)) add_dead_rules(*net, random);
  return permute_transitions(out, random);
}

Task ask_a_disconnected_copy(const Task& task, Random& random) {
  Task out = task;
  const auto counters = static_cast<unsigned>(model::counter_count(task.model));
  const bool is_net = std::holds_alternative<PetriNet>(task.model);
  const auto shared = is_net ? 0u : static_cast<unsigned>(model::shared_count(task.model));
  const Task copy = renamed(
      task, {[&](unsigned s) { return s + shared; }, [&](unsigned c) { return c + counters; }});
  visit_counting(
      [&](auto& model) {
        const auto& more = std::get<std::decay_t<decltype(model)>>(copy.model).transitions;
        model.transitions.insert(model.transitions.end(), more.begin(), more.end());
      },
      out.model);
  out.question = copy.question;
  if (auto* system = std::get_if<ThreadSystem>(&out.model)) {
    system->shared_count *= 2;
    system->local_count *= 2;
    const auto& initial = task.question.initial;
    out.question.initial.insert(out.question.initial.end(), initial.begin(), initial.end());
  } else {
    add_places(std::get<PetriNet>(out.model), counters);
    auto& both = out.question.initial.front().bounds;
    const auto& first = task.question.initial.front().bounds;
    both.insert(both.begin(), first.begin(), first.end());
  }
  return permute_transitions(out, random);
}

model::BooleanProgram widen(model::BooleanProgram program, std::size_t more) {
  const auto pad = [&](std::vector<model::boolean::Declaration>& list, const std::string& name) {
    std::vector<model::boolean::Declaration> pads;
    for (std::size_t i = 0; i < more; ++i) pads.push_back({name + std::to_string(i), false, {}});
    list.insert(list.begin(), pads.begin(), pads.end());
  };
  const bool has_main = program.find("main") != nullptr;
  pad(program.globals, "shared_pad");
  for (model::boolean::Procedure& procedure : program.procedures)
    if (!has_main || procedure.name == "main") pad(procedure.locals, "pad");
  return program;
}

std::vector<Metamorphosis> metamorphoses() {
  return {{"renamed", rename_states},
          {"permuted", permute_transitions},
          {"with duplicates", duplicate_transitions},
          {"with an unreachable part", add_unreachable_part},
          {"with a disconnected copy", ask_a_disconnected_copy}};
}

}  // namespace heddle::test
