#include "support/claims.hpp"

#include <algorithm>

#include "check/check.hpp"
#include "check/cutoff.hpp"
#include "engine/cutoff/cutoff.hpp"

namespace heddle::test {

namespace {

using answer::EvidenceStatus;
using model::Task;
using nlohmann::json;

constexpr std::string_view kBounded = " up to a bound";

std::string kind_of(const Task& task, const answer::Verdict& verdict) {
  std::string kind = model::kind_name(task.model) + ": ";
  kind += answer::evidence_kind(verdict);
  return std::holds_alternative<answer::SafeUpTo>(verdict) ? kind + std::string(kBounded) : kind;
}

/// Above, a check takes too long for what it tells.
constexpr std::size_t kLargest = 40'000;

void add_claim(std::vector<Claim>& claims, const std::string& kind, const std::string& text) {
  if (text.size() > kLargest) return;
  json document = json::parse(text);
  const auto same = [&](const Claim& other) {
    return other.kind == kind && other.document.at("answer") == document.at("answer");
  };
  if (std::ranges::any_of(claims, same)) return;
  Stored stored = read_claim(document).value();
  claims.push_back({kind, std::move(document), std::move(stored)});
}

void add_cutoff(std::vector<Claim>& claims, const Task& task, std::uint64_t steps) {
  if (!engine::cutoff::accepts(task).yes()) return;
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits);
  const auto answer = engine::cutoff::find_cutoff(task, {}, context);
  const auto* cutoff = std::get_if<answer::Cutoff>(&answer);
  if (!cutoff) return;
  const std::string name = model::kind_name(task.model);
  add_claim(claims, name + ": cutoff",
            answer::write_cutoff_evidence({name, "cutoff", task.question.initial, *cutoff}));
}

/// A corrupted number can make a check long; what is not confirmed in time is not confirmed.
base::RunContext checking_context() {
  base::Limits limits;
  limits.steps = 50'000;
  return base::RunContext(limits);
}

Judgement refused(const answer::CheckResult& checked) {
  return {Judgement::Outcome::Refuted, checked.why};
}

/// Is the truth known about what the verdict claims?
bool is_decided(const Task& task, const answer::Verdict& verdict, const Truth& truth) {
  if (std::holds_alternative<answer::Unsafe>(verdict)) return true;  // its trace was replayed
  if (const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict))
    return truth.exact || truth.exact_rounds >= bounded->bound.value;
  return truth.exact || truth.decided(task.question).has_value();
}

Judgement judge(const Task& task, const answer::StoredCutoff& stored, const Truth&) {
  base::RunContext context = checking_context();
  const auto checked = check::check_cutoff(task, stored.cutoff, context);
  if (checked.status != EvidenceStatus::Confirmed) return refused(checked);
  const std::string against = objection(task, stored.cutoff);
  return {against.empty() ? Judgement::Outcome::True : Judgement::Outcome::False, against};
}

Judgement judge(const Task& task, const answer::StoredEvidence& stored, const Truth& truth) {
  base::RunContext context = checking_context();
  const auto checked = check::check(task, stored.verdict, context);
  if (checked.status != EvidenceStatus::Confirmed) return refused(checked);
  const std::string against = objection(task, stored.verdict, truth);
  if (!against.empty()) return {Judgement::Outcome::False, against};
  const bool decided = is_decided(task, stored.verdict, truth);
  return {decided ? Judgement::Outcome::True : Judgement::Outcome::Undecided, checked.why};
}

model::Question question_of(const answer::StoredEvidence& stored) { return stored.question; }
model::Question question_of(const answer::StoredCutoff& stored) { return {stored.initial, {}}; }

}  // namespace

