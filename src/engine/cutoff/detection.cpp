#include "engine/cutoff/detection.hpp"

/// The question: which thread states are reachable for some number of threads (R), and what is the
/// least number c with R_c = R? In the paper, round n computes R_(n+1) in B while A asks whether a
/// candidate of R_n can be covered; if none can, n is the answer, if one can, both wait for B.
///
/// Here A draws two further conclusions from what it finds:
///
///   * A candidate that can be covered shows a thread state t to be reachable, whether or not B has
///     got there. A adds t to the known ones and goes on. Known states are always reachable, so
///     when no candidate of theirs can be covered they are R (candidates.hpp), no matter which
///     round B is in. With a realizable candidate the paper has A wait until B has found t;
///     plateaus can make that long.
///   * When R is known, c is the greatest of the least thread counts of its members. Each of them
///   is
///     what B finds in the round of that number, and also what the bounded backward search of
///     coverability/fewest_threads finds. A asks that about thread states that B has not reached
///     yet. So explicit search for c threads is not needed where it is hopeless (the Kanban nets,
///     whose cutoffs the paper could not determine).
///
/// B ends an argument of A as soon as it finds a thread state that A does not know (A's candidates
/// are then out of date), or the one whose threads A is counting. A then waits a moment for the end
/// of the round, as in the paper: a round that grows tends to grow more. A ends B when all is
/// counted. Neither loses work that it will need again: B goes on where it was, and what A proved
/// uncoverable stays so.
///
/// It ends. B alone would end: R_n grows finitely often, after the last time A's next argument
/// closes (backward search ends), and B reaches every member of R. B may run out of memory; then A
/// is never interrupted any more, adds to a finite set, and counts.

#include <algorithm>
#include <thread>

#include "base/invariant.hpp"
#include "coverability/pruner.hpp"

