/// Forgery without imagination: of small models from which a target can be reached, every small
/// certificate there is. None may be confirmed. (That true ones are confirmed, others test.)

#include <gtest/gtest.h>

#include <iostream>

#include "check/check.hpp"
#include "model/counting.hpp"
#include "support/random_pushdown.hpp"
#include "support/sample.hpp"
#include "support/tiny_models.hpp"
#include "support/truth.hpp"

namespace heddle::check::all_small_claims_test {
namespace {

using answer::EvidenceStatus;
using model::Configuration;
using model::Region;
using Task = model::AnyTask;

struct ForgeryScore {
  std::size_t models = 0, claims = 0, confirmed = 0;
};

void offer(const Task& task, const answer::Verdict& claim, ForgeryScore& score) {
  base::RunContext context;
  ++score.claims;
  if (check(task, claim, context).status == EvidenceStatus::Confirmed) ++score.confirmed;
}

void expect_none_confirmed(const ForgeryScore& score, std::size_t least) {
  std::cout << score.claims << " false claims about " << score.models << " models\n";
  EXPECT_EQ(score.confirmed, 0U);
  EXPECT_TRUE(test::are_enough(score.claims, least));
}

bool has_bit(std::uint32_t set, std::uint32_t index) { return (set >> index & 1U) != 0; }

/// Every set of thread states, with every set of shared states.
void offer_closed_sets(const model::CountingTask& task, ForgeryScore& score) {
  const auto& system = std::get<model::ThreadSystem>(task.model);
  const std::uint32_t states = system.shared_count * system.local_count;
  for (std::uint32_t set = 0; set < (1U << (states + system.shared_count)); ++set) {
    answer::ClosedThreadStates closed;
    for (std::uint32_t s = 0; s < system.shared_count; ++s) {
      if (has_bit(set, states + s)) closed.shared.emplace_back(s);
      for (std::uint32_t l = 0; l < system.local_count; ++l)
        if (has_bit(set, s * system.local_count + l))
          closed.states.push_back({model::SharedState(s), model::LocalState(l)});
    }
    offer(task, answer::Safe{closed}, score);
    answer::BackwardBasis basis;
    basis.relative_to.emplace_back(closed);
    offer(task, answer::Safe{basis}, score);
  }
}

/// Every configuration with at most two threads in a local state, or tokens in a place.
std::vector<Configuration> small_configurations(const model::CountingModel& model) {
  std::vector<Configuration> out;
  const auto counters = static_cast<std::uint32_t>(model::counter_count(model));
  std::uint32_t many = 1;
  for (std::uint32_t i = 0; i < counters; ++i) many *= 3;
  for (std::uint32_t s = 0; s < model::shared_count(model); ++s)
    for (std::uint32_t code = 0; code < many; ++code) {
      Configuration next{model::SharedState(s), {}};
      for (std::uint32_t i = 0, rest = code; i < counters; ++i, rest /= 3)
        if (rest % 3 > 0) next.counts.set(model::Counter(i), base::Integer(rest % 3));
      out.push_back(std::move(next));
    }
  return out;
}

/// Every basis of one or two elements, as a proof about all runs or about the spaghetti of a
/// system.
void offer_bases(const model::CountingTask& task, ForgeryScore& score) {
  const std::vector<Configuration> all = small_configurations(task.model);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      answer::BackwardBasis basis;
      basis.minimal = j == i ? std::vector{all[i]} : std::vector{all[j], all[i]};
      offer(task, answer::Safe{basis}, score);
    }
  }
}

/// Every forward cover of one or two elements, of small numbers and ω.
void offer_covers(const model::CountingTask& task, ForgeryScore& score) {
  std::vector<answer::OmegaConfiguration> all;
  for (const Configuration& small : small_configurations(task.model)) {
    answer::OmegaConfiguration next{small.shared, {}, {}};
    for (const auto& [counter, count] : small.counts.entries()) {
      if (count == 2) next.unbounded.push_back(counter);
      if (count == 1) next.counts.set(counter, 1);
    }
    all.push_back(std::move(next));
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const answer::ForwardCover cover{j == i ? std::vector{all[i]} : std::vector{all[j], all[i]}};
      offer(task, answer::Safe{cover}, score);
    }
}

void offer_pathwise(const model::CountingTask& task, ForgeryScore& score) {
  offer(task, answer::Safe{answer::PathwiseProof{}}, score);
  for (const Configuration& element : small_configurations(task.model))
    offer(task, answer::Safe{answer::PathwiseProof{{{element}, {}}}}, score);
}

