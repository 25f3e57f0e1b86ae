#include "support/model_kinds.hpp"

#include <array>
#include <optional>

#include "frontend/frontend.hpp"
#include "support/loop_models.hpp"
#include "support/random_c.hpp"
#include "support/random_models.hpp"
#include "support/random_programs.hpp"
#include "support/random_pushdown.hpp"
#include "support/random_threads.hpp"
#include "support/threads_task.hpp"

namespace heddle::test {

namespace {

model::AnyTask random_ordinary_net(Random& random) {
  return random_net_task(random, {.ordinary = true});
}
model::AnyTask random_net(Random& random) { return random_net_task(random, {}); }
model::AnyTask random_conserving_net(Random& random) {
  return random_net_task(random, {.conserving = true});
}
model::AnyTask random_net_with_conditions(Random& random) {
  return random_net_task(random, {.conserving = true, .conditions = true});
}
model::AnyTask random_non_monotone_net(Random& random) {
  return random_net_task(random, {.upper_bounds = true});
}

/// Threads that create others, wait for them, wake them and change their variables.
model::AnyTask random_creating_program(Random& random) {
  const bool any_number = random.one_in(3);
  const unsigned flavour = random.below(4);
  model::ProgramTask task{random_program(random, {.broadcasts = flavour != 0,
                                                  .signals = flavour == 2,
                                                  .passive = flavour == 3,
                                                  .calls = flavour != 3}),
                          {}};
  task.question.initial = {{1, any_number ? std::nullopt : std::optional<base::Integer>(1)}};
  task.question.targets = {{}};
  return task;
}

/// One to three threads, mostly within one or two contexts: diagrams of several rounds of several
/// threads take long.
model::AnyTask random_fixed_threads(Random& random, bool recursion) {
  const unsigned threads = !recursion && random.one_in(5) ? 3 : random.between(1, 2);
  const std::string text = random_threads(random, {.threads = threads, .recursion = recursion});
  if (random.one_in(threads == 1 ? 2 : 20)) return threads_task(text, std::nullopt);
  return threads_task(text, random.one_in(15) && threads < 3 ? 3 : random.between(1, 2));
}

model::AnyTask random_program_of_fixed_threads(Random& random) {
  return random_fixed_threads(random, false);
}
model::AnyTask random_recursive_program(Random& random) {
  return random_fixed_threads(random, true);
}

model::AnyTask random_pushdown_system(Random& random) {
  model::PushdownTask task = random_pushdown(random, 3);
  if (const unsigned contexts = random.below(4)) task.question.contexts = contexts;
  return task;
}

model::AnyTask random_c_program(Random& random) { return random_c_task(random); }
model::AnyTask random_creating_c_program(Random& random) { return random_creating_c_task(random); }
model::AnyTask random_races(Random& random) { return random_race_task(random); }
model::AnyTask random_termination(Random& random) { return random_termination_task(random); }
model::AnyTask random_waiting(Random& random) {
  return random_waiting_task(random, model::c::Property::NoDeadlock);
}
model::AnyTask random_threads_task(Random& random) { return random_thread_task(random); }
model::AnyTask random_loops(Random& random) { return random_loop_task(random); }

constexpr std::uint64_t kEnough = 200'000;

constexpr std::string_view kThreadClaims[] = {"trace", "backward_basis", "closed_thread_states",
                                              "forward_cover", "cutoff"};
constexpr std::string_view kLoopClaims[] = {
    "trace", "backward_basis", "closed_thread_states", "forward_cover", "pathwise_proof", "cutoff"};
constexpr std::string_view kNetClaims[] = {"trace", "backward_basis", "forward_cover", "cutoff"};
constexpr std::string_view kConditionClaims[] = {"trace", "forward_cover"};
constexpr std::string_view kCreatingClaims[] = {"trace", "program_basis", "cutoff"};
constexpr std::string_view kFixedClaims[] = {"trace",
                                             "program_basis",
                                             "cutoff",
                                             "context_relations",
                                             "context_relations up to a bound",
                                             "configuration_sets",
                                             "configuration_sets up to a bound",
                                             "turn_facts",
                                             "turn_facts up to a bound"};
constexpr std::string_view kRecursiveClaims[] = {"trace", "context_relations",
                                                 "context_relations up to a bound",
                                                 "program_stacks", "program_stacks up to a bound"};
constexpr std::string_view kCClaims[] = {"trace", "exploration", "thread_invariants"};
constexpr std::string_view kCreatingCClaims[] = {"trace", "exploration up to a bound"};
constexpr std::string_view kRaceClaims[] = {"trace", "exploration", "race_freedom"};
constexpr std::string_view kTerminationClaims[] = {"trace", "exploration", "termination_proof"};
constexpr std::string_view kWaitingClaims[] = {"trace", "exploration", "deadlock_freedom"};
constexpr std::string_view kPushdownClaims[] = {"trace", "pushdown_invariant",
                                                "pushdown_invariant up to a bound"};

}  // namespace

std::span<const ModelKind> model_kinds() {
  static const std::array kinds = {
      ModelKind{"ThreadSystems", random_threads_task, kEnough, 4'000, 1'000'000, true,
                kThreadClaims},
      ModelKind{"ChainsOfLoops", random_loops, kEnough, 2'000, 20'000'000, true, kLoopClaims},
      ModelKind{"OrdinaryNets", random_ordinary_net, kEnough, 3'000, 2'000'000, true, kNetClaims},
      ModelKind{"NetsWithResetsTransfersAndCopies", random_net, kEnough, 3'000, 3'000'000, true,
                kNetClaims},
      ModelKind{"NetsWithFewTokens", random_conserving_net, kEnough, 3'000, 10'000'000, true,
                kNetClaims},
      ModelKind{"NetsAndConditions", random_net_with_conditions, kEnough, 2'000, 5'000'000, false,
                kConditionClaims},
      ModelKind{"NonMonotoneNets", random_non_monotone_net, kEnough, 2'000, 4'000'000, false,
                kNetClaims},
      ModelKind{"ProgramsThatCreateThreads", random_creating_program, 30'000, 1'000, 21'000'000,
                false, kCreatingClaims},
      ModelKind{"ProgramsWithFixedThreads", random_program_of_fixed_threads, 1'000, 100, 7'200'000,
                false, kFixedClaims},
      ModelKind{"RecursivePrograms", random_recursive_program, 1'000, 100, 7'100'000, false,
                kRecursiveClaims},
      ModelKind{"PushdownSystems", random_pushdown_system, 5'000, 3'000, 31'000'000, false,
                kPushdownClaims},
      ModelKind{"CPrograms", random_c_program, 2'000, 20, 41'000'000, true, kCClaims},
      ModelKind{"CProgramsThatCreateThreads", random_creating_c_program, 2'000, 14, 44'000'000,
                false, kCreatingCClaims},
      ModelKind{"CProgramsAndRaces", random_races, 2'000, 10, 42'000'000, false, kRaceClaims},
      ModelKind{"CProgramsAndTermination", random_termination, 2'000, 8, 43'000'000, false,
                kTerminationClaims},
      ModelKind{"CProgramsThatWait", random_waiting, 2'000, 16, 45'000'000, false, kWaitingClaims},
  };
  return kinds;
}

}  // namespace heddle::test
