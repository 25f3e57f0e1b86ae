#include "engine/cutoff/cutoff.hpp"

#include <gtest/gtest.h>

#include "check/cutoff/cutoff.hpp"
#include "output/cutoff_rounds.hpp"
#include "support/builders.hpp"
#include "support/naive_cutoff.hpp"

namespace heddle::engine::cutoff {
namespace {

using answer::Cutoff;
using answer::EvidenceStatus;
using test::any_number;
using test::exactly;
using test::move;
using test::spawn;
using test::thread_system;
using test::transfer;

/// In turns if there is a step limit, else in two threads.
Cutoff find(const model::CountingTask& task, std::optional<std::uint64_t> steps = std::nullopt) {
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits), checking;
  const auto answer = find_cutoff(task, {}, context);
  const auto* cutoff = std::get_if<Cutoff>(&answer);
  EXPECT_NE(cutoff, nullptr) << std::get<answer::Unknown>(answer).detail;
  if (!cutoff) return {};
  const auto checked = check::check_cutoff(task, *cutoff, checking);
  EXPECT_EQ(checked.status, EvidenceStatus::Confirmed) << checked.why;
  return *cutoff;
}

std::map<model::ThreadState, unsigned> first_of(const Cutoff& cutoff) {
  std::map<model::ThreadState, unsigned> first;
  for (const auto& reached : cutoff.reachable) first[reached.state] = reached.threads;
  return first;
}

model::CountingTask task_of(model::CountingModel model, std::vector<model::Region> initial) {
  return test::task(std::move(model), std::move(initial), {});
}

/// The program of papers/cutoff.txt, section 4: s := s + 1 (mod c + 1); if s = c: error.
model::CountingTask modulo_counter(unsigned c) {
  std::vector<model::ThreadTransition> edges;
  for (unsigned s = 0; s <= c; ++s) edges.push_back(move(s, 0, (s + 1) % (c + 1), 1));
  edges.push_back(move(c, 1, c, 2));
  return task_of(thread_system(c + 1, 3, edges), {any_number(0, {0})});
}

/// The error takes c threads. Thread states count the idle threads beside it as well: one more for
/// a thread in 0 while s = c, and, since s wraps around, c more for the thread in error to see
/// every s again.
TEST(Cutoff, OfTheModuloCounterGrowsWithItsModulus) {
  for (unsigned c = 1; c <= 50; ++c) {
    const auto task = modulo_counter(c);
    const Cutoff found = find(task);
    EXPECT_EQ(first_of(found).at({model::SharedState(c), model::LocalState(2u)}), c);
    EXPECT_EQ(found.threads, std::max(c + 1, 2 * c)) << c;
    if (c > 3) continue;
    EXPECT_EQ(first_of(found), test::naive_first_reached(task, 2 * c + 2));
  }
}

TEST(Cutoff, OfACounterThatStopsIsOneMoreThanItCounts) {
  for (unsigned c = 1; c <= 50; ++c) {
    std::vector<model::ThreadTransition> edges;
    for (unsigned s = 0; s < c; ++s) edges.push_back(move(s, 0, s + 1, 1));
    const auto task = task_of(thread_system(c + 1, 2, edges), {any_number(0, {0})});
    EXPECT_EQ(find(task).threads, c + 1);
  }
}

/// Section 5.2: the candidate (1,1), (1,1), (2,0) never vanishes and is never realised.
TEST(Cutoff, ACandidateThatNeverVanishesIsExcluded) {
  const auto task =
      task_of(thread_system(3, 2, {move(0, 0, 1, 1), move(1, 1, 2, 0)}), {any_number(0, {0})});
  const Cutoff found = find(task);
  EXPECT_EQ(found.threads, 2u);
  ASSERT_EQ(found.candidates.size(), 1u);
  EXPECT_EQ(found.candidates[0].transition, model::TransitionId(1u));
  EXPECT_EQ(found.candidates[0].passive, model::Counter(1u));
  EXPECT_EQ(found.candidates[0].missing,
            (model::ThreadState{model::SharedState(2u), model::LocalState(1u)}));
  EXPECT_TRUE(found.candidates[0].excluded_by.has_value());
}

TEST(Cutoff, AnIntermediatePlateauIsNotTakenForTheEnd) {
  // In the manner of Fig. 2: three threads reach no more than two, four do.
  const auto task = task_of(thread_system(3, 4,
                                          {move(0, 0, 2, 3), move(0, 2, 2, 0), move(0, 3, 1, 0),
                                           move(0, 3, 2, 2), move(1, 3, 1, 1), move(2, 0, 0, 2)}),
                            {any_number(0, {0})});
  const Cutoff found = find(task);
  EXPECT_EQ(found.threads, 4u);
  EXPECT_EQ(output::broken_plateaus(found), (std::vector<output::Plateau>{{3, 3}}));
  EXPECT_EQ(first_of(found), test::naive_first_reached(task, 6));
}

/// `radix` threads in one local state merge into one in the next, the others end in the last one,
/// up to `levels`. With shared state m(i, a) after a threads of level i were taken:
///     (0, i) takes radix^i threads, (m(i, a), j) takes a·radix^i + radix^j.
/// Sums of two powers have gaps that grow with the powers: plateaus.
struct Merging {
  unsigned radix, levels;

