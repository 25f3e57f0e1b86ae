#include "check/cutoff/net_as_threads.hpp"

#include <random>

#include "frontend/frontend.hpp"
#include "frontend/petri/spec.hpp"
#include "transform/net_to_threads.hpp"
#include "unit/check/random_models.hpp"

namespace heddle::check::net_as_threads_test {
namespace {

using model::Counter;
using model::ThreadSystem;
using model::ThreadTransition;

/// A rule with a reset and a transfer, one with weights, a test, and a rule that takes more than
/// its guard asks for.
constexpr const char* kMovingNet =
    "vars x y z\n"
    "rules\n"
    "y >= 1 -> y' = 0, x' = 0, z' = z + x;\n"
    "x >= 2 -> x' = x - 2, y' = y + 3;\n"
    "z >= 1 -> x' = x + 1;\n"
    "z >= 1 -> z' = z - 2;\n"
    "init\nx >= 0, y = 1, z = 0\ntarget\nz >= 2\n";

model::NetTask net_in(const char* text) {
  const auto file = frontend::petri::parse_spec({"n.spec", text});
  return {file->model, {file->initial, {}}};
}

model::ThreadTask as_threads(const model::NetTask& net) {
  return transform::net_to_threads(net)->translated;
}

TEST(NetAsThreads, TheTranslationIsTheNet) {
  const model::NetTask net = net_in(kMovingNet);
  EXPECT_EQ(why_not_the_net(net, as_threads(net)), std::nullopt);
}

TEST(NetAsThreads, SoAreTheTranslationsOfRandomNets) {
  std::mt19937 random(7);
  std::size_t compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const model::NetTask net{random_net(random), {{model::Region{}}, {}}};
    const auto translation = transform::net_to_threads(net);
    if (!translation) continue;  // it copies or multiplies tokens
    ++compared;
    ASSERT_EQ(why_not_the_net(net, translation->translated), std::nullopt) << round;
  }
  EXPECT_GT(compared, 300U);
}

TEST(NetAsThreads, TheTranslationOfAnotherNetIsNot) {
  const model::NetTask net = net_in(kMovingNet);
  for (const char* other : {
           "vars x y z\nrules\ny >= 1 -> y' = 0, x' = 0, z' = z + x;\n"
           "x >= 2 -> x' = x - 2, y' = y + 3;\nz >= 1 -> x' = x + 1;\nz >= 1 -> z' = z - 1;\n"
           "init\nx >= 0, y = 1, z = 0\ntarget\nz >= 2\n",  // takes less
           "vars x y z\nrules\ny >= 1 -> y' = y - 1, x' = 0, z' = z + x;\n"
           "x >= 2 -> x' = x - 2, y' = y + 3;\nz >= 1 -> x' = x + 1;\nz >= 1 -> z' = z - 2;\n"
           "init\nx >= 0, y = 1, z = 0\ntarget\nz >= 2\n",  // takes one instead of all
           "vars x y z\nrules\ny >= 1 -> y' = 0, x' = 0, z' = z + x;\n"
           "x >= 2 -> x' = x - 2, y' = y + 3;\nz >= 1 -> x' = x + 1;\nz >= 1 -> z' = z - 2;\n"
           "init\nx >= 0, y = 2, z = 0\ntarget\nz >= 2\n",  // starts otherwise
           "vars x y z\nrules\ny >= 1 -> y' = 0, x' = 0, z' = z + x;\n"
           "x >= 2 -> x' = x - 2, y' = y + 3;\nz >= 1 -> x' = x + 1;\n"
           "init\nx >= 0, y = 1, z = 0\ntarget\nz >= 2\n",  // lacks a rule
       }) {
    EXPECT_NE(why_not_the_net(net, as_threads(net_in(other))), std::nullopt) << other;
    EXPECT_NE(why_not_the_net(net_in(other), as_threads(net)), std::nullopt) << other;
  }
}

/// Every change of one part of one step is noticed.
TEST(NetAsThreads, NoStepCanBeChanged) {
  const model::NetTask net = net_in(kMovingNet);
  const model::ThreadTask right = as_threads(net);
  const ThreadSystem& system = right.model;
  const auto expect_noticed = [&](std::size_t step, const ThreadTransition& instead) {
    model::ThreadTask changed = right;
    ThreadTransition& t = changed.model.transitions[step];
    if (t.same_step(instead)) return;
    t = instead;
    EXPECT_NE(why_not_the_net(net, changed), std::nullopt) << "step " << step;
  };
  for (std::size_t i = 0; i < system.transitions.size(); ++i) {
    const ThreadTransition& step = system.transitions[i];
    for (std::uint32_t local = 0; local < system.local_count; ++local) {
      ThreadTransition t = step;
      t.source.local = Counter(local);
      expect_noticed(i, t);
      t = step;
      t.target.local = Counter(local);
      expect_noticed(i, t);
      for (std::size_t move = 0; move < step.passive.size(); ++move) {
        t = step;
        t.passive[move].to = Counter(local);
        expect_noticed(i, t);
      }
    }
    for (std::uint32_t shared = 0; shared < system.shared_count; ++shared) {
      ThreadTransition t = step;
      t.target.shared = model::SharedState(shared);
      expect_noticed(i, t);
    }
    for (std::size_t move = 0; move < step.passive.size(); ++move) {
      ThreadTransition t = step;
      t.passive.erase(t.passive.begin() + static_cast<std::ptrdiff_t>(move));
      expect_noticed(i, t);
    }
    ThreadTransition t = step;
    t.kind = model::StepKind::Spawn;
    expect_noticed(i, t);
  }
}

}  // namespace
}  // namespace heddle::check::net_as_threads_test
