/// Evidence in decision diagrams that was made to be believed: sets that depend on variables that
/// their kind does not name, claims of a size that nobody could check, entries that name nothing or
/// the same thing twice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "check/check.hpp"
#include "check/diagrams/diagram_support.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"

namespace heddle::check::forged_diagrams_test {
namespace {

using answer::CheckResult;
using answer::ConfigurationSets;
using answer::context_bound;
using answer::ContextRelations;
using answer::EvidenceStatus;
using answer::Family;
using answer::RelationKind;
using answer::Safe;
using answer::SafeUpTo;
using answer::TurnFacts;
using testing::HasSubstr;

model::ProgramTask forgers_task(const std::string& text, std::optional<std::uint32_t> rounds = {}) {
  model::ProgramTask task{frontend::boolean_program::parse({"test.bp", text})->model, {}};
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.targets = {{}};
  task.question.contexts = rounds;
  return task;
}

answer::Verdict claim_of(const model::ProgramTask& task, std::string_view engine) {
  base::RunContext context;
  return engine::find_engine(engine)->run(task, {}, context);
}

CheckResult checked(const model::ProgramTask& task, const answer::Verdict& verdict) {
  base::RunContext context;
  return check(task, verdict, context);
}

template <class Claim>
const Claim& certificate(const answer::Verdict& verdict) {
  const auto* safe = std::get_if<Safe>(&verdict);
  return std::get<Claim>(safe ? safe->certificate : std::get<SafeUpTo>(verdict).certificate);
}

/// What the checker says of the claim after a change.
template <class Claim, class Change>
CheckResult checked_after(const model::ProgramTask& task, const answer::Verdict& verdict,
                          const Change& change) {
  Claim changed = certificate<Claim>(verdict);
  change(changed);
  if (const auto* bounded = std::get_if<SafeUpTo>(&verdict))
    return checked(task, SafeUpTo{bounded->bound, changed});
  return checked(task, Safe{changed});
}

bool fails(const model::ProgramTask& task) {
  const auto flow = model::boolean::keep_calls(task.model);
  return model::boolean::explore_rounds(*flow, 1, 1, {}).failure.has_value();
}

// ---- relations ----

/// Each step is checked for the values that the relation allows *after* it, which are then those of
/// the next one: x has to be 0 and 1 at the same time, and nothing follows.
TEST(ForgedRelations, ValuesAfterAStepAreNotTheirsToChoose) {
  const model::ProgramTask task =
      forgers_task("decl x; void main() begin x := !x; x := !x; assert(0); end");
  ASSERT_TRUE(fails(task));
  ContextRelations claim{1, {0}, {}, {{5, 1, 0}, {5, 0, 1}, {4, 2, 3}}, {}};
  for (const Family family : {Family::First, Family::Input, Family::Output})
    claim.variables.push_back({family, 1, 0});
  for (const Family family : {Family::Entry, Family::Current, Family::Next})
    claim.variables.push_back({family, 0, 0});
  claim.relations = {{RelationKind::Reached, 0, 0, 1, 1, 1}, {RelationKind::Reached, 0, 2, 1, 1, 1},
                     {RelationKind::Reached, 0, 3, 1, 1, 4}, {RelationKind::Effect, 0, 0, 0, 1, 1},
                     {RelationKind::Turn, 0, 0, 0, 1, 1},    {RelationKind::Before, 0, 0, 0, 1, 1},
                     {RelationKind::After, 0, 0, 0, 1, 1}};
  EXPECT_EQ(checked(task, Safe{claim}).status, EvidenceStatus::Refuted);
}

/// The branch that is not taken now is the one that was not taken before: a choice that is kept.
TEST(ForgedRelations, ChoicesAreNotKept) {
  const model::ProgramTask task = forgers_task(
      "decl x := 0; void main() begin if (*) then x := 1; fi;\n"
      "if (*) then skip; else assert(!x); fi; end");
  ASSERT_TRUE(fails(task));
  // The claim is right for the program that makes the choice once.
  const model::ProgramTask once = forgers_task(
      "decl x := 0; void main() begin decl c; if (c) then x := 1; fi;\n"
      "if (c) then skip; else assert(!x); fi; end");
  const answer::Verdict verdict = claim_of(once, "sequential");
  ASSERT_EQ(checked(once, verdict).status, EvidenceStatus::Confirmed);
  ContextRelations claim = certificate<ContextRelations>(verdict);
  const auto local =
      std::ranges::find(claim.variables, Family::Local, &answer::DiagramVariable::family);
  ASSERT_NE(local, claim.variables.end());
  local->family = Family::Choice;  // those behind it occur in no relation
  claim.variables.erase(local + 1, claim.variables.end());
  EXPECT_EQ(checked(task, Safe{claim}).status, EvidenceStatus::Refuted);
}

constexpr const char* kTwoRounds =
    "decl turn := 0, x := 0;\n"
    "bool flip(v, w) begin return !v | *; end\n"
    "void thread1() begin assume(!turn); x := flip(x, 1); assert(x | 1); turn := 1; end\n"
    "void thread2() begin decl l := 0, m; assume(turn); l := flip(l, 0); assert(l | 1); end\n";

/// docs/evidence.md: what each kind of relation consists of, in round 2 of 2.
const std::map<RelationKind, std::set<std::pair<Family, std::uint32_t>>> kNamed = {
    {RelationKind::Reached,
     {{Family::Input, 1},
      {Family::Input, 2},
      {Family::Output, 1},
      {Family::Entry, 0},
      {Family::Parameter, 0},
      {Family::Current, 0},
      {Family::Local, 0}}},
    {RelationKind::Summary,
     {{Family::Input, 1},
      {Family::Input, 2},
      {Family::Output, 1},
      {Family::Entry, 0},
      {Family::Parameter, 0},
      {Family::Current, 0},
      {Family::Result, 0}}},
    {RelationKind::Effect,
     {{Family::Input, 1}, {Family::Input, 2}, {Family::Output, 1}, {Family::Output, 2}}},
    {RelationKind::Turn, {{Family::Input, 1}, {Family::Input, 2}, {Family::Output, 1}}},
    {RelationKind::Before,
     {{Family::First, 1}, {Family::First, 2}, {Family::Input, 1}, {Family::Input, 2}}},
    {RelationKind::After, {{Family::Output, 1}, {Family::First, 2}}}};

/// Of another relation's round or procedure, or of no relation at all.
TEST(ForgedRelations, DependOnWhatTheirKindNames) {
  const model::ProgramTask task = forgers_task(kTwoRounds, 2);
  const answer::Verdict verdict = claim_of(task, "context-lazy");
  ASSERT_EQ(checked(task, verdict).status, EvidenceStatus::Confirmed);
  const auto& claim = certificate<ContextRelations>(verdict);
  const auto flow = model::boolean::keep_calls(task.model);
  std::set<std::pair<RelationKind, bool>> tried;
  for (std::size_t i = 0; i < claim.relations.size(); ++i) {
    const auto& relation = claim.relations[i];
    for (std::uint32_t level = 0; level < claim.variables.size(); ++level) {
      const auto [family, round, index] = claim.variables[level];
      bool named = kNamed.at(relation.kind).contains({family, round});
      if (relation.round == 1)
        named = named && round < 2 &&
                (family != Family::Output || relation.kind == RelationKind::Effect);
      if (relation.kind == RelationKind::Reached || relation.kind == RelationKind::Summary) {
        const auto frame = relation.kind == RelationKind::Reached
                               ? flow->nodes[relation.where].frame
                               : relation.where;
        const auto procedure = flow->frames[frame].procedure;
        if (family == Family::Local) named = named && index < flow->local_names[procedure].size();
        if (family == Family::Parameter) named = named && index < flow->parameter_counts[procedure];
      }
      tried.emplace(relation.kind, named);
      const CheckResult result =
          checked_after<ContextRelations>(task, verdict, [&](ContextRelations& r) {
            r.nodes.push_back({level, 1, 0});
            r.relations[i].root = static_cast<std::uint32_t>(r.nodes.size()) + 1;
          });
      EXPECT_EQ(result.why.find("may not depend") == std::string::npos, named)
          << "relation " << i << " of kind " << static_cast<int>(relation.kind) << ", variable "
          << static_cast<int>(family) << " " << round << " " << index << ": " << result.why;
      EXPECT_TRUE(named || result.status == EvidenceStatus::Refuted);
    }
  }
  EXPECT_EQ(tried.size(), 2 * answer::kRelationKinds);
}

TEST(ForgedRelations, EntriesNameSomethingOnce) {
  const model::ProgramTask task = forgers_task(kTwoRounds, 2);
  const answer::Verdict verdict = claim_of(task, "context-lazy");
  using Change = void (*)(ContextRelations&);
  const Change changes[] = {
      [](ContextRelations& r) { r.relations.push_back(r.relations[0]); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Turn, 7, 0, 0, 1, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Reached, 0, 999, 1, 1, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Summary, 0, 999, 1, 1, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Effect, 0, 0, 0, 3, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Effect, 0, 0, 0, 0, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Effect, 0, 0, 1, 1, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Effect, 0, 1, 0, 1, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Reached, 0, 0, 2, 1, 1}); },
      [](ContextRelations& r) { r.relations.push_back({RelationKind::Reached, 0, 0, 0, 2, 1}); },
      [](ContextRelations& r) { r.variables.push_back({Family::Input, 3, 0}); },
      [](ContextRelations& r) { r.variables.push_back({Family::Input, 0, 0}); },
      [](ContextRelations& r) { r.variables.push_back({Family::Choice, 0, 1}); },
      [](ContextRelations& r) { r.variables.push_back({Family::Result, 1, 0}); },
      [](ContextRelations& r) { r.rounds = ~0U; }};
  for (std::size_t i = 0; i < std::size(changes); ++i)
    EXPECT_EQ(checked_after<ContextRelations>(task, verdict, changes[i]).status,
              EvidenceStatus::Refuted)
        << "change " << i;
}

