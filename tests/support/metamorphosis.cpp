#include "support/metamorphosis.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "model/counting.hpp"
#include "support/builders.hpp"

namespace heddle::test {

namespace {

using model::Counter;
using model::PetriNet;
using model::Region;
using model::SharedState;
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

model::Condition renamed(model::Condition condition, const Renaming& r) {
  for (model::Condition& part : condition.parts) part = renamed(std::move(part), r);
  for (model::WeightedPlace& term : condition.terms) term.place = r(term.place);
  std::ranges::sort(condition.terms, {}, &model::WeightedPlace::place);
  return condition;
}

std::vector<Region> renamed(std::vector<Region> regions, const Renaming& r) {
  for (Region& region : regions) {
    region.condition = renamed(std::move(region.condition), r);
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
void visit_counting(Visitor visitor, model::CountingModel& model) {
  std::visit(visitor, model);
}

model::CountingTask renamed(model::CountingTask task, const Renaming& r) {
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
model::CountingTask rename_states(const model::CountingTask& task, Random& random) {
  const auto shared = random_permutation(model::shared_count(task.model), random);
  const auto counters = random_permutation(model::counter_count(task.model), random);
  return renamed(task,
                 {[&](unsigned s) { return shared[s]; }, [&](unsigned c) { return counters[c]; }});
}

model::CountingTask permute_transitions(const model::CountingTask& task, Random& random) {
  model::CountingTask out = task;
  visit_counting([&](auto& model) { shuffle(model.transitions, random); }, out.model);
  return out;
}

model::CountingTask duplicate_transitions(const model::CountingTask& task, Random& random) {
  model::CountingTask out = task;
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
model::CountingTask add_unreachable_part(const model::CountingTask& task, Random& random) {
  model::CountingTask out = task;
  if (auto* system = std::get_if<ThreadSystem>(&out.model)) add_dead_edges(*system, random);
  if (auto* net = std::get_if<PetriNet>(&out.model)) add_dead_rules(*net, random);
  return permute_transitions(out, random);
}

/// A second copy of everything beside the first, with a target in the copy alone.
model::CountingTask ask_a_disconnected_copy(const model::CountingTask& task, Random& random) {
  model::CountingTask out = task;
  const auto counters = static_cast<unsigned>(model::counter_count(task.model));
  const bool is_net = std::holds_alternative<PetriNet>(task.model);
  const auto shared = is_net ? 0u : static_cast<unsigned>(model::shared_count(task.model));
  const model::CountingTask copy = renamed(
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

model::CountingTask split_a_step(const model::CountingTask& task, Random& random) {
  model::CountingTask out = task;
  visit_counting([&](auto& model) { split_step(model, random); }, out.model);
  return out;
}

std::vector<Metamorphosis> counting_metamorphoses() {
  const auto row = [](std::string_view name,
                      model::CountingTask (*change)(const model::CountingTask&, Random&)) {
    return Metamorphosis{name,
                         [change](const model::AnyTask& task, Random& random) -> model::AnyTask {
                           return change(model::counting_task(task).value(), random);
                         }};
  };
  return {row("renamed", rename_states),
          row("permuted", permute_transitions),
          row("with duplicates", duplicate_transitions),
          row("with an unreachable part", add_unreachable_part),
          row("with a disconnected copy", ask_a_disconnected_copy),
          row("with a step split in two", split_a_step)};
}

std::vector<Metamorphosis> of(const model::ThreadTask&) { return counting_metamorphoses(); }
std::vector<Metamorphosis> of(const model::NetTask&) { return counting_metamorphoses(); }
std::vector<Metamorphosis> of(const model::ProgramTask&) { return program_metamorphoses(); }
std::vector<Metamorphosis> of(const model::PushdownTask&) { return pushdown_metamorphoses(); }

/// Numbers of functions are found in operands.
model::CTask add_uncalled_function(const model::CTask& task, Random&) {
  model::CTask out = task;
  out.model.functions.push_back(out.model.functions.front());
  return out;
}

model::CTask add_unused_global(const model::CTask& task, Random& random) {
  model::CTask out = task;
  out.model.globals.push_back({});
  out.model.globals.back().name = "unused";
  out.model.globals.back().size = random.between(1, 8);
  return out;
}

/// Every instruction after a fence, which means nothing under sequential consistency.
model::CTask add_fences(const model::CTask& task, Random&) {
  model::CTask out = task;
  for (model::c::Function& function : out.model.functions) {
    std::vector<model::c::Instruction> code;
    for (model::c::Instruction& instruction : function.code) {
      code.push_back(
          {model::c::Synchronise{model::c::SyncOperation::Fence, {}, {}}, instruction.position});
      if (auto* branch = std::get_if<model::c::Branch>(&instruction.effect)) {
        branch->if_true.value *= 2;
        branch->if_false.value *= 2;
      }
      if (auto* jump = std::get_if<model::c::Jump>(&instruction.effect)) jump->next.value *= 2;
      code.push_back(std::move(instruction));
    }
    function.code = std::move(code);
  }
  return out;
}

std::vector<Metamorphosis> of(const model::CTask&) {
  return {
      metamorphosis<model::CProgram>("with a function that nobody calls", add_uncalled_function),
      metamorphosis<model::CProgram>("with an unused variable", add_unused_global),
      metamorphosis<model::CProgram>("with fences", add_fences)};
}

}  // namespace

std::vector<unsigned> random_permutation(std::size_t n, Random& random) {
  std::vector<unsigned> p(n);
  std::iota(p.begin(), p.end(), 0u);
  shuffle(p, random);
  return p;
}

std::vector<Metamorphosis> metamorphoses(const model::AnyTask& task) {
  return std::visit([](const auto& typed) { return of(typed); }, task);
}

}  // namespace heddle::test
