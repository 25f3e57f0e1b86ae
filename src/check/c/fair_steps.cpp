#include "check/c/fair_steps.hpp"

#include <utility>

namespace heddle::check::c {

using namespace model::c;

namespace {

ThreadBits bit(ThreadId thread) { return ThreadBits{1} << thread.index(); }

ThreadBits all_threads(std::size_t threads) {
  return threads >= kMostServed ? ~ThreadBits{0} : (ThreadBits{1} << threads) - 1;
}

using Lists = std::vector<std::vector<std::uint32_t>>;  ///< numbers of steps, by state

/// Visits what can be reached from a state and is not marked; `done` is told states in the order in
/// which their visits end.
template <class Target, class Done>
void visit(const Lists& lists, std::uint32_t root, std::vector<bool>& marked, const Target& target,
           const Done& done) {
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
  marked[root] = true;
  while (!path.empty()) {
    const auto [state, at] = path.back();
    if (at == lists[state].size()) {
      done(state);
      path.pop_back();
      continue;
    }
    ++path.back().second;
    const std::uint32_t next = target(lists[state][at]);
    if (marked[next]) continue;
    marked[next] = true;
    path.emplace_back(next, 0);
  }
}

}  // namespace

ThreadBits waiting_threads(const Interpreter& interpreter, const State& state) {
  ThreadBits waiting = 0;
  for (std::size_t i = 0; i < state.threads.size(); ++i)
    if (!is_enabled(interpreter, state, ThreadId(i))) waiting |= bit(ThreadId(i));
  return waiting;
}

Problem check_fairness(const Interpreter& interpreter, const Run& run) {
  std::size_t before_loop = 0;
  for (std::size_t i = 0; i + run.loop_steps < run.steps.size(); ++i)
    before_loop += run.steps[i].instructions;
  std::size_t executed = 0;
  ThreadBits served = 0;
  bool is_crowded = false;
  const Replay replayed =
      replay(interpreter, run, nullptr, [&](const ReplayedInstruction& instruction) {
        if (executed++ < before_loop) return;
        is_crowded = is_crowded || instruction.after.threads.size() > kMostServed;
        if (is_crowded) return;
        served |= bit(instruction.thread);
        if (!instruction.before.section_owner)
          served |= waiting_threads(interpreter, instruction.before);
      });
  if (is_crowded) return not_checked("fairness is checked for at most 64 threads");
  const std::size_t threads = replayed.state.threads.size();
  for (std::size_t i = 0; i < threads; ++i)
    if ((served & bit(ThreadId(i))) == 0)
      return refuted("thread " + std::to_string(i) +
                     " can always step in the loop, but never does: the run is not fair");
  return std::nullopt;
}

bool has_fair_cycle(const std::vector<FairStep>& steps, const std::vector<std::uint32_t>& threads) {
  const std::size_t states = threads.size();
  Lists forward(states), backward(states);
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    forward[steps[i].from].push_back(i);
    backward[steps[i].to].push_back(i);
  }
  std::vector<std::uint32_t> order;
  std::vector<bool> marked(states, false);
  for (std::uint32_t i = 0; i < states; ++i)
    if (!marked[i])
      visit(
          forward, i, marked, [&](std::uint32_t step) { return steps[step].to; },
          [&](std::uint32_t state) { order.push_back(state); });
  marked.assign(states, false);
  std::vector<std::uint32_t> component(states, 0);
  for (auto root = order.rbegin(); root != order.rend(); ++root)
    if (!marked[*root])
      visit(
          backward, *root, marked, [&](std::uint32_t step) { return steps[step].from; },
          [&](std::uint32_t state) { component[state] = *root; });
  std::vector<ThreadBits> served(states, 0);
  std::vector<bool> has_step(states, false);
  for (const FairStep& step : steps) {
    if (component[step.from] != component[step.to]) continue;
    served[component[step.from]] |= step.served;
    has_step[component[step.from]] = true;
  }
  for (std::size_t i = 0; i < states; ++i)
    if (has_step[i] && (all_threads(threads[i]) & ~served[i]) == 0) return true;
  return false;
}

}  // namespace heddle::check::c
