#include "engine/explore/search.hpp"

#include <algorithm>
#include <iterator>

#include "engine/explore/lasso.hpp"
#include "model/c/run_end.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

constexpr std::uint32_t kMostPriority = 4000;
/// The clock is read after so many states.
constexpr std::uint64_t kExpansionsPerLook = 256;
/// Threads up to here cost nothing, further ones as much as a preemption each.
constexpr std::size_t kFewThreads = 4;
/// Few choices of inputs come first: so many of them cost as much as a preemption, but no more than
/// the first ones, since programs that choose again and again would otherwise not be followed.
constexpr std::uint32_t kChoicesPerPreemption = 2;
constexpr std::uint32_t kMostForChoices = 3;
/// So many threads that may get stuck are told apart.
constexpr std::size_t kMostStuck = 100;
/// States that runs without end are looked for before: the deepest of so many threads, and others.
constexpr std::size_t kMostDeepest = 8;
constexpr std::size_t kMostSamples = 16;

}  // namespace

void Search::run(const SearchLimits& limits, const std::function<void(const State&)>& on_final) {
  explore(limits, on_final);
  if (is_about_ending(options_.property) && !is_done()) look_for_lasso();
}

void Search::explore(const SearchLimits& limits,
                     const std::function<void(const State&)>& on_final) {
  take(stepper_.begin(), kNoParent, ThreadId(0u), false);
  for (std::uint64_t i = 1; !is_done() && table_.size() <= limits.states; ++i) {
    const bool reads_clock = limits.until && i % kExpansionsPerLook == 0;
    if (reads_clock && std::chrono::steady_clock::now() > *limits.until) return;
    const std::optional<std::uint32_t> next = dequeue();
    if (!next) {
      is_exhausted_ = true;
      return;
    }
    expand(*next, on_final);
    stop_ = context_.step();
    if (context_.wants_event())
      context_.emit({"exploring", {{"states", static_cast<double>(table_.size())}}});
  }
}

std::size_t Search::priority_of(const Node& node, const State& state) const {
  if (order_.seeks_deadlocks) {
    std::size_t stuck = 0;
    for (std::size_t i = 0; i < state.threads.size(); ++i)
      stuck += stepper_.may_get_stuck(state, ThreadId(i)) ? 1 : 0;
    return kMostStuck - std::min(stuck, kMostStuck);
  }
  const auto live = static_cast<std::size_t>(
      std::ranges::count_if(state.threads, [](const auto& thread) { return thread->is_live(); }));
  const std::size_t many = live > kFewThreads ? live - kFewThreads : 0;
  const std::size_t choices =
      std::min(node.choices_before / kChoicesPerPreemption, kMostForChoices);
  return std::min<std::size_t>(
      node.preemptions + node.depth / order_.steps_per_preemption + many + choices, kMostPriority);
}

void Search::enqueue(std::uint32_t number, const State& state) {
  const std::size_t priority = priority_of(nodes_[number], state);
  if (priority >= queues_.size()) queues_.resize(priority + 1);
  queues_[priority].push_back(number);
  first_queue_ = std::min(first_queue_, priority);
}

std::optional<std::uint32_t> Search::dequeue() {
  while (first_queue_ < queues_.size()) {
    std::vector<std::uint32_t>& queue = queues_[first_queue_];
    if (!queue.empty()) {
      const std::uint32_t number = queue.back();
      queue.pop_back();
      return number;
    }
    ++first_queue_;
  }
  return std::nullopt;
}

void Search::expand(std::uint32_t number, const std::function<void(const State&)>& on_final) {
  const State state = table_.restore(number);
  if (is_about_waiting(options_.property)) look_for_deadlock(number, state);
  const std::size_t threads = state.threads.size();
  for (std::size_t i = 0; i < threads && !is_done(); ++i) {
    const ThreadId thread(i);
    if (!state.thread(thread).is_live() || !stepper_.is_local(state, thread)) continue;
    if (!stepper_.can_expand(state, thread)) continue;
    if (expand(number, state, thread, false)) return;
  }
  const ThreadId last(nodes_[number].thread);
  const bool last_can_go_on = last.index() < threads && stepper_.can_expand(state, last);
  bool is_final = true;
  for (std::size_t i = 0; i < threads && !is_done(); ++i) {
    const ThreadId thread(threads - 1 - i);  // the last one stored is expanded first
    if (!stepper_.can_expand(state, thread)) continue;
    is_final = false;
    expand(number, state, thread, last_can_go_on && thread != last);
  }
  if (is_final && !is_done() && on_final) on_final(state);
}

bool Search::expand(std::uint32_t number, const State& state, ThreadId thread, bool preempts) {
  return take(stepper_.expand(state, thread), number, thread, preempts);
}

bool Search::take(Steps steps, std::uint32_t parent, ThreadId thread, bool preempts) {
  for (const Finding& finding : steps.findings) judge(finding, parent, thread);
  for (Decision& decision : steps.decisions) {
    decisions_.push_back({parent, thread, std::move(decision)});
  }
  std::size_t new_states = 0;
  for (Successor& successor : steps.successors)
    new_states += store(successor, parent, thread, preempts) ? 1 : 0;
  // Fair runs: a cycle of states in which only one thread is expanded would hide the others.
  const std::size_t needed =
      options_.property == Property::FairTermination ? steps.successors.size() : 1;
  return new_states > 0 && new_states >= needed;
}