/// A program without shared variables needs no copies, however many rounds are claimed.
TEST(ForgedRelations, RoundsHaveRelations) {
  const model::ProgramTask task = forgers_task("void main() begin decl l; assert(l | !l); end");
  const answer::Verdict verdict = claim_of(task, "sequential");
  ASSERT_EQ(checked(task, verdict).status, EvidenceStatus::Confirmed);
  const auto claims_many = [](ContextRelations& r) { r.rounds = ~0U; };
  const CheckResult result = checked_after<ContextRelations>(task, verdict, claims_many);
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_THAT(result.why, HasSubstr("a round has no relations"));
}

/// Nobody receives results of a procedure that never returns, and there are no copies of them.
TEST(ForgedRelations, ProceduresThatNeverReturnHaveNoSummary) {
  for (const char* program :
       {"bool h() begin L: goto L; end void main() begin decl x := 0; x := h(); assert(0); end",
        "bool k() begin return 1; end bool<2> h() begin L: goto L; end\n"
        "void main() begin decl x := 0, y := 0; x := k(); x, y := h(); assert(0); end"}) {
    const model::ProgramTask task = forgers_task(program);
    const answer::Verdict verdict = claim_of(task, "sequential");
    ASSERT_EQ(checked(task, verdict).status, EvidenceStatus::Confirmed) << program;
    const auto flow = model::boolean::keep_calls(task.model);
    const std::vector<bool> returns = returning_frames(*flow);
    unsigned tried = 0;
    for (std::uint32_t frame = 0; frame < returns.size(); ++frame) {
      if (returns[frame]) continue;
      ++tried;
      EXPECT_EQ(checked_after<ContextRelations>(task, verdict,
                                                [&](ContextRelations& r) {
                                                  r.relations.push_back(
                                                      {RelationKind::Summary, 0, frame, 1, 1, 1});
                                                })
                    .status,
                EvidenceStatus::Refuted)
          << program;
    }
    EXPECT_GT(tried, 0U);
  }
}