std::vector<std::string> all_claim_kinds() {
  static_assert(std::variant_size_v<answer::Certificate> == 9, "list the new kind here");
  static_assert(std::variant_size_v<model::Model> == 4, "list traces of the new kind here");
  const std::string bounded(kBounded);
  return {"thread system: trace",
          "thread system: backward_basis",
          "thread system: closed_thread_states",
          "thread system: pathwise_proof",
          "thread system: cutoff",
          "Petri net: trace",
          "Petri net: backward_basis",
          "Petri net: cutoff",
          "Boolean program: trace",
          "Boolean program: program_basis",
          "Boolean program: context_relations",
          "Boolean program: context_relations" + bounded,
          "Boolean program: configuration_sets",
          "Boolean program: configuration_sets" + bounded,
          "Boolean program: turn_facts",
          "Boolean program: turn_facts" + bounded,
          "Boolean program: program_stacks",
          "Boolean program: program_stacks" + bounded,
          "pushdown system: trace",
          "pushdown system: pushdown_invariant",
          "pushdown system: pushdown_invariant" + bounded};
}

std::vector<Claim> claims_about(const Task& task, std::uint64_t steps) {
  static const std::vector<Contestant> all = contestants(engine::registry());
  std::vector<Claim> claims;
  for (const Contestant& contestant : all) {
    if (!plays(contestant, task)) continue;
    base::Limits limits;
    limits.steps = steps;
    base::RunContext context(limits);
    const answer::Verdict verdict = verdict_of(contestant, task, context);
    if (!answer::is_definite(verdict)) continue;
    add_claim(
        claims, kind_of(task, verdict),
        answer::write_evidence({model::kind_name(task.model), std::string(contestant.engine->name),
                                task.question, verdict}));
  }
  add_cutoff(claims, task, steps);
  return claims;
}

std::expected<Stored, std::string> read_claim(const json& document) {
  const std::string text = document.dump();
  if (!answer::is_cutoff_evidence(text)) return answer::read_evidence(text);
  return answer::read_cutoff_evidence(text);
}

Judgement judge_claim(const Task& task, const Stored& stored, const Truth& truth) {
  return std::visit([&](const auto& claim) { return judge(task, claim, truth); }, stored);
}

Judgement judge_document(const Task& task, const json& document, const Truth& truth) {
  const auto read = read_claim(document);
  if (!read) return {Judgement::Outcome::Rejected, read.error()};
  return std::visit(
      [&](const auto& claim) -> Judgement {
        if (claim.model_kind != model::kind_name(task.model))
          return {Judgement::Outcome::Rejected, "another kind of model"};
        const Task posed{task.model, question_of(claim)};
        Judgement judgement = judge(posed, claim, {});  // the truth matters if it is confirmed
        const bool confirmed = judgement.outcome != Judgement::Outcome::Refuted;
        if (!confirmed) return judgement;
        return judge(posed, claim, posed.question == task.question ? truth : ask_truth(posed));
      },
      *read);
}

std::size_t ClaimScore::tried(const std::string& kind) const {
  const auto it = counts_.find(kind);
  if (it == counts_.end()) return 0;
  std::size_t sum = 0;
  for (const std::size_t n : it->second) sum += n;
  return sum;
}

std::size_t ClaimScore::count(const std::string& kind, Judgement::Outcome outcome) const {
  const auto it = counts_.find(kind);
  return it == counts_.end() ? 0 : it->second[static_cast<std::size_t>(outcome)];
}

void ClaimScore::merge(const ClaimScore& other) {
  for (const auto& [kind, counts] : other.counts_)
    for (std::size_t i = 0; i < std::size(counts); ++i) counts_[kind][i] += counts[i];
}

std::string ClaimScore::summary() const {
  static constexpr std::string_view kOutcomes[] = {"rejected", "refuted", "true",
                                                   "true as far as known", "FALSE"};
  std::string out;
  for (const auto& [kind, counts] : counts_) {
    out += kind + ":";
    for (std::size_t i = 0; i < std::size(counts); ++i)
      out += (i ? ", " : " ") + std::to_string(counts[i]) + " " + std::string(kOutcomes[i]);
    out += "\n";
  }
  return out;
}

}  // namespace heddle::test