  unsigned shared(unsigned level, unsigned taken) const {
    return taken == 0 ? 0 : 1 + level * (radix - 1) + taken - 1;
  }
  model::CountingTask task() const {
    std::vector<model::ThreadTransition> edges;
    for (unsigned i = 0; i < levels; ++i)
      for (unsigned a = 1; a <= radix; ++a)
        edges.push_back(move(shared(i, a - 1), i, a == radix ? 0 : shared(i, a),
                             a == radix ? i + 1 : levels + 1));
    return task_of(thread_system(1 + levels * (radix - 1), levels + 2, edges),
                   {any_number(0, {0})});
  }
  unsigned power(unsigned i) const { return i == 0 ? 1 : radix * power(i - 1); }
  std::map<model::ThreadState, unsigned> first_reached() const {
    std::map<model::ThreadState, unsigned> first;
    const auto set = [&](unsigned s, unsigned l, unsigned threads) {
      first[{model::SharedState(s), model::LocalState(l)}] = threads;
    };
    set(0, levels + 1, radix);
    for (unsigned j = 0; j <= levels; ++j) set(0, j, power(j));
    for (unsigned i = 0; i < levels; ++i)
      for (unsigned a = 1; a < radix; ++a) {
        set(shared(i, a), levels + 1, a * power(i));
        for (unsigned j = 0; j <= levels; ++j) set(shared(i, a), j, a * power(i) + power(j));
      }
    return first;
  }
};

unsigned longest_plateau(const Cutoff& cutoff) {
  unsigned longest = 0;
  for (const output::Plateau& plateau : output::broken_plateaus(cutoff))
    longest = std::max(longest, plateau.last - plateau.first + 1);
  return longest;
}

TEST(Cutoff, LongPlateausAreNotTakenForTheEndEither) {
  const std::vector<std::tuple<Merging, unsigned>> cases{
      {{2, 3}, 1}, {{3, 2}, 2}, {{2, 4}, 3}, {{4, 2}, 3}, {{2, 5}, 7}};
  for (const auto& [merging, plateau] : cases) {
    SCOPED_TRACE(std::to_string(merging.radix) + "^" + std::to_string(merging.levels));
    const Cutoff found = find(merging.task());
    EXPECT_EQ(first_of(found), merging.first_reached());
    EXPECT_EQ(longest_plateau(found), plateau);
  }
  EXPECT_EQ(test::naive_first_reached(Merging{3, 2}.task(), 15), (Merging{3, 2}.first_reached()));
}

/// k tokens at once for one more place: from 1 to k − 1 tokens nothing new.
TEST(Cutoff, PlateausOfEveryLengthAreBroken) {
  for (unsigned k = 2; k <= 40; ++k) {
    model::PetriNet net = test::net(2);
    model::add_transition(net, "gather", {{model::Counter(0u), k}}, {{model::Counter(1u), 1}});
    const Cutoff found = find(task_of(net, {any_number(0, {0})}));
    EXPECT_EQ(found.threads, k);
    EXPECT_EQ(longest_plateau(found), k - 2);
  }
}

/// k tokens at the end of a line of places. They get there in C(k + length − 1, k) ways, and no
/// search may look at all of them: neither for whether it is possible, nor for how many it takes.
TEST(Cutoff, ManyEqualWaysAreNotAllWalked) {
  constexpr unsigned kLength = 8, kTokens = 40;
  model::PetriNet net = test::net(kLength + 1);
  const auto place = [](unsigned p) { return model::Counter(p); };
  for (unsigned p = 0; p + 1 < kLength; ++p)
    model::add_transition(net, "go", {{place(p), 1}}, {{place(p + 1), 1}});
  model::add_transition(net, "gather", {{place(kLength - 1), kTokens}}, {{place(kLength), 1}});
  const Cutoff found = find(task_of(net, {any_number(0, {0})}), 1'000'000);
  EXPECT_EQ(found.threads, kTokens);
}

/// Where the weights of threads say how many it takes, no demand has to be looked at.
TEST(Cutoff, WeightsShowThatFewerThreadsDoNotDo) {
  model::PetriNet net = test::net(4);
  const auto place = [](unsigned p) { return model::Counter(p); };
  model::add_transition(net, "pack", {{place(0), 30}}, {{place(1), 1}});
  model::add_transition(net, "wrap", {{place(1), 1}}, {{place(2), 1}});
  model::add_transition(net, "ship", {{place(1), 3}, {place(2), 4}}, {{place(3), 1}});
  const Cutoff found = find(task_of(net, {any_number(0, {0})}), 100'000);
  EXPECT_EQ(found.threads, 210u);
  ASSERT_EQ(found.too_few.size(), 3u);  // for 1, 30 and 210 threads
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(found.too_few[i].weightings.size(), 1u);
    EXPECT_EQ(found.too_few[i].minimal.size(), found.too_few[i].states.size());
  }
}

TEST(Cutoff, CountsSpawnedThreads) {
  // One thread spawns workers; the third of them is needed to get to shared state 3.
  const auto task =
      task_of(thread_system(
                  4, 3, {spawn(0, 0, 0, 1), move(0, 1, 1, 2), move(1, 1, 2, 2), move(2, 1, 3, 2)}),
              {exactly(0, {0})});
  const Cutoff found = find(task);
  EXPECT_EQ(first_of(found).at({model::SharedState(3u), model::LocalState(2u)}), 4u);
  EXPECT_EQ(first_of(found), test::naive_first_reached(task, found.threads + 2));
}

TEST(Cutoff, TakesReadersAndWritersTogether) {
  // Any number of readers in 0, any number of writers in 3.
  const auto task = task_of(thread_system(3, 5,
                                          {move(0, 0, 1, 1), move(1, 0, 1, 1), move(1, 1, 0, 0),
                                           move(0, 3, 2, 4), move(2, 4, 0, 3)}),
                            {any_number(0, {0, 3})});
  const Cutoff found = find(task);
  EXPECT_EQ(first_of(found), test::naive_first_reached(task, found.threads + 2));
  EXPECT_GT(found.candidates.size(), 0u);
}

TEST(Cutoff, FollowsPassiveMovesAndTransfers) {
  const auto task =
      task_of(thread_system(3, 4,
                            {move(0, 0, 0, 1), move(0, 1, 1, 1, {{0, 2}, {1, 2}, {1, 3}}),
                             transfer(1, 2, 2, 3), move(2, 3, 0, 0)}),
              {any_number(0, {0})});
  const Cutoff found = find(task);
  EXPECT_EQ(first_of(found), test::naive_first_reached(task, found.threads + 2));
}

TEST(Cutoff, OfAFixedNumberOfThreadsIsThatNumber) {
  const auto task =
      task_of(thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)}), {exactly(0, {0, 0, 0})});
  const Cutoff found = find(task);
  EXPECT_EQ(found.threads, 3u);
  EXPECT_TRUE(found.too_few.empty());
}

