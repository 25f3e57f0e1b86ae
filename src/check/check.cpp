#include "check/check.hpp"

#include "check/c/check.hpp"
#include "check/certificates.hpp"
#include "check/counting/replay.hpp"
#include "check/cutoff/cutoff.hpp"
#include "check/kinds.hpp"
#include "check/program/program_cutoff.hpp"
#include "check/program/program_replay.hpp"
#include "check/proof.hpp"
#include "check/pushdown/pushdown_replay.hpp"
#include "model/labels.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;

CheckResult about_another_kind() { return *refuted("the evidence is about another kind of model"); }

template <class Model, answer::CertificateKind Kind>
CheckResult check_safe(const model::Task<Model>& task, const Kind& certificate,
                       base::RunContext& context) {
  if constexpr (!answer::kIsAbout<Kind, Model>)
    return about_another_kind();
  else if constexpr (Kind::Bounds::kIsEmpty)
    return check_certificate(task, certificate, context);
  else
    return check_certificate(task, certificate, std::nullopt, context);
}

template <class Model>
CheckResult check_claim(const model::Task<Model>& task, const answer::Safe& safe,
                        base::RunContext& context) {
  return std::visit([&](const auto& which) { return check_safe(task, which, context); },
                    safe.certificate);
}

template <class Model>
CheckResult check_claim(const model::Task<Model>& task, const answer::Unsafe& unsafe,
                        base::RunContext& context) {
  const auto* run = std::get_if<answer::RunOf<Model>>(&unsafe.trace);
  return run ? check_run(task, *run, context) : about_another_kind();
}

/// A certificate may prove less than that nothing bad is reachable: nothing bad up to a bound.
template <class Model, answer::CertificateKind Kind>
CheckResult check_bound(const model::Task<Model>& task, const answer::Bound& bound,
                        const Kind& certificate, base::RunContext& context) {
  if constexpr (!answer::kIsAbout<Kind, Model>) {
    return about_another_kind();
  } else if constexpr (Kind::Bounds::kIsEmpty) {
    return *refuted("a certificate of this kind proves no bound");
  } else {
    if (!Kind::Bounds::contains(bound.what))
      return *refuted("the certificate proves no bound on " + std::string(to_string(bound.what)));
    return check_certificate(task, certificate, bound, context);
  }
}

template <class Model>
CheckResult check_claim(const model::Task<Model>& task, const answer::SafeUpTo& safe,
                        base::RunContext& context) {
  if (safe.bound.value < 1)
    return *refuted("a bound of " + base::to_string(safe.bound.value) + " " +
                    std::string(to_string(safe.bound.what)) + " excludes every run");
  return std::visit(
      [&](const auto& which) { return check_bound(task, safe.bound, which, context); },
      safe.certificate);
}

template <class Model>
CheckResult check_claim(const model::Task<Model>& task, const answer::Cutoff& cutoff,
                        base::RunContext& context) {
  if constexpr (base::kContains<Model, model::CountingKinds>)
    return cutoff.program ? about_another_kind() : check_cutoff(task, cutoff, context);
  else if constexpr (std::same_as<Model, model::BooleanProgram>)
    return check_program_cutoff(task, cutoff, context);
  else
    return *refuted("a " + std::string(model::Kind<Model>::kName) + " has no thread count");
}

template <class Model>
CheckResult check_claim(const model::Task<Model>&, const answer::Unknown&, base::RunContext&) {
  return {EvidenceStatus::NotChecked, "nothing is claimed"};
}

/// What the question says about the model beside names: where it has labels, its failures.
template <class Model>
std::optional<std::string> contradiction(const model::Task<Model>& task) {
  if constexpr (model::HasLabels<model::QuestionOf<Model>>)
    if (task.question.labels != task.model.failure_labels)
      return "the program does not fail at the question's labels";
  return std::nullopt;
}

}  // namespace

/// Traces of models that count. There are no contexts in them.
CheckResult check_run(const model::CountingTask& task, const answer::Trace& trace,
                      base::RunContext& context) {
  if (task.question.contexts) return *refuted("the model has no contexts to be counted");
  return replay(task, trace, context);
}

CheckResult check_run(const model::ProgramTask& task, const answer::ProgramRun& run,
                      base::RunContext& context) {
  return replay_program(task, run, context);
}

CheckResult check_run(const model::PushdownTask& task, const answer::PushdownRun& run,
                      base::RunContext& context) {
  return replay_pushdown(task, run, context);
}

CheckResult check_run(const model::CTask& task, const model::c::Run& run, base::RunContext&) {
  return c::check_run(task, run);
}

CheckResult check(const model::AnyTask& any, const answer::Verdict& verdict,
                  base::RunContext& context) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task, const auto& claim) {
        if (auto why = contradiction(task)) return *refuted(std::move(*why));
        if (answer::is_definite(verdict))
          if (const auto found = mismatch(task.model, task.question))
            return *refuted("the question names " + *found);
        return check_claim(task, claim, context);
      },
      any, verdict);
}

}  // namespace heddle::check