namespace heddle::engine::cutoff {

namespace {

using base::RunContext;
using base::StopReason;
using coverability::Demand;
using model::Configuration;

/// Memory for B if the run has no limit of its own, and the part of the limit that B gets.
constexpr std::size_t kForwardBytes = std::size_t{2} << 30;
constexpr std::size_t kForwardShare = 2;

constexpr std::uint64_t kFirstTurn = 2'000;
/// Steps of the first question about candidates, and how many times more when they do not suffice.
constexpr std::uint64_t kFirstArgument = 100'000;
constexpr std::uint64_t kMoreSteps = 4;
/// How many single candidates come next then, and the part of the steps that each of them gets.
constexpr unsigned kSingles = 8;
constexpr std::uint64_t kSingleShare = 32;
constexpr auto kWatchInterval = std::chrono::milliseconds(10);
/// How long A waits for the end of a round that has interrupted it. Rounds may take for ever.
constexpr auto kPatience = std::chrono::milliseconds(50);

/// Numbers of threads are machine words. A demand that can be covered, but not by so many, needs
/// more: initial states may have any number of them.
constexpr std::uint32_t kMostThreads = UINT32_MAX - 1;

coverability::Overflowed too_many_threads() {
  return {"more threads are needed than a machine word can count"};
}

base::Limits without_steps(const base::Limits& limits) {
  base::Limits result = limits;
  result.steps.reset();
  return result;
}

std::size_t forward_bytes(const base::Limits& limits) {
  if (!limits.memory_mb) return kForwardBytes;
  return std::min(kForwardBytes, (*limits.memory_mb << 20) / kForwardShare);
}

bool covers(const Configuration& configuration, const Demand& demand) {
  return configuration.shared.value == demand.control &&
         std::ranges::all_of(demand.counts, [&](const auto& entry) {
           return configuration.counts[model::Counter(entry.first)] >= entry.second;
         });
}

Configuration after(const model::CountingModel& model, const Configuration& before,
                    const answer::TraceStep& step) {
  auto next = model::step(model, before, step.transition, step.flows);
  HEDDLE_INVARIANT(next.has_value(), "a step of a trace should be enabled");
  return std::move(*next);
}

}  // namespace

Detection::Detection(const model::CountingTask& task, const coverability::ThreadFamily& family,
                     std::vector<Demand> targets, const CutoffOptions& options, Goal goal)
    : task_(task),
      family_(family),
      goal_(goal),
      targets_(std::move(targets)),
      forward_(family, targets_),
      fewest_threads_(task, family),
      pruner_(coverability::find_invariants(task, options.use_invariants)),
      realizability_(task, options),
      argument_steps_(kFirstArgument),
      known_(family.controls, family.counters) {
  know_initial_states(task.question);
}

void Detection::know_initial_states(const model::CountingQuestion& question) {
  for (const model::Region& region : question.initial)
    for (const model::CounterBound& bound : region.bounds)
      if (!bound.upper || *bound.upper > 0) known_.add(region.shared.value, bound.counter.value);
}

DetectionResult Detection::run(RunContext& context) {
  if (const auto stop = context.stopped()) return coverability::Stopped{*stop};
  forward_.limit_bytes(forward_bytes(context.limits()));
  DetectionResult outcome =
      context.limits().steps ? run_in_turns(context) : run_in_parallel(context);
  leave_statistics(context);
  return outcome;
}

// ---------------------------------------------------------------- B

Detection::Stop Detection::explore_one_level(RunContext& context) {
  const auto stop = forward_.next_level(
      context, [&](const coverability::FoundThreadState& state) { publish(state); });
  const Lock lock(mutex_);
  states_ = forward_.states();
  if (stop == StopReason::MemoryLimit) forward_ended_ = true;
  if (!stop) {
    ++rounds_;
    forward_ended_ = forward_ended_ || forward_.is_exhausted();
    if (goal_ == Goal::Target && forward_.target() &&
        forward_.target()->threads <= forward_.level())
      conclude(TargetReached{});
    conclude_if_all_counted();
  }
  changed_.notify_all();
  return stop;
}

void Detection::publish(const coverability::FoundThreadState& state) {
  const Lock lock(mutex_);
  const std::pair key(state.control, state.counter);
  first_.insert_or_assign(key, FirstReached{state.threads, std::nullopt});
  const bool is_news = known_.add(state.control, state.counter);
  HEDDLE_INVARIANT(!is_news || !closed_, "nothing new should be reached once all is known");
  if (is_news || counting_ == key) argument_.request_stop();
}

// ---------------------------------------------------------------- A

Detection::Stop Detection::argue_once(RunContext& context) {
  if (!closed_) return close(context);
  if (goal_ == Goal::Cutoff) return count_threads(context);
  return target_is_coverable_ ? shorten_target(context) : decide_target(context);
}

/// Two ways in turns: all candidates at once, then a few one by one, with few steps each. What
/// takes too many steps comes again with more of them.
Detection::Stop Detection::close(RunContext& context) {
  if (singles_left_ == 0) return ask_for_candidates(context);
  if (--singles_left_ == 0) argument_steps_ *= kMoreSteps;
  return ask_for_one_candidate(context);
}

/// A context for a part of the work, with at most so many steps.
RunContext Detection::part_of(const RunContext& context, std::uint64_t steps) {
  base::Limits limits = context.limits();
  limits.steps = limits.steps ? std::min(steps, *limits.steps - context.steps()) : steps;
  return RunContext(limits, context.seed(), context.stop_token());
}

Detection::Stop Detection::ask_for_candidates(RunContext& context) {
  std::vector<Candidate> open;
  std::size_t asked_about = 0;
  {
    const Lock lock(mutex_);
    open = candidates(family_, known_);
    asked_about = known_.size();
  }
  std::vector<Demand> demands;
  for (const Candidate& candidate : open) demands.push_back(candidate.demand);
  ++questions_;
  RunContext own = part_of(context, argument_steps_);
  const auto answer = realizability_.ask(demands, own);
  context.add_steps(own.steps());
  if (const auto* stopped = std::get_if<coverability::Stopped>(&answer)) {
    if (stopped->reason != StopReason::StepLimit) return stopped->reason;
    singles_left_ = kSingles;
    return context.stopped();
  }
  const Lock lock(mutex_);
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&answer)) conclude(*overflow);
  if (const auto* covered = std::get_if<coverability::Coverable>(&answer))
    learn_from(covered->trace, open);
  if (!std::holds_alternative<NoneCoverable>(answer)) return std::nullopt;
  closed_ = known_.size() == asked_about;  // unless B has found something meanwhile
  conclude_if_all_counted();
  return std::nullopt;
}

