/// The engine `context-joint`: from a task to a search, with deeper stacks as long as they are
/// needed, and from the search to an answer.

#include "engine/context/joint/joint.hpp"

#include <chrono>
#include <cmath>
#include <new>

#include "engine/context/context.hpp"
#include "engine/context/diagram_work.hpp"
#include "engine/context/joint/joint_search.hpp"
#include "engine/search_verdict.hpp"
#include "transform/fixed_threads.hpp"

namespace heddle::engine::context {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;

/// How often a procedure may be on a stack, at most.
constexpr std::uint32_t kDeepestStack = 64;

std::optional<std::vector<ThreadPlaces>> places_of(const transform::FixedThreads& threads,
                                                   std::uint32_t deepest) {
  std::vector<ThreadPlaces> out;
  for (const NodeId start : threads.starts) {
    auto places = ThreadPlaces::from(threads.flow, start, deepest);
    if (!places) return std::nullopt;
    out.push_back(std::move(*places));
  }
  return out;
}

/// Contexts of the run, and of those with the fewest. That search is a service: it is given up
/// where it costs much more than the first one, or memory that is not there.
void report_contexts(const JointSystem& system, const answer::ProgramRun& run,
                     RunContext& context) {
  std::uint32_t contexts = 1;
  for (std::size_t i = 1; i < run.steps.size(); ++i)
    contexts += run.steps[i].thread != run.steps[i - 1].thread;
  context.statistics().set("context switches", contexts - 1);
  base::Limits limits = context.limits();
  const auto now = std::chrono::steady_clock::now();
  if (limits.deadline) limits.deadline = now + (*limits.deadline - now) / 4;
  limits.steps = 1000 + 4 * context.steps();
  RunContext service(limits, context.seed(), context.stop_token());
  try {
    if (const auto fewest = fewest_contexts(system, contexts, service))
      context.statistics().set("fewest context switches", *fewest - 1);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): only the figure is lost
    // The run has been found, and the answer needs no more of these diagrams.
  }
}

/// Lists shared states with the round in which they are first reached.
class SharedStateList {
 public:
  SharedStateList(const JointSystem& system, RunContext& context)
      : system_(system), context_(context) {}

  void add(const JointSearch& search) {
    const Bdd now = search.shared_states();
    round_ = search.round();
    list(now - known_, 0, model::boolean::Cube::all());
    known_ = now;
    if (left_out_ > 0) context_.statistics().set("shared states not listed", left_out_);
  }

 private:
  void list(const Bdd& states, std::uint32_t variable, const model::boolean::Cube& values) {
    if (states.is_false()) return;
    if (listed_ == kMostListed) {
      left_out_ += count(states);
      return;
    }
    if (system_.flow().atomic_bit == variable) return list(states, variable + 1, values);
    if (variable == system_.flow().shared_names.size()) return note(values);
    const Bdd one = system_.space().variable(system_.variables().shared[variable]);
    for (const bool value : {false, true})
      list(value ? states & one : states - one, variable + 1, values.with(variable, value));
  }

  void note(const model::boolean::Cube& values) {
    ++listed_;
    const auto named = shared_values(system_.flow(), values);
    context_.statistics().set("contexts to " + model::values_text(named), round_);
  }

  /// How many there are, without a look at each.
  double count(const Bdd& states) const {
    solver::BddWriter writer;
    const std::uint32_t root = writer.add(states);
    std::vector<double> share{0, 1};  // of all valuations, by node
    for (const solver::BddNode& node : writer.nodes())
      share.push_back((share[node.low] + share[node.high]) / 2);
    const std::size_t variables =
        system_.flow().shared_names.size() - (system_.flow().atomic_bit ? 1 : 0);
    return std::ldexp(share[root], static_cast<int>(variables));
  }

  static constexpr std::size_t kMostListed = 1000;
  const JointSystem& system_;
  RunContext& context_;
  Bdd known_;
  std::uint32_t round_ = 0;
  std::size_t listed_ = 0;
  double left_out_ = 0;
};

/// The answer; nothing if stacks were too deep for it.
std::optional<Verdict> search_forward(const JointSystem& system,
                                      const std::optional<std::uint32_t>& asked,
                                      const JointOptions& options, RunContext& context) {
  const auto start = cpu_time();
  JointSearch search(system);
  SharedStateList states(system, context);
  while (!search.closed() && (!asked || search.round() < *asked) &&
         (asked || search.round() == 0 || time_for_a_round(context, start))) {
    using enum JointSearch::Rounds;
    if (const auto stop = search.play(context, asked == search.round() + 1 ? NoMore : More))
      return Unknown{unknown_reason(*stop), "stopped in round " + std::to_string(search.round())};
    if (search.end() == JointSearch::End::CutOff) return std::nullopt;
    if (options.list_shared_states) states.add(search);
    if (search.end() == JointSearch::End::Failed) {
      report_joint(system, search.round(), context);
      answer::ProgramRun run = run_of(search);
      report_contexts(system, run, context);
      return answer::Unsafe{std::move(run)};
    }
    report_free_contexts(context, search.round());
  }
  report_joint(system, search.round(), context);
  if (search.closed()) return answer::Safe{search.certificate()};
  return answer::SafeUpTo{answer::context_bound(base::Integer(search.round())),
                          search.certificate()};
}

Verdict run_joint(const model::ProgramTask& task, const JointOptions& options,
                  RunContext& context) {
  return answer_jointly(task, search_forward, options, context);
}

}  // namespace

Acceptance accepts_joint(const model::ProgramTask& task) {
  const auto threads = transform::fixed_threads(task);
  return threads ? Acceptance{} : Acceptance{threads.error()};
}

void report_joint(const JointSystem& system, std::uint32_t rounds, RunContext& context) {
  std::size_t places = 0;
  for (const ThreadPlaces& thread : system.threads()) places += thread.count();
  const auto set = [&](std::string_view name, std::size_t value) {
    context.statistics().set(name, static_cast<double>(value));
  };
  set("threads", system.threads().size());
  set("rounds", rounds);
  set("places", places);
  set("diagram nodes", system.space().nodes_in_use());
}

bool time_for_a_round(const RunContext& context, std::chrono::nanoseconds start) {
  return is_small_part(start, 4, context);
}

Verdict answer_jointly(const model::ProgramTask& task, JointAnswer search,
                       const JointOptions& options, RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the analysis began"};
  const auto threads = transform::fixed_threads(task);
  if (!threads) return Unknown{UnknownReason::Unsupported, threads.error()};
  for (std::uint32_t deepest = 1; deepest <= kDeepestStack; deepest *= 2) {
    auto places = places_of(*threads, deepest);
    if (!places) break;
    const JointSystem system(threads->flow, std::move(*places), context.limits().memory_mb);
    if (auto verdict = search(system, task.question.contexts, options, context)) return *verdict;
  }
  return Unknown{UnknownReason::Unsupported, "the call stacks grow too deep"};
}

EngineRow joint_row() {
  return row_for(
      {.name = "context-joint",
       .summary = "configurations of all fixed threads together, calls unfolded, round by round",
       .models = "Boolean programs with a fixed number of threads",
       .proves = true,
       .refutes = true,
       .complete = false,
       .counts_contexts = true,
       .evidence = {"trace", "turn_facts"},
       .options = {shared_states_option(&JointOptions::list_shared_states)}},
      accepts_joint, run_joint, refusal());
}

}  // namespace heddle::engine::context
