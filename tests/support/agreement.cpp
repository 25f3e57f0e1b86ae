#include "support/agreement.hpp"

#include <algorithm>
#include <exception>

#include "check/check.hpp"
#include "support/shrink.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::test {

namespace {

using answer::Safe;
using answer::Unsafe;
using model::Task;

constexpr std::size_t kMostConflictsKept = 5;
constexpr unsigned kMostReplayedSteps = 1'000'000;

std::vector<std::string_view> split(std::string_view values, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t end = 0; (end = values.find(separator)) != values.npos;
       values.remove_prefix(end + 1))
    out.push_back(values.substr(0, end));
  out.push_back(values);
  return out;
}

/// Each contestant once for each value of the option.
std::vector<Contestant> vary(const std::vector<Contestant>& fewer, const engine::OptionRow& row) {
  std::vector<Contestant> more;
  for (const Contestant& contestant : fewer) {
    for (const std::string_view value : split(row.values, '|')) {
      Contestant varied = contestant;
      if (!row.set(varied.options, value)) continue;
      varied.name += " " + std::string(row.name) + "=" + std::string(value);
      more.push_back(std::move(varied));
    }
  }
  return more;
}

Finding conflict(const std::string& what) { return {Outcome::Conflict, what}; }

Finding judge_unknown(const Contestant& contestant, const answer::Unknown& unknown) {
  const std::string what = std::string(to_string(unknown.reason)) + ": " + unknown.detail;
  using enum answer::UnknownReason;
  const bool legitimate = unknown.reason == StepLimit || unknown.reason == CounterOverflow ||
                          unknown.reason == NotMonotone;
  if (contestant.engine->complete && !legitimate)
    return conflict("a complete engine gives up: " + what);
  return {Outcome::Unknown, what};
}

/// What speaks against a definite verdict, without the checker.
std::string objection(const Contestant& contestant, const Task& task,
                      const answer::Verdict& verdict, const model::OracleAnswer& oracle) {
  const auto* not_reached = std::get_if<model::NotReached>(&oracle);
  if (std::holds_alternative<Safe>(verdict)) {
    if (!contestant.engine->proves) return "safe, from an engine that does not prove";
    return not_reached ? "" : "safe, but the oracle has a witness";
  }
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
    if (!contestant.engine->refutes) return "unsafe, from an engine that does not refute";
    if (not_reached && not_reached->exact()) return "unsafe, but the oracle has seen everything";
    const std::string why = naive_replay(task, unsafe->trace);
    return why.empty() ? "" : "unsafe, but its trace does not replay: " + why;
  }
  return "";
}

Finding judge(const Contestant& contestant, const Task& task, const answer::Verdict& verdict,
              const model::OracleAnswer& oracle) {
  if (const auto* unknown = std::get_if<answer::Unknown>(&verdict))
    return judge_unknown(contestant, *unknown);
  const std::string against = objection(contestant, task, verdict, oracle);
  base::RunContext context;
  const answer::CheckResult checked = check::check(task, verdict, context);
  const std::string opinion = std::string(to_string(checked.status)) + " (" + checked.why + ")";
  const std::string name(verdict_name(verdict));
  if (!against.empty()) return conflict(against + "; the checker says " + opinion);
  if (checked.status != answer::EvidenceStatus::Confirmed)
    return conflict(name + ", but the checker says " + opinion);
  return {Outcome::Agree, name};
}

}  // namespace

std::vector<Contestant> contestants(std::span<const engine::EngineRow> engines) {
  std::vector<Contestant> all;
  for (const engine::EngineRow& row : engines) {
    if (row.models.starts_with("Boolean programs")) continue;
    std::vector<Contestant> variants = {{&row, {}, std::string(row.name)}};
    for (const engine::OptionRow& option : engine::option_table())
      if (std::ranges::find(row.options, option.name) != row.options.end())
        variants = vary(variants, option);
    all.insert(all.end(), variants.begin(), variants.end());
  }
  return all;
}

