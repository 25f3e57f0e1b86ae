/// Evidence of context-bounded analysis: confirmed as it is, refuted when any part of it is
/// corrupted.

#include "check/certificates.hpp"
#include "frontend/boolean_program/format.hpp"

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"

namespace heddle::check::program_context_test {
namespace {

using answer::ContextRelations;
using answer::EvidenceStatus;
using answer::SafeUpTo;
using answer::Verdict;

constexpr const char* kTwoThreads =
    "decl turn := 0, x := 0;\n"
    "bool flip(v) begin return !v; end\n"
    "void thread1() begin assume(!turn); x := flip(x); assert(x); turn := flip(turn); end\n"
    "void thread2() begin decl l := 0; assume(turn); l := flip(l); assert(x & l); x := 0; end\n";

model::ProgramTask task_of(const std::string& text, std::optional<std::uint32_t> rounds) {
  model::ProgramTask task{frontend::boolean_program::parse({"test.bp", text})->model, {}};
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.targets = {{}};
  task.question.contexts = rounds;
  return task;
}

Verdict verdict_of(const model::ProgramTask& task, std::string_view engine) {
  base::RunContext context;
  return engine::find_engine(engine)->run(task, {}, context);
}

EvidenceStatus status(const model::ProgramTask& task, const Verdict& verdict) {
  base::RunContext context;
  return check(task, verdict, context).status;
}

/// What becomes of the evidence when it is changed.
template <class Change>
EvidenceStatus after(const model::ProgramTask& task, const SafeUpTo& safe, const Change& change) {
  SafeUpTo changed = safe;
  change(std::get<ContextRelations>(changed.certificate));
  return status(task, changed);
}

class ContextEvidence : public testing::TestWithParam<const char*> {
 protected:
  const model::ProgramTask task = task_of(kTwoThreads, 2);
  const SafeUpTo safe = std::get<SafeUpTo>(verdict_of(task, GetParam()));
  const ContextRelations& relations() const { return std::get<ContextRelations>(safe.certificate); }
};

answer::ProgramRun& run_in(answer::Unsafe& unsafe) {
  return std::get<answer::ProgramRun>(unsafe.trace);
}

TEST_P(ContextEvidence, IsConfirmed) {
  EXPECT_EQ(status(task, safe), EvidenceStatus::Confirmed);
  EXPECT_EQ(safe.bound.value, 2);
}

TEST_P(ContextEvidence, EveryRelationIsNeeded) {
  for (std::size_t i = 0; i < relations().relations.size(); ++i)
    EXPECT_EQ(after(task, safe, [&](ContextRelations& r) { r.relations[i].root = 0; }),
              EvidenceStatus::Refuted)
        << "relation " << i << " of kind " << static_cast<int>(relations().relations[i].kind);
}

TEST_P(ContextEvidence, NoRelationMayHaveFailedThreads) {
  const auto flow = model::boolean::keep_calls(task.model);
  for (std::uint32_t n = 0; n < flow->nodes.size(); ++n) {
    if (!flow->nodes[n].failed) continue;
    for (const std::uint32_t thread : {0U, 1U}) {
      const auto add_failed = [&](ContextRelations& r) {
        std::erase_if(r.relations, [&](const answer::ContextRelation& old) {
          return old.kind == answer::RelationKind::Reached && old.where == n;
        });
        r.relations.push_back({answer::RelationKind::Reached, thread, n, 1, 1, 1});
      };
      EXPECT_EQ(after(task, safe, add_failed), EvidenceStatus::Refuted);
    }
  }
}

TEST_P(ContextEvidence, ItsFormIsChecked) {
  using Change = void (*)(ContextRelations&);
  for (const Change change : {Change([](ContextRelations& r) { r.rounds = 1; }),
                              Change([](ContextRelations& r) { r.rounds = 3; }),
                              Change([](ContextRelations& r) { r.rounds = 0; }),
                              Change([](ContextRelations& r) { r.analyses.pop_back(); }),
                              Change([](ContextRelations& r) { r.analyses = {0, 0}; }),
                              Change([](ContextRelations& r) { r.analyses = {1, 0}; }),
                              Change([](ContextRelations& r) { r.analyses = {0, 7}; }),
                              Change([](ContextRelations& r) { r.variables.pop_back(); }),
                              Change([](ContextRelations& r) { r.variables[0] = r.variables[1]; }),
                              Change([](ContextRelations& r) { r.nodes[0].low = 1'000'000; }),
                              Change([](ContextRelations& r) { r.nodes[0].variable = 1'000'000; }),
                              Change([](ContextRelations& r) {
                                r.relations[0].root =
                                    static_cast<std::uint32_t>(r.nodes.size()) + 2;
                              })})
    EXPECT_EQ(after(task, safe, change), EvidenceStatus::Refuted);
}

/// Two threads that do the same, and one that does not.
TEST_P(ContextEvidence, SharedRelationsAreNeededByAll) {
  const model::ProgramTask three = task_of(
      "decl x := 0, y := 0;\n"
      "void thread1() begin assume(!y); atomic { x := !x; y := x; } end\n"
      "void thread2() begin assume(!y); atomic { x := !x; y := x; } end\n"
      "void thread3() begin assert(x = y); end\n",
      2);
  const SafeUpTo shared = std::get<SafeUpTo>(verdict_of(three, GetParam()));
  const auto& claim = std::get<ContextRelations>(shared.certificate);
  EXPECT_EQ(claim.analyses, (std::vector<std::uint32_t>{0, 0, 2}));
  EXPECT_EQ(status(three, shared), EvidenceStatus::Confirmed);
  for (std::size_t i = 0; i < claim.relations.size(); ++i)
    EXPECT_EQ(after(three, shared, [&](ContextRelations& r) { r.relations[i].root = 0; }),
              EvidenceStatus::Refuted)
        << "relation " << i;
  EXPECT_EQ(after(three, shared, [](ContextRelations& r) { r.analyses = {0, 0, 0}; }),
            EvidenceStatus::Refuted);
}

TEST_P(ContextEvidence, ProvesNothingBeyondItsBound) {
  SafeUpTo more = safe;
  more.bound.value = 3;
  EXPECT_EQ(status(task, more), EvidenceStatus::Refuted);
  EXPECT_EQ(status(task, answer::Safe{safe.certificate}), EvidenceStatus::Refuted);
}

INSTANTIATE_TEST_SUITE_P(Engines, ContextEvidence, testing::Values("context-lazy", "context-eager"),
                         [](const auto& which) {
                           return std::string(which.param) == "context-lazy" ? "Lazy" : "Eager";
                         });

TEST(SequentialEvidence, OneThreadIsSafeForEver) {
  const model::ProgramTask task = task_of(
      "decl g := 0;\nvoid f(n) begin if n then g := !g; f(*); g := !g; fi; end\n"
      "void main() begin f(1); assert(!g); end",
      std::nullopt);
  const Verdict verdict = verdict_of(task, "sequential");
  ASSERT_TRUE(std::holds_alternative<answer::Safe>(verdict)) << verdict_name(verdict);
  EXPECT_EQ(status(task, verdict), EvidenceStatus::Confirmed);
}

TEST(ContextRuns, ARunMustKeepToTheRounds) {
  const std::string text =
      "decl a := 0, b := 0;\nvoid thread1() begin a := 1; assume(b); assert(0); end\n"
      "void thread2() begin assume(a); b := 1; end";
  const model::ProgramTask two = task_of(text, 2);
  const Verdict verdict = verdict_of(two, "context-lazy");
  ASSERT_TRUE(std::holds_alternative<answer::Unsafe>(verdict)) << verdict_name(verdict);
  EXPECT_EQ(status(two, verdict), EvidenceStatus::Confirmed);
  EXPECT_EQ(status(task_of(text, 1), verdict), EvidenceStatus::Refuted);
  for (std::size_t i = 0;
       i < std::get<answer::ProgramRun>(std::get<answer::Unsafe>(verdict).trace).steps.size();
       ++i) {
    answer::Unsafe without = std::get<answer::Unsafe>(verdict);
    run_in(without).steps.erase(run_in(without).steps.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(status(two, without), EvidenceStatus::Refuted) << "without step " << i;
  }
}

}  // namespace
}  // namespace heddle::check::program_context_test
