#pragma once

/// What tests of evidence about places of fixed threads share: a program, an engine's claim about
/// it, and what the checker says when the claim is changed.

#include <gtest/gtest.h>

#include "answer/configuration_evidence.hpp"
#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"

namespace heddle::check {

struct RoundsCase {
  const char* name;
  std::optional<std::uint32_t> rounds;
};

/// At the return of a procedure without results, called for one. The program has both.
inline answer::CallStack mismatched_stack(const model::ProgramTask& task) {
  using model::boolean::EdgeKind;
  const auto flow = model::boolean::keep_calls(task.model);
  answer::CallStack out;
  for (std::size_t i = 0; i < flow->edges.size(); ++i) {
    const auto& edge = flow->edges[i];
    if (edge.kind == EdgeKind::Return && edge.child_values.empty()) out.node = edge.source;
    if (edge.kind == EdgeKind::Call && !edge.received.empty() && edge.received.back())
      out.calls = {model::boolean::EdgeId(i)};
  }
  EXPECT_FALSE(out.calls.empty());
  EXPECT_NE(out.node, model::boolean::NodeId());
  return out;
}

template <class Claim>
class PlaceEvidence : public testing::TestWithParam<RoundsCase> {
 protected:
  PlaceEvidence(const char* program, std::string_view engine)
      : task(task_of(program)), verdict(verdict_of(engine)) {}

  const Claim& claim() const {
    const auto* safe = std::get_if<answer::Safe>(&verdict);
    return std::get<Claim>(safe ? safe->certificate
                                : std::get<answer::SafeUpTo>(verdict).certificate);
  }
  answer::EvidenceStatus status(const answer::Verdict& claimed) const {
    base::RunContext context;
    return check(task, claimed, context).status;
  }
  template <class Change>
  answer::EvidenceStatus after(const Change& change) const {
    Claim changed = claim();
    change(changed);
    if (std::holds_alternative<answer::Safe>(verdict)) return status(answer::Safe{changed});
    return status(answer::SafeUpTo{std::get<answer::SafeUpTo>(verdict).bound, changed});
  }

  const model::ProgramTask task;
  const answer::Verdict verdict;

  static model::ProgramTask task_of(const char* program) {
    model::ProgramTask out{frontend::boolean_program::parse({"test.bp", program})->model, {}};
    out.question.initial = {{1, base::Integer(1)}};
    out.question.targets = {{}};
    out.question.contexts = GetParam().rounds;
    return out;
  }

 private:
  answer::Verdict verdict_of(std::string_view engine) const {
    base::RunContext context;
    return engine::find_engine(engine)->run(task, {}, context);
  }
};

}  // namespace heddle::check