// ---- sets of configurations, facts about turns ----

constexpr const char* kTakingTurns =
    "decl turn := 0, x := 0;\n"
    "bool flip(v) begin return !v | *; end\n"
    "void thread1() begin assume(!turn); x := flip(x); turn := 1; end\n"
    "void thread2() begin decl l := 0; assume(turn); l := flip(l); turn := 0; end\n";

template <class Claim>
void expect_refuted(const model::ProgramTask& task, const answer::Verdict& verdict,
                    std::initializer_list<void (*)(Claim&)> changes) {
  ASSERT_EQ(checked(task, verdict).status, EvidenceStatus::Confirmed);
  std::size_t i = 0;
  for (const auto change : changes)
    EXPECT_EQ(checked_after<Claim>(task, verdict, change).status, EvidenceStatus::Refuted)
        << "change " << i++;
}

using VariableKind = answer::ConfigurationVariable::Kind;

TEST(ForgedConfigurations, EntriesNameSomethingOnce) {
  for (const std::optional<std::uint32_t> rounds : {std::optional<std::uint32_t>(), {2}}) {
    const model::ProgramTask task = forgers_task(kTakingTurns, rounds);
    expect_refuted<ConfigurationSets>(
        task, claim_of(task, "context-backward"),
        {[](ConfigurationSets& s) { s.sets.push_back(s.sets[0]); },
         [](ConfigurationSets& s) { s.sets.push_back({1, 0, 999, 1}); },
         [](ConfigurationSets& s) { s.sets.push_back({3, 0, 0, 1}); },
         [](ConfigurationSets& s) { s.variables.push_back({VariableKind::Shared, 0, 999}); },
         [](ConfigurationSets& s) { s.variables.push_back({VariableKind::Shared, 1, 0}); },
         [](ConfigurationSets& s) { s.variables.push_back({VariableKind::Local, 2, 0}); },
         [](ConfigurationSets& s) { s.variables.push_back({VariableKind::Choice, 0, 1}); }});
  }
}