TEST(Cutoff, OfNothingIsNone) {
  const Cutoff found = find(task_of(thread_system(1, 1, {}), {exactly(0, {})}));
  EXPECT_EQ(found.threads, 0u);
  EXPECT_TRUE(found.reachable.empty());
}

TEST(Cutoff, OfANetCountsTheTokensAtAnyTime) {
  model::PetriNet net = test::net(4);
  const auto place = [](unsigned p) { return model::Counter(p); };
  model::add_transition(net, "split", {{place(0), 1}}, {{place(1), 1}, {place(2), 2}});
  model::add_transition(net, "join", {{place(1), 1}, {place(2), 2}}, {{place(3), 1}});
  const auto task = task_of(net, {test::marking({1, 0, 0, 0})});
  const Cutoff found = find(task);
  EXPECT_EQ(found.threads, 3u);
  EXPECT_EQ(first_of(found), test::naive_first_reached(task, 5));
}

TEST(Cutoff, RefusesWhatIsNotMonotoneOrHasNoThreadCount) {
  model::PetriNet net = test::net(2);
  net.transitions.push_back(test::rule({1, 0}, {test::update(1, {}, 0)}));
  EXPECT_FALSE(accepts(task_of(net, {test::marking({1, 1})})).yes()) << "a reset";
  model::PetriNet bounded = test::net(1);
  bounded.transitions.push_back(test::rule({1}, {test::update(0, {0}, 1)}));
  bounded.transitions[0].guard[0].upper = 3;
  EXPECT_FALSE(accepts(task_of(bounded, {test::marking({1})})).yes()) << "an upper bound";
}

TEST(Cutoff, StopsWhenAskedAndAtItsLimits) {
  const auto task = modulo_counter(20);
  std::stop_source source;
  source.request_stop();
  base::RunContext cancelled({}, 0, source.get_token());
  EXPECT_TRUE(std::holds_alternative<answer::Unknown>(find_cutoff(task, {}, cancelled)));
  base::Limits limits;
  limits.steps = 50;
  base::RunContext limited(limits);
  EXPECT_TRUE(std::holds_alternative<answer::Unknown>(find_cutoff(task, {}, limited)));
  EXPECT_LE(limited.steps(), 51u);
}

}  // namespace
}  // namespace heddle::engine::cutoff
