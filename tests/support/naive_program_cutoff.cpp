#include <algorithm>
#include <optional>
#include <set>

#include "model/boolean_program/interpreter.hpp"
#include "support/naive_cutoff.hpp"

namespace heddle::test {

namespace {

using model::boolean::Cube;
using model::boolean::Flow;
using model::boolean::NodeId;
using model::boolean::State;
using model::boolean::ThreadStateTarget;

constexpr std::size_t kMostStates = 4'000;

/// Thread states, with the least number of threads that reach them.
using Reached = std::map<ThreadStateTarget, unsigned>;

bool allows(const model::ProgramTask& task, unsigned threads) {
  return std::ranges::any_of(task.question.initial,
                             [&](const auto& region) { return region.allows(threads); });
}

/// All that at most so many threads reach. False if there is too much.
bool explore(const Flow& flow, const model::ProgramTask& task, unsigned threads, Reached& out) {
  std::set<State> seen;
  std::vector<State> open;
  const auto meet = [&](State state) {
    if (state.threads.size() > threads) return;
    std::ranges::sort(state.threads);
    if (seen.insert(state).second) open.push_back(std::move(state));
  };
  for (unsigned in_main = 1; in_main <= threads; ++in_main)
    if (allows(task, in_main))
      for (const State& state : initial_states(flow, in_main)) meet(state);
  while (!open.empty()) {
    const State state = std::move(open.back());
    open.pop_back();
    if (seen.size() > kMostStates) return false;
    for (const auto& thread : state.threads)
      out.try_emplace({thread.node, Cube::only(state.shared), Cube::only(thread.values)}, threads);
    for_each_step(flow, state, [&](const auto&, const State& after) { meet(after); });
  }
  return true;
}

bool claims(const answer::ProgramThreadStates& states, const Flow& flow,
            const ThreadStateTarget& state) {
  std::uint32_t root = states.reachable.at(state.node.index());
  const auto shared = static_cast<std::uint32_t>(flow.shared_names.size());
  while (root > 1) {
    const answer::DiagramNode& node = states.nodes.at(root - 2);
    const auto value =
        node.variable < shared ? state.shared[node.variable] : state.local[node.variable - shared];
    root = value == true ? node.high : node.low;
  }
  return root == 1;
}

}  // namespace

std::string naive_objection(const model::ProgramTask& task, const answer::Cutoff& cutoff,
                            unsigned most) {
  const auto flow = model::boolean::unfold(task.model);
  if (!flow || !cutoff.program) return "there are no thread states of a program";
  Reached reached;
  unsigned explored = 0;
  for (unsigned threads = 1; threads <= most && explored + 1 == threads; ++threads)
    if (explore(*flow, task, threads, reached)) explored = threads;
  unsigned greatest = 0;
  for (const auto& [state, threads] : reached) {
    greatest = std::max(greatest, threads);
    if (!claims(*cutoff.program, *flow, state)) return "a reachable thread state is missing";
  }
  if (cutoff.threads < greatest) return "the cutoff is too small";
  const std::size_t variables = flow->shared_names.size() + flow->local_count;
  if (cutoff.threads > explored || variables > 8) return "";
  bool is_least = !allows(task, cutoff.threads - 1);
  for (unsigned fewer = 1; fewer < cutoff.threads; ++fewer) is_least &= !allows(task, fewer);
  if (cutoff.threads > greatest && !is_least) return "the cutoff is too large";
  for (std::size_t i = 0; i < flow->nodes.size(); ++i)
    for (unsigned bits = 0; bits < 1U << variables; ++bits) {
      const unsigned shared = bits & ((1U << flow->shared_names.size()) - 1);
      const ThreadStateTarget state{NodeId(i), Cube::only(shared),
                                    Cube::only(bits >> flow->shared_names.size())};
      if (claims(*cutoff.program, *flow, state) && !reached.contains(state))
        return "a thread state is claimed that is not reachable";
    }
  return "";
}

}  // namespace heddle::test