TEST(ForgedTurns, EntriesNameSomethingOnce) {
  for (const std::optional<std::uint32_t> rounds : {std::optional<std::uint32_t>(), {2}}) {
    const model::ProgramTask task = forgers_task(kTakingTurns, rounds);
    expect_refuted<TurnFacts>(
        task, claim_of(task, "context-joint"),
        {[](TurnFacts& s) { s.sets.push_back(s.sets[0]); },
         [](TurnFacts& s) { s.sets.push_back({0, 999, 1}); },
         [](TurnFacts& s) { s.variables.push_back({VariableKind::Shared, 0, 999}); },
         [](TurnFacts& s) { s.variables.push_back({VariableKind::BeginShared, 1, 0}); },
         [](TurnFacts& s) { s.variables.push_back({VariableKind::BeginLocal, 2, 0}); },
         [](TurnFacts& s) { s.variables.push_back({VariableKind::Choice, 0, 1}); }});
  }
}

/// Once nothing new comes, no round is left to be played: facts prove any number of rounds.
TEST(ForgedTurns, AsManyRoundsAsOneLikes) {
  const model::ProgramTask task = forgers_task(kTakingTurns, ~0U);
  const answer::Verdict verdict = claim_of(forgers_task(kTakingTurns, 2), "context-joint");
  TurnFacts facts = certificate<TurnFacts>(verdict);
  facts.rounds = ~0U;
  EXPECT_EQ(checked(task, SafeUpTo{answer::context_bound(~0U), facts}).status,
            EvidenceStatus::Confirmed);
}

