#include "support/claims.hpp"

#include <algorithm>

#include "check/check.hpp"
#include "engine/engine.hpp"

namespace heddle::test {

namespace {

using answer::EvidenceStatus;
using nlohmann::json;

constexpr std::string_view kBounded = " up to a bound";

std::string kind_of(const model::AnyTask& task, const answer::Verdict& verdict) {
  std::string kind = model::kind_name(task) + ": ";
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
  auto stored = answer::read_evidence(text).value();
  claims.push_back({kind, std::move(document), std::move(stored)});
}

/// The task without what its question says about targets: a cutoff has none.
model::AnyTask without_targets(model::AnyTask any) {
  std::visit([](auto& task) { task.question.targets.clear(); }, any);
  return any;
}

void add_cutoffs(std::vector<Claim>& claims, const model::AnyTask& any, std::uint64_t steps) {
  for (const engine::EngineRow& engine : engine::cutoff_registry()) {
    const model::AnyTask task = without_targets(any);
    if (!engine.accepts(task).yes()) continue;
    base::Limits limits;
    limits.steps = steps;
    base::RunContext context(limits);
    const answer::Verdict verdict = engine.run(task, {}, context);
    if (!answer::is_definite(verdict)) continue;
    add_claim(claims, kind_of(task, verdict),
              answer::write_evidence({model::kind_of(task), std::string(engine.name),
                                      model::question_of(task), verdict}));
  }
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
bool is_decided(const model::AnyTask& task, const answer::Verdict& verdict, const Truth& truth) {
  if (std::holds_alternative<answer::Unsafe>(verdict)) return true;  // its trace was replayed
  if (std::holds_alternative<answer::Cutoff>(verdict)) return true;  // by brute force
  if (const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict))
    return truth.exact || (bounded->bound.what == answer::BoundKind::Contexts &&
                           truth.exact_rounds >= bounded->bound.value);
  return truth.exact || truth.decided(task).has_value();
}

Judgement judge(const model::AnyTask& task, const answer::StoredEvidence& stored,
                const Truth& truth) {
  base::RunContext context = checking_context();
  const auto checked = check::check(task, stored.verdict, context);
  if (checked.status != EvidenceStatus::Confirmed) return refused(checked);
  const std::string against = objection(task, stored.verdict, truth);
  if (!against.empty()) return {Judgement::Outcome::False, against};
  const bool decided = is_decided(task, stored.verdict, truth);
  return {decided ? Judgement::Outcome::True : Judgement::Outcome::Undecided, checked.why};
}

/// The task's model with another question about its kind.
model::AnyTask posed(const model::AnyTask& any, const model::AnyQuestion& question) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) -> model::AnyTask {
        return model::Task<Model>{task.model, std::get<model::QuestionOf<Model>>(question)};
      },
      any);
}

}  // namespace

std::vector<std::string> all_claim_kinds() {
  std::vector<std::string> all;
  const auto add = [&]<class Model>(std::string_view evidence) {
    all.push_back(std::string(model::Kind<Model>::kName) + ": " + std::string(evidence));
  };
  const auto add_kind = [&]<class Kind>() {
    base::for_each_type(typename Kind::Models{}, [&]<class Model>() {
      add.template operator()<Model>(Kind::kName);
      if (!Kind::Bounds::kIsEmpty)
        add.template operator()<Model>(std::string(Kind::kName) + std::string(kBounded));
    });
  };
  base::for_each_type(answer::CertificateKinds{}, add_kind);
  base::for_each_type(model::Kinds(),
                      [&]<class Model>() { add.template operator()<Model>("trace"); });
  add.template operator()<model::ThreadSystem>("cutoff");
  add.template operator()<model::PetriNet>("cutoff");
  add.template operator()<model::BooleanProgram>("cutoff");
  return all;
}

std::vector<Claim> claims_about(const model::AnyTask& task, std::uint64_t steps) {
  static const std::vector<Contestant> all = contestants(engine::registry());
  std::vector<Claim> claims;
  for (const Contestant& contestant : all) {
    if (!plays(contestant, task)) continue;
    base::Limits limits;
    limits.steps = steps;
    base::RunContext context(limits);
    const answer::Verdict verdict = verdict_of(contestant, task, context);
    if (!answer::is_definite(verdict)) continue;
    add_claim(claims, kind_of(task, verdict),
              answer::write_evidence({model::kind_of(task), std::string(contestant.engine->name),
                                      model::question_of(task), verdict}));
  }
  add_cutoffs(claims, task, steps);
  return claims;
}

Judgement judge_claim(const model::AnyTask& task, const answer::StoredEvidence& stored,
                      const Truth& truth) {
  return judge(task, stored, truth);
}

Judgement judge_document(const model::AnyTask& task, const json& document, const Truth& truth) {
  const auto claim = answer::read_evidence(document.dump());
  if (!claim) return {Judgement::Outcome::Rejected, claim.error()};
  if (claim->kind != model::kind_of(task))
    return {Judgement::Outcome::Rejected, "another kind of model"};
  const model::AnyTask asked = posed(task, claim->question);
  Judgement judgement = judge(asked, *claim, {});  // the truth matters if it is confirmed
  const bool confirmed = judgement.outcome != Judgement::Outcome::Refuted;
  if (!confirmed) return judgement;
  const bool same = model::question_of(asked) == model::question_of(task);
  return judge(asked, *claim, same ? truth : ask_truth(asked));
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
