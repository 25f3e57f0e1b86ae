#include "coverability/cover_predecessors.hpp"

#include <algorithm>
#include <set>

#include "model/counting.hpp"
#include "support/random.hpp"

/// Compares the computed cover predecessors with their definition: over every configuration of a
/// small box, post(p) ≥ m for some way of firing the transition iff p lies above a computed one.

namespace heddle::coverability {
namespace {

using model::Configuration;
using model::Counter;
using model::LocalState;
using model::PetriNet;
using model::SharedState;
using model::StepKind;
using model::ThreadSystem;
using model::TransitionId;
using Word = std::uint32_t;

bool can_meet(const ThreadSystem& system, const Configuration& p, const Configuration& m) {
  bool met = false;
  model::for_each_flow(system, p, TransitionId(0u),
                       [&](const std::vector<model::PassiveFlow>& flows) {
                         const auto after = model::step(system, p, TransitionId(0u), flows);
                         met = met || (after && after->covers(m));
                       });
  return met;
}

bool can_meet(const PetriNet& net, const Configuration& p, const Configuration& m) {
  const auto after = model::step(net, p, TransitionId(0u));
  return after && after->covers(m);
}

template <class Visit>
void for_each_in_box(std::size_t counters, unsigned most, SharedState shared, Visit visit) {
  std::vector<unsigned> value(counters, 0);
  for (;;) {
    Configuration c{shared, {}};
    for (std::size_t i = 0; i < counters; ++i) c.counts.set(Counter(i), value[i]);
    visit(c);
    std::size_t i = 0;
    while (i < counters && value[i] == most) value[i++] = 0;
    if (i == counters) return;
    ++value[i];
  }
}

std::vector<Configuration> computed(const model::CountingModel& m, const Configuration& demand) {
  model::CountingTask task{m, {}};
  const auto system = compile(task);
  const Transition& t = system->transitions.at(0);
  std::vector<Configuration> result;
  if (t.to != demand.shared.value) return result;
  const PackedLayout<Word> layout(system->counters);
  std::vector<Word> words;
  for (const auto& [counter, count] : demand.counts.entries())
    words.push_back(layout.pack(counter.value, count.get_ui()));
  const auto keep = [&](std::span<const Word> p) {
    Configuration c{SharedState(t.from), {}};
    for (const Word word : p) c.counts.set(Counter(layout.counter(word)), layout.count(word));
    result.push_back(c);
    return true;
  };
  if (t.ordinary()) {
    std::vector<Word> out;
    ordinary_predecessor<Word>(layout, t, words, out);
    keep(out);
  } else {
    Redistributor<Word> redistributor(layout, system->counters);
    redistributor.enumerate(t, words, [&](std::span<const Word> p, auto) { return keep(p); });
  }
  return result;
}

template <class M>
void expect_exact(const M& model, std::size_t shared, std::size_t counters, unsigned most_demanded,
                  unsigned most_present) {
  for (std::uint32_t s = 0; s < shared; ++s) {
    for_each_in_box(counters, most_demanded, SharedState(s), [&](const Configuration& m) {
      const auto minimal = computed(model::CountingModel(model), m);
      for (std::uint32_t from = 0; from < shared; ++from) {
        for_each_in_box(counters, most_present, SharedState(from), [&](const Configuration& p) {
          const bool above =
              std::ranges::any_of(minimal, [&](const Configuration& low) { return p.covers(low); });
          ASSERT_EQ(above, can_meet(model, p, m))
              << model::to_string(model::CountingModel(model), p) << " -> "
              << model::to_string(model::CountingModel(model), m);
        });
      }
    });
  }
}

ThreadSystem one_transition(StepKind kind, std::uint32_t s, std::uint32_t l, std::uint32_t s2,
                            std::uint32_t l2, std::vector<model::PassiveMove> passive = {}) {
  ThreadSystem system;
  system.shared_count = 2;
  system.local_count = 3;
  std::ranges::sort(passive);
  system.transitions.push_back({kind,
                                {SharedState(s), LocalState(l)},
                                {SharedState(s2), LocalState(l2)},
                                std::move(passive),
                                "",
                                0});
  return system;
}

model::PassiveMove pass(std::uint32_t from, std::uint32_t to) {
  return {LocalState(from), LocalState(to)};
}

TEST(CoverPredecessors, MovesThatChangeSharedLocalOrBoth) {
  expect_exact(one_transition(StepKind::Move, 0, 0, 1, 1), 2, 3, 2, 3);
  expect_exact(one_transition(StepKind::Move, 0, 0, 0, 1), 2, 3, 2, 3);
  expect_exact(one_transition(StepKind::Move, 0, 0, 1, 0), 2, 3, 2, 3);
  expect_exact(one_transition(StepKind::Move, 0, 0, 0, 0), 2, 3, 2, 3);
}

TEST(CoverPredecessors, SpawnerAndChildInAnyCombination) {
  expect_exact(one_transition(StepKind::Spawn, 0, 0, 1, 1), 2, 3, 2, 3);
  expect_exact(one_transition(StepKind::Spawn, 0, 0, 0, 0), 2, 3, 2, 3);
  expect_exact(one_transition(StepKind::Spawn, 0, 0, 1, 0), 2, 3, 2, 3);
}

TEST(CoverPredecessors, TransfersWithoutActiveThread) {
  expect_exact(one_transition(StepKind::Transfer, 0, 0, 1, 1), 2, 3, 2, 3);
  expect_exact(one_transition(StepKind::Transfer, 0, 0, 1, 0), 2, 3, 2, 3);
}

TEST(CoverPredecessors, EverySplitOfABroadcast) {
  expect_exact(one_transition(StepKind::Move, 0, 0, 1, 1, {pass(0, 1)}), 2, 3, 2, 4);
  expect_exact(one_transition(StepKind::Move, 0, 0, 1, 0, {pass(1, 2)}), 2, 3, 2, 4);
  expect_exact(one_transition(StepKind::Move, 0, 0, 1, 1, {pass(1, 2), pass(2, 1)}), 2, 3, 2, 4);
}

TEST(CoverPredecessors, PassiveThreadsThatChoose) {
  expect_exact(one_transition(StepKind::Move, 0, 0, 1, 1, {pass(1, 0), pass(1, 2)}), 2, 3, 2, 4);
  expect_exact(one_transition(StepKind::Move, 0, 1, 1, 1, {pass(1, 1), pass(1, 2), pass(2, 0)}), 2,
               3, 2, 4);
}

TEST(CoverPredecessors, RandomThreadTransitions) {
  test::Random random(20240607);
  const auto pick = [&](std::uint32_t n) { return random.below(n); };
  for (int i = 0; i < 40; ++i) {
    const auto kind = static_cast<StepKind>(pick(3));
    std::set<model::PassiveMove> passive;
    for (std::uint32_t k = pick(5); kind == StepKind::Move && k > 0; --k)
      passive.insert(pass(pick(3), pick(3)));
    expect_exact(
        one_transition(kind, pick(2), pick(3), pick(2), pick(3), {passive.begin(), passive.end()}),
        2, 3, 2, 4);
  }
}

TEST(CoverPredecessors, RandomNetTransitions) {
  test::Random random(20240608);
  const auto pick = [&](std::uint32_t n) { return random.below(n); };
  for (int i = 0; i < 80; ++i) {
    PetriNet net{{"a", "b", "c"}, {{}}, {}};
    model::PetriTransition& t = net.transitions[0];
    for (std::uint32_t place = 0; place < 3; ++place) {
      if (const auto lower = pick(3)) t.guard.push_back({Counter(place), lower, std::nullopt});
      model::PlaceUpdate update{Counter(place), {}, static_cast<int>(pick(5)) - 2};
      for (std::uint32_t source = 0; source < 3; ++source)
        if (pick(3) == 0) update.sources.push_back({Counter(source), 1 + pick(2)});
      if (pick(2) == 0) update.sources = {{Counter(place), 1}};
      if (update != model::PlaceUpdate{Counter(place), {{Counter(place), 1}}, 0})
        t.updates.push_back(update);
    }
    expect_exact(net, 1, 3, 2, 5);
  }
}

TEST(CandidateIndex, LeavesOutOnlyWhatCannotMatter) {
  PetriNet net{{"a", "b"}, {}, {}};
  model::add_transition(net, "t", {{Counter(0u), 1}}, {{Counter(1u), 1}});
  model::add_transition(net, "test", {{Counter(0u), 1}}, {{Counter(0u), 1}});
  const auto system = compile({net, {}});
  const CandidateIndex index(*system);
  EXPECT_TRUE(index.always(0).empty());
  EXPECT_TRUE(index.giving(0, 0).empty());
  ASSERT_EQ(index.giving(0, 1).size(), 1u);
  EXPECT_EQ(index.giving(0, 1)[0], 0u);
}

}  // namespace
}  // namespace heddle::coverability