using Offer = void (*)(const model::CountingTask&, ForgeryScore&);
using ForEach = void (*)(const test::VisitTiny&);

/// About models from which a target is reached, one in so many.
ForgeryScore forge(ForEach for_each, unsigned one_in, Offer offer_claims) {
  ForgeryScore score;
  test::Sample sample(one_in);
  for_each([&](const test::TinyCase& tiny) {
    if (score.confirmed > 0) return;
    for (const std::vector<Region>& targets : tiny.targets) {
      if (!sample.next()) continue;
      const model::CountingTask task{tiny.model, {tiny.initial, targets}};
      if (!test::ask_truth(task).reached) continue;
      ++score.models;
      offer_claims(task, score);
    }
  });
  return score;
}

TEST(AllSmallClaims, ClosedThreadStates) {
  expect_none_confirmed(forge(test::for_each_tiny_thread_system, 300, offer_closed_sets), 20'000);
}

TEST(AllSmallClaims, BackwardBasesOfThreadSystems) {
  expect_none_confirmed(forge(test::for_each_tiny_thread_system, 4'000, offer_bases), 10'000);
}

TEST(AllSmallClaims, BackwardBasesOfNets) {
  expect_none_confirmed(forge(test::for_each_tiny_net, 200, offer_bases), 1'000);
}

TEST(AllSmallClaims, ForwardCoversOfThreadSystems) {
  expect_none_confirmed(forge(test::for_each_tiny_thread_system, 4'000, offer_covers), 10'000);
}

TEST(AllSmallClaims, ForwardCoversOfNets) {
  expect_none_confirmed(forge(test::for_each_tiny_net, 200, offer_covers), 1'000);
}

TEST(AllSmallClaims, PathwiseProofs) {
  expect_none_confirmed(forge(test::for_each_tiny_thread_system, 10'000, offer_pathwise), 100);
}

/// Every automaton of two states over one symbol.
std::vector<answer::StackAutomaton> small_automata() {
  std::vector<answer::StackAutomaton> out;
  for (std::uint32_t code = 0; code < 36; ++code) {
    answer::StackAutomaton automaton;
    for (std::uint32_t rest : {code % 6, code / 6}) {
      answer::StackAutomaton::State state;
      state.accepting = rest % 2 == 1;
      if (rest / 2 > 0) state.edges.emplace_back(model::StackSymbol(0U), rest / 2 - 1);
      automaton.states.push_back(std::move(state));
    }
    out.push_back(std::move(automaton));
  }
  return out;
}

/// Every set of products of its states, in all turns up to two or without turns.
void offer_products(const Task& task, const answer::StackAutomaton& automaton, bool bounded,
                    ForgeryScore& score) {
  const std::uint32_t turns = bounded ? 3 : 1;
  std::vector<answer::StackProduct> all;
  for (std::uint32_t shared = 0; shared < 2; ++shared)
    for (std::uint32_t state = 0; state < 2; ++state)
      for (std::uint32_t turn = 0; turn < turns; ++turn)
        all.push_back({model::SharedState(shared), {state}, turn});
  for (std::uint32_t set = 0; set < (1U << all.size()); ++set) {
    answer::PushdownInvariant claim{{automaton}, {}};
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (has_bit(set, i)) claim.products.push_back(all[i]);
    if (bounded)
      offer(task, answer::SafeUpTo{answer::context_bound(2), claim}, score);
    else
      offer(task, answer::Safe{claim}, score);
  }
}

/// About all systems of two rules of one thread over two shared states and one symbol.
TEST(AllSmallClaims, PushdownInvariants) {
  ForgeryScore score;
  const auto rules = test::all_tiny_rules(0);
  const auto automata = small_automata();
  test::Sample sample(4), bounded(100);
  for (const auto& first : rules)
    for (const auto& second : rules) {
      if (!sample.next()) continue;
      model::PushdownSystem system;
      system.shared_count = 2;
      system.threads.resize(1);
      system.transitions = {first, second};
      const model::VisibleState start{model::SharedState(0U), {{0, model::StackSymbol(0U)}}};
      const model::VisibleState target{model::SharedState(1U), {}};
      const Task task = model::PushdownTask{system, {{start}, {target}}};
      if (!test::ask_truth(task).reached) continue;
      ++score.models;
      for (const answer::StackAutomaton& automaton : automata) {
        offer_products(task, automaton, false, score);
        if (bounded.next()) offer_products(task, automaton, true, score);
      }
    }
  expect_none_confirmed(score, 10'000);
}

}  // namespace
}  // namespace heddle::check::all_small_claims_test
