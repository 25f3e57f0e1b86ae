#include "engine/explore/lasso.hpp"

#include <algorithm>

#include "base/components.hpp"
#include "engine/explore/state_table.hpp"
#include "model/c/recurrence.hpp"
#include "model/c/run_end.hpp"
#include "model/c/same_state.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

constexpr std::uint32_t kNoStep = ~std::uint32_t{0};
/// Rounds of the loop that are executed.
constexpr int kRounds = 2;
/// Of a long run, the first and the last so many instructions are searched for a loop. It begins at
/// one of the last few states in which threads stand where they do at its end.
constexpr std::size_t kMostMoments = 2'000;
constexpr std::size_t kMostBeginnings = 3;
constexpr std::size_t kMostAttempts = 300;

using StepPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The steps from each state, one state after the other.
class Successors {
 public:
  Successors(std::size_t states, const StepPairs& steps) : begins_(states + 1, 0) {
    for (const auto& [from, to] : steps) ++begins_[from + 1];
    for (std::size_t i = 0; i < states; ++i) begins_[i + 1] += begins_[i];
    order_.resize(steps.size());
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (std::uint32_t i = 0; i < steps.size(); ++i) order_[next[steps[i].first]++] = i;
  }

  std::uint32_t begin(std::uint32_t state) const { return begins_[state]; }
  std::uint32_t end(std::uint32_t state) const { return begins_[state + 1]; }
  std::uint32_t step(std::uint32_t at) const { return order_[at]; }

 private:
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> order_;
};

/// Among the steps that close a cycle of a depth-first search, the one to the earliest state.
std::uint32_t closing_step(std::size_t states, const StepPairs& steps, const Successors& next) {
  enum class Mark : std::uint8_t { New, OnPath, Done };
  std::vector<Mark> marks(states, Mark::New);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path;  // a state, and where it goes on
  std::uint32_t best = kNoStep;
  for (std::uint32_t root = 0; root < states; ++root) {
    if (marks[root] != Mark::New) continue;
    marks[root] = Mark::OnPath;
    path.emplace_back(root, next.begin(root));
    while (!path.empty()) {
      auto& [state, at] = path.back();
      if (at == next.end(state)) {
        marks[state] = Mark::Done;
        path.pop_back();
        continue;
      }
      const std::uint32_t step = next.step(at++);
      const std::uint32_t to = steps[step].second;
      if (marks[to] == Mark::OnPath && (best == kNoStep || to < steps[best].second)) best = step;
      if (marks[to] != Mark::New) continue;
      marks[to] = Mark::OnPath;
      path.emplace_back(to, next.begin(to));
    }
  }
  return best;
}

/// The shortest way from one state to another. Precondition: there is one.
std::vector<std::uint32_t> shortest_way(std::size_t states, const StepPairs& steps,
                                        const Successors& next, std::uint32_t from,
                                        std::uint32_t to) {
  std::vector<std::uint32_t> reached_by(states, kNoStep);
  std::vector<std::uint32_t> queue{from};
  for (std::size_t head = 0; head < queue.size() && reached_by[to] == kNoStep; ++head) {
    const std::uint32_t state = queue[head];
    if (state == to) break;
    for (std::uint32_t at = next.begin(state); at != next.end(state); ++at) {
      const std::uint32_t step = next.step(at);
      const std::uint32_t reached = steps[step].second;
      if (reached == from || reached_by[reached] != kNoStep) continue;
      reached_by[reached] = step;
      queue.push_back(reached);
    }
  }
  std::vector<std::uint32_t> way;
  for (std::uint32_t state = to; state != from; state = steps[way.back()].first) {
    way.push_back(reached_by[state]);
  }
  std::ranges::reverse(way);
  return way;
}

/// The component of each state, and of each component whether its steps serve everybody.
class FairComponents {
 public:
  FairComponents(const StepPairs& steps, const Service& service, const Successors& next)
      : component_(service.threads.size(), 0) {
    const base::Graph graph{
        service.threads.size(),
        [&](std::uint32_t state, std::size_t position) -> std::optional<std::uint32_t> {
          const std::size_t at = next.begin(state) + position;
          if (at >= next.end(state)) return std::nullopt;
          return steps[next.step(static_cast<std::uint32_t>(at))].second;
        }};
    const auto components = base::strongly_connected_components(graph);
    for (std::uint32_t c = 0; c < components.size(); ++c)
      for (const std::uint32_t state : components[c]) component_[state] = c;
    served_.resize(components.size(), 0);
    has_step_.resize(components.size(), false);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!is_inside(steps[i])) continue;
      served_[component_[steps[i].first]] |= service.by_step[i];
      has_step_[component_[steps[i].first]] = true;
    }
  }

  bool is_inside(const std::pair<std::uint32_t, std::uint32_t>& step) const {
    return component_[step.first] == component_[step.second];
  }
  bool is_fair(std::uint32_t state, std::uint64_t everybody) const {
    const std::uint32_t c = component_[state];
    return has_step_[c] && (everybody & ~served_[c]) == 0;
  }
  bool is_together(std::uint32_t a, std::uint32_t b) const {
    return component_[a] == component_[b];
  }

 private:
  std::vector<std::uint32_t> component_;
  std::vector<std::uint64_t> served_;
  std::vector<bool> has_step_;
};