/// The search for the fewest threads finds its way where the one for any number is lost.
Detection::Stop Detection::ask_for_one_candidate(RunContext& context) {
  std::vector<Candidate> open;
  {
    const Lock lock(mutex_);
    open = candidates(family_, known_);
  }
  if (open.empty()) {
    singles_left_ = 0;
    return std::nullopt;
  }
  ++questions_;
  RunContext own = part_of(context, argument_steps_ / kSingleShare);
  const auto answer =
      fewest_threads_.ask({&open[next_candidate_++ % open.size()].demand, 1}, UINT32_MAX - 1,
                          {nullptr, realizability_.uncoverable().minimal, &pruner_}, own);
  context.add_steps(own.steps());
  if (const auto* stopped = std::get_if<coverability::Stopped>(&answer))
    return stopped->reason == StopReason::StepLimit ? context.stopped() : stopped->reason;
  const Lock lock(mutex_);
  if (const auto* covered = std::get_if<coverability::CoveredBy>(&answer)) {
    learn_from(covered->trace, open);
    singles_left_ = 0;
  }
  return std::nullopt;
}

/// Thread states along an interleaving, and those that its configurations are candidates for.
void Detection::learn_from(const answer::Trace& trace, const std::vector<Candidate>& open) {
  const auto learn = [&](const Configuration& at) {
    for (const auto& [counter, count] : at.counts.entries())
      known_.add(at.shared.value, counter.value);
    for (const Candidate& candidate : open)
      if (covers(at, candidate.demand)) known_.add(candidate.control, candidate.counter);
  };
  Configuration now = trace.initial;
  learn(now);
  for (const answer::TraceBlock& block : trace.blocks)
    for (const answer::TraceStep& step : block.body) learn(now = after(task_.model, now, step));
}

/// The least number of threads for one thread state that B has not reached.
Detection::Stop Detection::count_threads(RunContext& context) {
  {
    const Lock lock(mutex_);
    conclude_if_all_counted();
    if (outcome_) return std::nullopt;
    counting_.reset();
    for (Control control = 0; control < family_.controls && !counting_; ++control)
      for (const std::uint32_t counter : known_.locals(control))
        if (!first_.contains({control, counter})) counting_ = {control, counter};
  }
  const auto [control, counter] = *counting_;
  ++questions_;
  auto answer = fewest_threads_.ask(
      std::vector{Demand{control, {{counter, 1}}}}, kMostThreads,
      {&known_.rows(), realizability_.uncoverable().minimal, &pruner_}, context);
  const Lock lock(mutex_);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&answer)) return stopped->reason;
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&answer)) conclude(*overflow);
  if (auto* covered = std::get_if<coverability::CoveredBy>(&answer))
    first_.try_emplace(std::pair(control, counter),
                       FirstReached{covered->threads, std::move(covered->trace)});
  if (std::holds_alternative<coverability::NotCoveredWithin>(answer)) conclude(too_many_threads());
  conclude_if_all_counted();
  return std::nullopt;
}

bool Detection::lacks_a_state(const Demand& target) const {
  return std::ranges::any_of(target.counts, [&](const auto& entry) {
    return !known_.contains(target.control, entry.first);
  });
}

Detection::Stop Detection::decide_target(RunContext& context) {
  std::vector<Demand> possible;
  for (const Demand& target : targets_)
    if (!lacks_a_state(target)) possible.push_back(target);
  ++questions_;
  const auto answer = realizability_.ask(possible, context);
  const Lock lock(mutex_);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&answer)) return stopped->reason;
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&answer)) conclude(*overflow);
  if (std::holds_alternative<coverability::Coverable>(answer)) target_is_coverable_ = true;
  if (std::holds_alternative<NoneCoverable>(answer)) conclude(TargetUnreachable{});
  return std::nullopt;
}

/// Some target can be covered; by how many threads at least?
Detection::Stop Detection::shorten_target(RunContext& context) {
  std::vector<Demand> possible;
  for (const Demand& target : targets_)
    if (!lacks_a_state(target)) possible.push_back(target);
  ++questions_;
  auto answer = fewest_threads_.ask(
      possible, kMostThreads, {&known_.rows(), realizability_.uncoverable().minimal, &pruner_},
      context);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&answer)) return stopped->reason;
  const Lock lock(mutex_);
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&answer)) conclude(*overflow);
  if (std::holds_alternative<coverability::NotCoveredWithin>(answer)) conclude(too_many_threads());
  if (auto* covered = std::get_if<coverability::CoveredBy>(&answer))
    conclude(TargetReached{std::move(covered->trace)});
  return std::nullopt;
}

// ---------------------------------------------------------------- both

/// Precondition of both: the mutex is held, or nobody else is there.
void Detection::conclude(DetectionResult outcome) {
  if (outcome_) return;
  outcome_ = std::move(outcome);
  argument_.request_stop();
  everything_.request_stop();
  changed_.notify_all();
}