std::string naive_replay(const Task& task, const answer::Trace& trace) {
  const auto contains = [](auto test, const auto& regions, const model::Configuration& at) {
    return std::ranges::any_of(regions, [&](const auto& region) { return test(region, at); });
  };
  if (!contains(model::initial_region_contains, task.question.initial, trace.initial))
    return "it does not start in an initial configuration";
  model::Configuration at = trace.initial;
  unsigned steps = 0;
  for (const answer::TraceBlock& block : trace.blocks) {
    for (base::Integer round = 0; round < block.repetitions; ++round) {
      for (const answer::TraceStep& step : block.body) {
        if (++steps > kMostReplayedSteps) return "it is too long to be replayed naively";
        const auto* net = std::get_if<model::PetriNet>(&task.model);
        const auto after = net ? model::step(*net, at, step.transition)
                               : model::step(std::get<model::ThreadSystem>(task.model), at,
                                             step.transition, step.flows);
        if (!after) return "step " + std::to_string(steps) + ": " + after.error();
        at = *after;
      }
    }
  }
  if (contains(model::target_region_contains, task.question.targets, at)) return "";
  return "it ends in " + model::to_string(task.model, at) + ", which is not a target";
}

answer::Verdict verdict_of(const Contestant& contestant, const Task& task,
                           base::RunContext& context) {
  const engine::EngineRow& engine = *contestant.engine;
  if (engine.accepts(task).yes() || !transform::needs_monotone_relaxation(task))
    return engine.run(task, contestant.options, context);
  const auto relaxation = transform::relax_to_monotone(task);
  const auto verdict = engine.run(relaxation.relaxed, contestant.options, context);
  return transform::translate_back(task, relaxation, verdict);
}

Finding examine(const Contestant& contestant, const Task& task, const model::OracleAnswer& oracle) {
  const engine::EngineRow& engine = *contestant.engine;
  const auto acceptance = engine.accepts(task);
  const bool relaxed = transform::needs_monotone_relaxation(task) &&
                       engine.accepts(transform::relax_to_monotone(task).relaxed).yes();
  if (!acceptance.yes() && !relaxed) return {Outcome::Skipped, *acceptance.refusal};
  base::Limits limits;
  limits.steps = kAgreementSteps;
  base::RunContext context(limits);
  try {
    return judge(contestant, task, verdict_of(contestant, task, context), oracle);
  } catch (const std::exception& error) {
    return conflict(std::string("thrown: ") + error.what());
  }
}

void Agreement::compare(const Task& task) { compare(task, model::ask_oracle(task, limits_)); }

void Agreement::compare(const Task& task, const model::OracleAnswer& oracle) {
  ++tasks_;
  if (const auto* not_reached = std::get_if<model::NotReached>(&oracle))
    exactly_not_ += not_reached->exact() ? 1 : 0;
  else
    ++reached_;
  bool accepted = false;
  for (const Contestant& contestant : contestants_) {
    const Finding finding = examine(contestant, task, oracle);
    accepted |= finding.outcome != Outcome::Skipped;
    ++counts_[static_cast<std::size_t>(finding.outcome)];
    if (finding.outcome == Outcome::Skipped) ++skipped_by_[std::string(contestant.engine->name)];
    if (finding.outcome == Outcome::Conflict && conflicts_.size() < kMostConflictsKept)
      keep_conflict(contestant, task);
  }
  unaccepted_ += accepted ? 0 : 1;
}

std::size_t Agreement::skipped_by(const std::string& engine) const {
  const auto it = skipped_by_.find(engine);
  return it == skipped_by_.end() ? 0 : it->second;
}

void Agreement::keep_conflict(const Contestant& contestant, const Task& task) {
  const auto finding = [&](const Task& candidate) {
    return examine(contestant, candidate, model::ask_oracle(candidate, limits_));
  };
  const Task smallest = shrink(
      task, [&](const Task& candidate) { return finding(candidate).outcome == Outcome::Conflict; });
  conflicts_.push_back(contestant.name + ": " + finding(smallest).what + "\n" +
                       task_text(smallest));
}

std::string Agreement::summary() const {
  const auto number = [](std::size_t n) { return std::to_string(n); };
  return number(tasks_) + " tasks (" + number(reached_) + " reached, " + number(exactly_not_) +
         " exactly not reached, " + number(tasks_ - reached_ - exactly_not_) +
         " not found): " + number(count(Outcome::Agree)) + " agree, " +
         number(count(Outcome::Skipped)) + " skipped, " + number(count(Outcome::Unknown)) +
         " unknown, " + number(count(Outcome::Conflict)) + " conflict";
}

}  // namespace heddle::test