TEST(ForgedConfigurations, RoundsHaveSets) {
  const model::ProgramTask task = forgers_task(kTakingTurns, 2);
  const answer::Verdict verdict = claim_of(task, "context-backward");
  ConfigurationSets sets = certificate<ConfigurationSets>(verdict);
  sets.rounds = ~0U;
  const CheckResult result = checked(task, SafeUpTo{answer::context_bound(2), sets});
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_THAT(result.why, HasSubstr("a round has no sets"));
}

// ---- depth ----

/// A chain of diagram nodes over variables of its own, deeper than any stack.
template <class Claim, class Variable>
std::uint32_t deep_chain(Claim& claim, const Variable& variable) {
  constexpr std::uint32_t kDepth = 200'000;
  const auto first = static_cast<std::uint32_t>(claim.variables.size());
  std::uint32_t root = 1;
  for (std::uint32_t i = 0; i < kDepth; ++i) claim.variables.push_back(variable(i));
  for (std::uint32_t i = kDepth; i-- > 0;) {
    claim.nodes.push_back({first + i, root, 0});
    root = static_cast<std::uint32_t>(claim.nodes.size()) + 1;
  }
  return root;
}

TEST(ForgedDepth, NoDiagramOverflowsTheStack) {
  const model::ProgramTask task = forgers_task(kTakingTurns, 2);
  const CheckResult relations = checked_after<ContextRelations>(
      task, claim_of(task, "context-lazy"), [](ContextRelations& r) {
        const auto of = [](std::uint32_t i) {
          return answer::DiagramVariable{Family::Current, 0, 1'000 + i};
        };
        const std::uint32_t root = deep_chain(r, of);
        for (auto& relation : r.relations) relation.root = root;
      });
  EXPECT_NE(relations.status, EvidenceStatus::Confirmed) << relations.why;
  const auto slot = [](std::uint32_t i) {
    return answer::ConfigurationVariable{VariableKind::Local, 0, 1'000 + i};
  };
  const auto deepen = [&](auto& claim) {
    const std::uint32_t root = deep_chain(claim, slot);
    for (auto& set : claim.sets) set.root = root;
  };
  EXPECT_NE(
      checked_after<ConfigurationSets>(task, claim_of(task, "context-backward"), deepen).status,
      EvidenceStatus::Confirmed);
  EXPECT_NE(checked_after<TurnFacts>(task, claim_of(task, "context-joint"), deepen).status,
            EvidenceStatus::Confirmed);
}

/// As deep as allowed, with the operations that recur most.
TEST(ForgedDepth, WhatIsAllowedFitsOnTheStack) {
  std::vector<answer::DiagramNode> nodes;
  std::uint32_t root = 1;
  for (auto level = static_cast<std::uint32_t>(kMostDiagramVariables); level-- > 0;) {
    nodes.push_back({level, 0, root});
    root = static_cast<std::uint32_t>(nodes.size()) + 1;
  }
  ASSERT_FALSE(check_form(nodes, kMostDiagramVariables));
  EXPECT_TRUE(check_form(nodes, kMostDiagramVariables + 1));
  Diagrams diagrams(nodes);
  const Diagrams::Set some = diagrams.complement(root);
  std::vector<bool> forgotten(kMostDiagramVariables);
  forgotten.back() = true;
  std::vector<std::uint32_t> image(kMostDiagramVariables);
  for (std::uint32_t v = 0; v < image.size(); ++v) image[v] = v ^ 1U;
  EXPECT_EQ(diagrams.product(root, some, forgotten), 0U);
  EXPECT_EQ(diagrams.substitute(root, image), root);
  EXPECT_TRUE(diagrams.entails(root, 1, root, image));
}

}  // namespace
}  // namespace heddle::check::forged_diagrams_test
