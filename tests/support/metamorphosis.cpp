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

/// Renames shared states, local states and places by random permutations.
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

/// New states and places that no initial configuration can mark, with transitions from there into
/// the old part. For thread systems they sit behind a new shared state.
Task add_unreachable_part(const Task& task, Random& random) {
  Task out = task;
  if (auto* system = std::get_if<ThreadSystem>(&out.model)) add_dead_edges(*system, random);
  if (auto* net = std::get_if<PetriNet>(&out.model)) add_dead_rules(*net, random);
  return permute_transitions(out, random);
}

/// A second copy of everything beside the first, with a target in the copy alone.
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

/// A move goes by way of a shared state of its own, in which no other thread can step.
void split_step(ThreadSystem& system, Random& random) {
  std::vector<std::size_t> moves;
  for (std::size_t i = 0; i < system.transitions.size(); ++i)
    if (system.transitions[i].kind == model::StepKind::Move) moves.push_back(i);
  if (moves.empty()) return;
  const std::size_t chosen = moves[random.below(static_cast<unsigned>(moves.size()))];
  const unsigned shared = system.shared_count++, local = system.local_count++;
  model::ThreadTransition first = system.transitions[chosen];
  first.passive.clear();
  first.target = {SharedState(shared), Counter(local)};
  system.transitions[chosen].source = first.target;
  system.transitions.push_back(std::move(first));
}

/// What a transition of an ordinary net takes and what it gives is taken and given one after the
/// other. In between there are fewer tokens, so nothing more is covered.
void split_step(PetriNet& net, Random& random) {
  const auto is_ordinary = [](const model::PetriTransition& t) {
    return is_monotone(t) && std::ranges::all_of(t.updates, &model::PlaceUpdate::is_shift);
  };
  if (net.transitions.empty() || !std::ranges::all_of(net.transitions, is_ordinary)) return;
  const auto chosen = random.below(static_cast<unsigned>(net.transitions.size()));
  const model::PetriTransition whole = net.transitions[chosen];
  const Counter middle(net.places.size());
  add_places(net, 1);
  net.claimed_invariants.clear();
  model::Counts take, give;
  for (const model::CounterBound& bound : whole.guard) take.set(bound.counter, bound.lower);
  for (const model::PlaceUpdate& update : whole.updates) {
    base::Integer taken = std::max(take[update.place], base::Integer(-update.constant));
    take.set(update.place, std::max(taken, base::Integer(0)));
  }
  give = take;
  for (const model::PlaceUpdate& update : whole.updates)
    give.set(update.place, take[update.place] + update.constant);
  net.transitions.erase(net.transitions.begin() + chosen);
  add_transition(net, "", take, model::Counts{{middle, 1}});
  add_transition(net, "", model::Counts{{middle, 1}}, give);
}

Task split_a_step(const Task& task, Random& random) {
  Task out = task;
  visit_counting([&](auto& model) { split_step(model, random); }, out.model);
  return out;
}

std::vector<Metamorphosis> counting_metamorphoses() {
  return {{"renamed", rename_states},
          {"permuted", permute_transitions},
          {"with duplicates", duplicate_transitions},
          {"with an unreachable part", add_unreachable_part},
          {"with a disconnected copy", ask_a_disconnected_copy},
          {"with a step split in two", split_a_step}};
}

std::vector<Metamorphosis> of(const ThreadSystem&) { return counting_metamorphoses(); }
std::vector<Metamorphosis> of(const PetriNet&) { return counting_metamorphoses(); }
std::vector<Metamorphosis> of(const model::BooleanProgram&) { return program_metamorphoses(); }
std::vector<Metamorphosis> of(const model::PushdownSystem&) { return pushdown_metamorphoses(); }

}  // namespace

std::vector<unsigned> random_permutation(std::size_t n, Random& random) {
  std::vector<unsigned> p(n);
  std::iota(p.begin(), p.end(), 0u);
  shuffle(p, random);
  return p;
}

std::vector<Metamorphosis> metamorphoses(const model::Model& model) {
  return std::visit([](const auto& kind) { return of(kind); }, model);
}

}  // namespace heddle::test
