#include "engine/compositional/plain_runs.hpp"

#include <vector>

/// Long runs are beyond bounded unrolling, but many violations need no particular schedule. These
/// two cost little, and what they find is a run.

namespace heddle::engine::compositional {

using model::c::Interpreter;
using model::c::Outcome;
using model::c::Run;
using model::c::State;
using model::c::StepResult;
using model::c::ThreadId;

namespace {

class PlainRun {
 public:
  PlainRun(const model::c::Program& program, bool youngest_first)
      : interpreter_(program), state_(interpreter_.initial()), youngest_first_(youngest_first) {}

  std::optional<Run> go(std::uint64_t most_instructions, base::RunContext& context) {
    ThreadId current(std::size_t{0});
    for (std::uint64_t i = 0; i < most_instructions; ++i) {
      if (context.step()) return std::nullopt;
      if (!interpreter_.can_step(state_, current, true)) {
        const auto other = next();
        if (!other) return std::nullopt;
        current = *other;
      }
      const StepResult result = step(current);
      if (result.violation) {
        run_.violation = *result.violation;
        if (model::c::violates(model::c::Property::Reach, run_.violation.kind))
          return std::move(run_);
        return std::nullopt;
      }
      if (result.outcome != Outcome::Continued) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  std::optional<ThreadId> next() const {
    std::vector<ThreadId> able;
    for (std::size_t i = 0; i < state_.threads.size(); ++i)
      if (interpreter_.can_step(state_, ThreadId(i), true)) able.emplace_back(i);
    if (able.empty()) return std::nullopt;
    return youngest_first_ ? able.back() : able.front();
  }

  StepResult step(ThreadId thread) {
    std::vector<std::uint64_t> choices;
    StepResult result = interpreter_.step(state_, thread, choices);
    while (result.outcome == Outcome::NeedsChoice) {
      choices.push_back(0);
      result = interpreter_.step(state_, thread, choices);
    }
    model::c::append(run_, thread, choices);
    return result;
  }

  Interpreter interpreter_;
  State state_;
  bool youngest_first_;
  Run run_;
};

}  // namespace

std::optional<Run> find_plain_run(const model::c::Program& program, std::uint64_t most_instructions,
                                  base::RunContext& context) {
  for (const bool youngest_first : {false, true}) {
    if (context.stopped()) break;
    if (auto run = PlainRun(program, youngest_first).go(most_instructions, context)) return run;
  }
  return std::nullopt;
}

}  // namespace heddle::engine::compositional
