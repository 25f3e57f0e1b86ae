#include "support/agreement.hpp"

#include <algorithm>
#include <exception>

#include "check/check.hpp"
#include "model/counting.hpp"
#include "support/shrink.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::test {

namespace {

using answer::Safe;
using answer::Unsafe;

constexpr std::size_t kMostConflictsKept = 5;

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
      varied.name += " " + row.name + "=" + std::string(value);
      more.push_back(std::move(varied));
    }
  }
  return more;
}

Finding conflict(const std::string& what) { return {Outcome::Conflict, what, {}}; }

Finding judge_unknown(const Contestant& contestant, const answer::Unknown& unknown) {
  const std::string what = std::string(to_string(unknown.reason)) + ": " + unknown.detail;
  using enum answer::UnknownReason;
  const bool legitimate = unknown.reason == StepLimit || unknown.reason == CounterOverflow ||
                          unknown.reason == NotMonotone;
  if (contestant.engine->complete && !legitimate)
    return conflict("a complete engine gives up: " + what);
  return {Outcome::Unknown, what, {}};
}

/// What speaks against a definite verdict, without the checker.
std::string objection_to(const Contestant& contestant, const model::AnyTask& task,
                         const answer::Verdict& verdict, const Truth& truth) {
  const engine::EngineRow& row = *contestant.engine;
  if (std::holds_alternative<Safe>(verdict) && !row.proves)
    return "safe, from an engine that does not prove";
  if (std::holds_alternative<Unsafe>(verdict) && !row.refutes)
    return "unsafe, from an engine that does not refute";
  const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict);
  if (bounded && bounded->bound.what == answer::BoundKind::Contexts && !row.counts_contexts)
    return "safe up to a bound, from an engine that counts no contexts";
  return objection(task, verdict, truth);
}

Finding judge(const Contestant& contestant, const model::AnyTask& task,
              const answer::Verdict& verdict, const Truth& truth) {
  if (const auto* unknown = std::get_if<answer::Unknown>(&verdict)) {
    if (!contestant.engine->proves && truth.decided(task) == false)
      return {Outcome::Skipped, "there is nothing that it could find", {}};
    return judge_unknown(contestant, *unknown);
  }
  const std::string against = objection_to(contestant, task, verdict, truth);
  base::RunContext context;
  const answer::CheckResult checked = check::check(task, verdict, context);
  const std::string opinion = std::string(to_string(checked.status)) + " (" + checked.why + ")";
  const std::string name(verdict_name(verdict));
  if (!against.empty()) return conflict(against + "; the checker says " + opinion);
  if (checked.status != answer::EvidenceStatus::Confirmed)
    return conflict(name + ", but the checker says " + opinion);
  return {Outcome::Agree, name, std::string(answer::evidence_kind(verdict))};
}

/// Without reduction `compositional` takes minutes for programs that take it a second with it. That
/// both agree is tested on programs of its own (RandomCPrograms).
constexpr std::string_view kForComparison = "reduction";

}  // namespace

std::vector<Contestant> contestants(std::span<const engine::EngineRow> engines) {
  std::vector<Contestant> all;
  for (const engine::EngineRow& row : engines) {
    std::vector<Contestant> variants = {{&row, {}, std::string(row.name)}};
    for (const engine::OptionRow& option : row.options)
      if (option.name != kForComparison) variants = vary(variants, option);
    all.insert(all.end(), variants.begin(), variants.end());
  }
  return all;
}

bool plays(const Contestant& contestant, const model::AnyTask& task, std::string* why_not) {
  const engine::EngineRow& engine = *contestant.engine;
  const auto refuse = [&](const std::string& why) {
    if (why_not) *why_not = why;
    return false;
  };
  if (model::contexts_of(task) && !engine.counts_contexts) return refuse("it counts no contexts");
  const auto acceptance = engine.accepts(task);
  if (acceptance.yes()) return true;
  const auto counting = model::counting_task(task);
  if (counting && transform::needs_monotone_relaxation(*counting) &&
      engine.accepts(transform::relax_to_monotone(*counting).relaxed).yes())
    return true;
  return refuse(*acceptance.refusal);
}