void Detection::conclude_if_all_counted() {
  if (goal_ == Goal::Cutoff && closed_ && first_.size() == known_.size()) conclude(AllReached{});
}

/// A and B by turns. A turn that its steps do not suffice for is repeated (A) or continued (B) with
/// twice as many.
DetectionResult Detection::run_in_turns(RunContext& context) {
  std::uint64_t turn = kFirstTurn;
  const auto take_turn = [&](auto work) -> Stop {
    base::Limits limits = context.limits();
    limits.steps = std::min(turn, *limits.steps - std::min(*limits.steps, context.steps()));
    RunContext own(limits, context.seed());
    const Stop stop = work(own);
    context.add_steps(own.steps());
    if (const Stop end = context.stopped()) conclude(coverability::Stopped{*end});
    return stop;
  };
  while (!outcome_) {
    bool is_short = false;
    if (!forward_ended_)
      is_short |= take_turn([&](RunContext& own) { return explore_one_level(own); }) ==
                  StopReason::StepLimit;
    if (!outcome_)
      is_short |=
          take_turn([&](RunContext& own) { return argue_once(own); }) == StopReason::StepLimit;
    if (is_short) turn *= 2;
    if (context.wants_event())
      context.emit({"cutoff", {{"threads", rounds_}, {"reached", first_.size()}}});
  }
  return *outcome_;
}

DetectionResult Detection::run_in_parallel(RunContext& context) {
  RunContext forward_context(context.limits(), context.seed(), everything_.get_token());
  {
    const auto guarded = [this](auto work) {
      try {
        work();
      } catch (...) {
        const Lock lock(mutex_);
        failure_ = std::current_exception();
        conclude(coverability::Stopped{StopReason::Cancelled});
      }
    };
    const std::jthread b([&] { guarded([&] { work_forward(forward_context); }); });
    std::jthread a;  // if there is no room for it, b has to be told to end
    guarded([&] { a = std::jthread([&] { guarded([&] { work_backward(context); }); }); });
    watch(context);
  }
  context.add_steps(forward_context.steps() + backward_steps_);
  if (failure_) std::rethrow_exception(failure_);
  return *outcome_;
}

void Detection::work_forward(RunContext& context) {
  for (;;) {
    const Stop stop = explore_one_level(context);
    const Lock lock(mutex_);
    if (stop && stop != StopReason::MemoryLimit) conclude(coverability::Stopped{*stop});
    if (outcome_ || forward_ended_) return;
  }
}

void Detection::work_backward(const RunContext& context) {
  std::uint32_t seen = 0;  // the rounds that were complete when B last interrupted
  bool interrupted = true;
  for (;;) {
    std::stop_token token;
    {
      Lock lock(mutex_);
      if (interrupted)
        changed_.wait_for(lock, kPatience,
                          [&] { return outcome_ || rounds_ > seen || forward_ended_; });
      if (outcome_) return;
      argument_ = std::stop_source();
      token = argument_.get_token();
    }
    RunContext own(without_steps(context.limits()), context.seed(), token);
    const Stop stop = argue_once(own);
    backward_steps_ += own.steps();
    const Lock lock(mutex_);
    if (stop && stop != StopReason::Cancelled) conclude(coverability::Stopped{*stop});
    interrupted = stop == StopReason::Cancelled && !closed_;
    if (interrupted) seen = rounds_;
  }
}

/// Keeps the limits and tells listeners while A and B work.
void Detection::watch(RunContext& context) {
  Lock lock(mutex_);
  while (!changed_.wait_for(lock, kWatchInterval, [&] { return outcome_.has_value(); })) {
    if (context.wants_event()) {
      const base::Event event{
          "cutoff",
          {{"threads", rounds_}, {"reached", first_.size()}, {"configurations", states_}}};
      lock.unlock();
      context.emit(event);
      lock.lock();
    }
    if (const auto stop = context.stopped()) conclude(coverability::Stopped{*stop});
  }
}

void Detection::leave_statistics(RunContext& context) const {
  const auto set = [&](std::string_view name, std::uint64_t value) {
    context.statistics().set(name, static_cast<double>(value));
  };
  set("rounds", rounds_);
  set("configurations", forward_.states());
  set("configuration bytes", forward_.bytes());
  set("reached", first_.size());
  set("questions", questions_);
  set("uncoverable", realizability_.uncoverable().minimal.size());
}

}  // namespace heddle::engine::cutoff