bool Search::store(Successor& successor, std::uint32_t parent, ThreadId thread, bool preempts) {
  const auto [number, is_new] = table_.insert(successor.state);
  const bool keeps_edges = is_about_ending(options_.property) && parent != kNoParent;
  if (!is_new && !keeps_edges) return false;
  const auto first_choice = static_cast<std::uint32_t>(choices_.size());
  const auto choices = static_cast<std::uint32_t>(successor.choices.size());
  choices_.insert(choices_.end(), successor.choices.begin(), successor.choices.end());
  if (keeps_edges) {
    edges_.push_back({parent, number, thread.value, successor.instructions, first_choice, choices,
                      successor.served});
  }
  if (!is_new) return false;
  Node node;
  node.parent = parent;
  node.thread = thread.value;
  node.threads = static_cast<std::uint32_t>(successor.state.threads.size());
  node.instructions = successor.instructions;
  node.first_choice = first_choice;
  node.choices = node.choices_before = choices;
  if (parent != kNoParent) {
    node.preemptions = nodes_[parent].preemptions + (preempts ? 1 : 0);
    node.depth = nodes_[parent].depth + 1;
    node.choices_before += nodes_[parent].choices_before;
  }
  nodes_.push_back(node);
  enqueue(number, successor.state);
  return true;
}

template <class Part>
RunStep Search::step_of(const Part& part) const {
  const auto first = choices_.begin() + part.first_choice;
  return RunStep{ThreadId(part.thread), part.instructions, {first, first + part.choices}};
}

Run Search::run_to(std::uint32_t number) const {
  std::vector<const Node*> path;
  for (std::uint32_t at = number; at != kNoParent; at = nodes_[at].parent) {
    path.push_back(&nodes_[at]);
  }
  Run run;
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    if ((*node)->instructions != 0) run.steps.push_back(step_of(**node));
  }
  return run;
}

std::vector<OpenDecision> Search::decisions() const {
  std::vector<OpenDecision> open;
  std::vector<OpenDecision> accesses;
  for (const auto& [parent, thread, decision] : decisions_) {
    std::vector<std::uint64_t> addresses;
    if (decision.object) {
      addresses = stepper_.accessed(*decision.object);
      if (addresses.size() < 2) continue;
    }
    Run run = run_to(parent);
    if (decision.instructions > 0) {
      run.steps.push_back(RunStep{thread, decision.instructions, decision.choices});
    }
    (decision.object ? accesses : open).push_back({std::move(run), thread, std::move(addresses)});
  }
  std::ranges::move(accesses, std::back_inserter(open));
  return open;
}

void Search::judge(const Finding& finding, std::uint32_t parent, ThreadId thread) {
  const bool is_asked_for = violates(options_.property, finding.violation.kind);
  if (is_about_ending(options_.property) && !is_undefined_behaviour(finding.violation.kind)) {
    return;  // a failed assertion ends the run
  }
  if (found_ || (!is_asked_for && warning_)) return;
  Run run = run_to(parent);
  run.steps.insert(run.steps.end(), finding.before.begin(), finding.before.end());
  run.steps.push_back(RunStep{thread, finding.instructions, finding.choices});
  run.steps.insert(run.steps.end(), finding.after.begin(), finding.after.end());
  run.violation = finding.violation;
  (is_asked_for ? found_ : warning_) = std::move(run);
}

void Search::look_for_deadlock(std::uint32_t number, const State& state) {
  if (!is_deadlocked(interpreter_, state)) return;
  Run run = run_to(number);
  run.violation = is_about_ending(options_.property) ? blocked_in(interpreter_, state)
                                                     : deadlock_in(interpreter_, state);
  found_ = std::move(run);
}

std::vector<std::uint32_t> Search::find_cycle_of_steps() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
  steps.reserve(edges_.size());
  for (const Edge& edge : edges_) steps.emplace_back(edge.from, edge.to);
  if (options_.property != Property::FairTermination) return find_cycle(table_.size(), steps);
  if (gaps().crowd) return {};
  Service service;
  for (const Edge& edge : edges_) service.by_step.push_back(edge.served);
  for (const Node& node : nodes_) service.threads.push_back(node.threads);
  return find_fair_cycle(steps, service);
}

void Search::look_for_lasso() {
  const std::vector<std::uint32_t> cycle = find_cycle_of_steps();
  if (cycle.empty()) return look_for_recurrence();
  const Run stem = run_to(edges_[cycle.front()].from);
  std::vector<RunStep> loop;
  for (const std::uint32_t edge : cycle) loop.push_back(step_of(edges_[edge]));
  found_ = options_.property == Property::FairTermination ? whole_lasso_of(interpreter_, stem, loop)
                                                          : lasso_of(interpreter_, stem, loop);
  has_inexact_cycle_ = !found_.has_value();
  if (found_ || options_.property == Property::FairTermination) return;
  Run twice = stem;
  for (int i = 0; i < 2; ++i) twice.steps.insert(twice.steps.end(), loop.begin(), loop.end());
  found_ = recurrent_lasso_in(interpreter_, twice);
}

/// On the way to the deepest states of each thread, and to some others.
void Search::look_for_recurrence() {
  if (options_.property == Property::FairTermination || nodes_.empty()) return;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const std::uint32_t thread = nodes_[i].thread;
    if (thread >= ends.size()) ends.resize(std::min<std::size_t>(thread + 1, kMostDeepest), i);
    if (thread < ends.size() && nodes_[i].depth >= nodes_[ends[thread]].depth) ends[thread] = i;
  }
  for (std::size_t i = 1; i <= kMostSamples; ++i)
    ends.push_back(static_cast<std::uint32_t>((nodes_.size() - 1) * i / kMostSamples));
  for (const std::uint32_t end : ends) {
    found_ = recurrent_lasso_in(interpreter_, run_to(end));
    if (found_ || context_.stopped()) return;
  }
}

}  // namespace heddle::engine::explore