answer::Verdict verdict_of(const Contestant& contestant, const model::AnyTask& task,
                           base::RunContext& context) {
  const engine::EngineRow& engine = *contestant.engine;
  const auto counting = model::counting_task(task);
  if (engine.accepts(task).yes() || !counting || !transform::needs_monotone_relaxation(*counting))
    return engine.run(task, contestant.options, context);
  const auto relaxation = transform::relax_to_monotone(*counting);
  const auto verdict = engine.run(relaxation.relaxed, contestant.options, context);
  return transform::translate_back(*counting, relaxation, verdict);
}

Finding examine(const Contestant& contestant, const model::AnyTask& task, const Truth& truth,
                std::uint64_t steps) {
  std::string why_not;
  if (!plays(contestant, task, &why_not)) return {Outcome::Skipped, why_not, {}};
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits);
  try {
    return judge(contestant, task, verdict_of(contestant, task, context), truth);
  } catch (const std::exception& error) {
    return conflict(std::string("thrown: ") + error.what());
  }
}

std::string contradiction(const std::vector<std::pair<const Contestant*, Finding>>& answers) {
  const auto who_says = [&](std::string_view verdict) -> const Contestant* {
    for (const auto& [contestant, finding] : answers)
      if (finding.outcome == Outcome::Agree && finding.what == verdict) return contestant;
    return nullptr;
  };
  const Contestant* safe = who_says("safe");
  const Contestant* unsafe = who_says("unsafe");
  if (!safe || !unsafe) return {};
  return safe->name + " says safe, " + unsafe->name + " says unsafe";
}

void Agreement::compare(const model::AnyTask& task) { compare(task, ask_truth(task, limits_)); }

void Agreement::compare(const model::AnyTask& task, const Truth& truth) {
  static constexpr std::string_view kOutcomes[] = {"", "skipped", "unknown", "conflict"};
  ++tasks_;
  reached_ += truth.decided(task) == true;
  exactly_not_ += truth.decided(task) == false;
  bool accepted = false;
  std::map<const engine::EngineRow*, std::size_t> settings;
  std::vector<std::pair<const Contestant*, Finding>> answers;
  for (const Contestant& contestant : contestants_) {
    if ((settings[contestant.engine]++ + tasks_) % turns_ != 0) continue;
    const Finding finding = examine(contestant, task, truth, steps_);
    accepted |= finding.outcome != Outcome::Skipped;
    ++counts_[static_cast<std::size_t>(finding.outcome)];
    Observed& seen = observed_[std::string(contestant.engine->name)];
    const bool agrees = finding.outcome == Outcome::Agree;
    ++seen.verdicts[agrees ? finding.what
                           : std::string(kOutcomes[static_cast<std::size_t>(finding.outcome)])];
    if (agrees) seen.evidence.insert(finding.evidence);
    if (finding.outcome == Outcome::Conflict && conflicts_.size() < kMostConflictsKept)
      keep_conflict(contestant, task);
    if (agrees) answers.emplace_back(&contestant, finding);
  }
  look_for_contradiction(task, answers);
  unaccepted_ += accepted ? 0 : 1;
}

std::size_t Agreement::skipped_by(const std::string& engine) const {
  const auto it = observed_.find(engine);
  if (it == observed_.end()) return 0;
  const auto skipped = it->second.verdicts.find("skipped");
  return skipped == it->second.verdicts.end() ? 0 : skipped->second;
}

void Agreement::look_for_contradiction(
    const model::AnyTask& task, const std::vector<std::pair<const Contestant*, Finding>>& answers) {
  const std::string found = contradiction(answers);
  if (found.empty()) return;
  ++counts_[static_cast<std::size_t>(Outcome::Conflict)];
  if (conflicts_.size() < kMostConflictsKept) conflicts_.push_back(found + "\n" + task_text(task));
}

void Agreement::keep_conflict(const Contestant& contestant, const model::AnyTask& task) {
  const auto finding = [&](const model::AnyTask& candidate) {
    return examine(contestant, candidate, ask_truth(candidate, limits_), steps_);
  };
  const model::AnyTask smallest = shrink(task, [&](const model::AnyTask& candidate) {
    return finding(candidate).outcome == Outcome::Conflict;
  });
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