/// Bits of so many threads, up to 64.
std::uint64_t first_bits(std::uint32_t threads) {
  return threads >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << threads) - 1;
}

/// Numbers the states of a run, one after each instruction, until one comes a second time.
class Recurrence {
 public:
  explicit Recurrence(const Interpreter& interpreter) : interpreter_(interpreter) {
    add(interpreter.initial());
  }

  void executed(const ReplayedInstruction& instruction) {
    if (found_) return;
    instructions_.emplace_back(
        instruction.thread,
        std::vector<std::uint64_t>(instruction.choices.begin(), instruction.choices.end()));
    if (instruction.result.outcome == Outcome::Continued) add(instruction.after);
  }

  /// The run up to the second time, with its loop.
  std::optional<Run> lasso() const {
    if (!found_) return std::nullopt;
    Run run, loop;
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      append(i < found_->first ? run : loop, instructions_[i].first, instructions_[i].second);
    }
    run.loop_steps = static_cast<std::uint32_t>(loop.steps.size());
    const State& same = found_->second;
    run.violation = lasso_in(interpreter_, same, same, loop.steps.front().thread);
    run.steps.insert(run.steps.end(), loop.steps.begin(), loop.steps.end());
    return run;
  }

 private:
  void add(const State& state) {
    if (state.section_owner || state.has_ended) return;
    const auto [number, is_new] = table_.insert(state);
    if (is_new) {
      first_time_.push_back(instructions_.size());
    } else {
      found_.emplace(first_time_[number], state);
    }
  }

  const Interpreter& interpreter_;
  StateTable table_;
  std::vector<std::size_t> first_time_;  ///< by the state's number: instructions before it
  std::vector<std::pair<ThreadId, std::vector<std::uint64_t>>> instructions_;
  std::optional<std::pair<std::size_t, State>> found_;
};

/// A state of a run: after so many instructions, and who executes the one before.
struct Moment {
  State state;
  ThreadId thread;
  std::vector<std::uint64_t> choices;  ///< of the instruction before
};

/// Whether the threads of the first state stand at the same instructions in the second one.
bool stand_alike(const State& a, const State& b) {
  if (a.section_owner || b.section_owner || a.threads.size() > b.threads.size()) return false;
  for (std::size_t t = 0; t < a.threads.size(); ++t) {
    const Thread& x = *a.threads[t];
    const Thread& y = *b.threads[t];
    if (x.status != y.status || x.heap_next != y.heap_next || x.held != y.held ||
        x.frames != y.frames)
      return false;
  }
  return true;
}

/// Part of a run, instruction by instruction, and what comes before it.
struct Excerpt {
  Run before;
  std::vector<Moment> moments;
};

/// A part of the run that begins behind so many instructions.
Excerpt excerpt_of(const Interpreter& interpreter, const Run& run, std::size_t first) {
  Excerpt out;
  State state = interpreter.initial();
  std::size_t executed = 0;
  for (const RunStep& step : run.steps) {
    std::size_t used = 0;
    for (std::uint32_t i = 0; i < step.instructions; ++i, ++executed) {
      if (out.moments.size() == kMostMoments) return out;
      const std::size_t before = used;
      StepResult result;
      do {
        result = interpreter.step(state, step.thread,
                                  std::span(step.choices).subspan(before, used - before));
      } while (result.outcome == Outcome::NeedsChoice && used++ < step.choices.size());
      if (result.outcome != Outcome::Continued) return out;
      const auto choices = std::span(step.choices).subspan(before, used - before);
      if (executed < first)
        append(out.before, step.thread, choices);
      else
        out.moments.push_back({state, step.thread, {choices.begin(), choices.end()}});
    }
  }
  return out;
}

