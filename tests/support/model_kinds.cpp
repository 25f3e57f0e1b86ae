#include "support/model_kinds.hpp"

#include <array>
#include <optional>

#include "frontend/frontend.hpp"
#include "support/loop_models.hpp"
#include "support/random_models.hpp"
#include "support/random_programs.hpp"
#include "support/random_pushdown.hpp"
#include "support/random_threads.hpp"
#include "support/threads_task.hpp"

namespace heddle::test {

namespace {

using model::Task;

Task random_ordinary_net(Random& random) { return random_net_task(random, {.ordinary = true}); }
Task random_net(Random& random) { return random_net_task(random, {}); }
Task random_conserving_net(Random& random) { return random_net_task(random, {.conserving = true}); }
Task random_non_monotone_net(Random& random) {
  return random_net_task(random, {.upper_bounds = true});
}

/// Threads that create others, wait for them, wake them and change their variables.
Task random_creating_program(Random& random) {
  const bool any_number = random.one_in(3);
  const unsigned flavour = random.below(4);
  Task task{random_program(random, {.broadcasts = flavour != 0,
                                    .signals = flavour == 2,
                                    .passive = flavour == 3,
                                    .calls = flavour != 3}),
            {}};
  task.question.initial = *frontend::parse_initial(task.model, {"test", any_number ? "any" : "1"});
  task.question.targets = {{}};
  return task;
}

/// One to three threads, mostly within one or two contexts: diagrams of several rounds of several
/// threads take long.
Task random_fixed_threads(Random& random, bool recursion) {
  const unsigned threads = !recursion && random.one_in(5) ? 3 : random.between(1, 2);
  const std::string text = random_threads(random, {.threads = threads, .recursion = recursion});
  if (random.one_in(threads == 1 ? 2 : 20)) return threads_task(text, std::nullopt);
  return threads_task(text, random.one_in(15) && threads < 3 ? 3 : random.between(1, 2));
}

Task random_program_of_fixed_threads(Random& random) { return random_fixed_threads(random, false); }
Task random_recursive_program(Random& random) { return random_fixed_threads(random, true); }

Task random_pushdown_system(Random& random) {
  Task task = random_pushdown(random, 3);
  if (const unsigned contexts = random.below(4)) task.question.contexts = contexts;
  return task;
}

constexpr std::uint64_t kEnough = 200'000;

constexpr std::string_view kThreadClaims[] = {"trace", "backward_basis", "closed_thread_states",
                                              "cutoff"};
constexpr std::string_view kLoopClaims[] = {"trace", "backward_basis", "closed_thread_states",
                                            "pathwise_proof", "cutoff"};
constexpr std::string_view kNetClaims[] = {"trace", "backward_basis", "cutoff"};
constexpr std::string_view kCreatingClaims[] = {"trace", "program_basis"};
constexpr std::string_view kFixedClaims[] = {"trace",
                                             "program_basis",
                                             "context_relations",
                                             "context_relations up to a bound",
                                             "configuration_sets",
                                             "configuration_sets up to a bound",
                                             "turn_facts",
                                             "turn_facts up to a bound"};
constexpr std::string_view kRecursiveClaims[] = {"trace", "context_relations",
                                                 "context_relations up to a bound",
                                                 "program_stacks", "program_stacks up to a bound"};
constexpr std::string_view kPushdownClaims[] = {"trace", "pushdown_invariant",
                                                "pushdown_invariant up to a bound"};

}  // namespace

std::span<const ModelKind> model_kinds() {
  static const std::array kinds = {
      ModelKind{"ThreadSystems", random_thread_task, kEnough, 12'000, 1'000'000, true,
                kThreadClaims},
      ModelKind{"ChainsOfLoops", random_loop_task, kEnough, 5'000, 20'000'000, true, kLoopClaims},
      ModelKind{"OrdinaryNets", random_ordinary_net, kEnough, 10'000, 2'000'000, true, kNetClaims},
      ModelKind{"NetsWithResetsTransfersAndCopies", random_net, kEnough, 10'000, 3'000'000, true,
                kNetClaims},
      ModelKind{"NetsWithFewTokens", random_conserving_net, kEnough, 10'000, 10'000'000, true,
                kNetClaims},
      ModelKind{"NonMonotoneNets", random_non_monotone_net, kEnough, 10'000, 4'000'000, false,
                kNetClaims},
      ModelKind{"ProgramsThatCreateThreads", random_creating_program, 30'000, 2'500, 21'000'000,
                false, kCreatingClaims},
      ModelKind{"ProgramsWithFixedThreads", random_program_of_fixed_threads, 1'000, 100, 7'200'000,
                false, kFixedClaims},
      ModelKind{"RecursivePrograms", random_recursive_program, 1'000, 100, 7'100'000, false,
                kRecursiveClaims},
      ModelKind{"PushdownSystems", random_pushdown_system, 5'000, 3'000, 31'000'000, false,
                kPushdownClaims},
  };
  return kinds;
}

}  // namespace heddle::test