/// The first loop among these states that can be repeated: behind the one, up to the other.
std::optional<std::pair<std::size_t, std::size_t>> first_recurrence(
    const Interpreter& interpreter, const std::vector<Moment>& moments) {
  std::size_t attempts = 0;
  for (std::size_t end = 1; end < moments.size(); ++end)
    for (std::size_t begin = end, tried = 0; begin-- > 0 && tried < kMostBeginnings;) {
      if (!stand_alike(moments[begin].state, moments[end].state)) continue;
      ++tried;
      if (++attempts > kMostAttempts) return std::nullopt;
      Run loop;
      for (std::size_t i = begin + 1; i <= end; ++i)
        append(loop, moments[i].thread, moments[i].choices);
      if (!refute_recurrence(interpreter, moments[begin].state, loop.steps))
        return std::pair(begin, end);
    }
  return std::nullopt;
}

}  // namespace

std::vector<std::uint32_t> find_cycle(std::size_t states, const StepPairs& steps) {
  const Successors next(states, steps);
  const std::uint32_t last = closing_step(states, steps, next);
  if (last == kNoStep) return {};
  const auto [from, to] = steps[last];
  std::vector<std::uint32_t> cycle = shortest_way(states, steps, next, to, from);
  cycle.push_back(last);
  return cycle;
}

std::vector<std::uint32_t> find_fair_cycle(const StepPairs& steps, const Service& service) {
  const std::size_t states = service.threads.size();
  const Successors next(states, steps);
  const FairComponents components(steps, service, next);
  std::uint32_t first = 0;
  while (first < states && !components.is_fair(first, first_bits(service.threads[first]))) ++first;
  if (first == states) return {};
  std::uint64_t missing = first_bits(service.threads[first]);
  std::vector<std::uint32_t> cycle;
  std::uint32_t at = first;
  const auto go = [&](const std::vector<std::uint32_t>& way) {
    for (const std::uint32_t step : way) {
      cycle.push_back(step);
      missing &= ~service.by_step[step];
      at = steps[step].second;
    }
  };
  for (std::uint32_t i = 0; i < steps.size() && (missing != 0 || cycle.empty()); ++i) {
    const bool serves = missing == 0 || (missing & service.by_step[i]) != 0;
    if (!serves || !components.is_inside(steps[i]) ||
        !components.is_together(first, steps[i].first))
      continue;
    go(shortest_way(states, steps, next, at, steps[i].first));
    go({i});
  }
  go(shortest_way(states, steps, next, at, first));
  return cycle;
}

std::optional<Run> whole_lasso_of(const Interpreter& interpreter, const Run& stem,
                                  const std::vector<RunStep>& loop) {
  Run run = stem;
  std::optional<State> before;
  for (int i = 0; i <= kRounds; ++i) {
    const State after = replay(interpreter, run).state;
    if (before && is_same_state(*before, after)) {
      run.loop_steps = static_cast<std::uint32_t>(loop.size());
      run.violation = lasso_in(interpreter, *before, after, loop.front().thread);
      if (!refute(interpreter, run)) return run;
    }
    before = after;
    run.steps.insert(run.steps.end(), loop.begin(), loop.end());
  }
  return std::nullopt;
}

std::optional<Run> recurrent_lasso_in(const Interpreter& interpreter, const Run& path) {
  std::size_t length = 0;
  for (const RunStep& step : path.steps) length += step.instructions;
  const std::size_t late = length > kMostMoments ? length - kMostMoments : 0;
  for (const std::size_t first : {std::size_t{0}, late}) {
    auto [run, moments] = excerpt_of(interpreter, path, first);
    const auto found = first_recurrence(interpreter, moments);
    if (!found) continue;
    const auto [begin, end] = *found;
    for (std::size_t i = 0; i <= begin; ++i) append(run, moments[i].thread, moments[i].choices);
    Run loop;
    for (std::size_t i = begin + 1; i <= end; ++i)
      append(loop, moments[i].thread, moments[i].choices);
    run.violation =
        lasso_in(interpreter, moments[begin].state, moments[end].state, loop.steps.front().thread);
    run.loop_steps = static_cast<std::uint32_t>(loop.steps.size());
    run.steps.insert(run.steps.end(), loop.steps.begin(), loop.steps.end());
    if (!refute(interpreter, run)) return run;
  }
  return std::nullopt;
}

std::optional<Run> lasso_of(const Interpreter& interpreter, const Run& stem,
                            const std::vector<RunStep>& loop) {
  Run run = stem;
  for (int i = 0; i < kRounds; ++i) run.steps.insert(run.steps.end(), loop.begin(), loop.end());
  Recurrence recurrence(interpreter);
  replay(interpreter, run, nullptr,
         [&](const ReplayedInstruction& instruction) { recurrence.executed(instruction); });
  std::optional<Run> lasso = recurrence.lasso();
  if (lasso && refute(interpreter, *lasso)) return std::nullopt;
  return lasso;
}

}  // namespace heddle::engine::explore
