/// Evidence about Boolean programs that names what the program does not have, or that asks more of
/// a solver than it can do in time.

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::check::forged_programs_test {
namespace {

using answer::EvidenceStatus;
using answer::ProgramBasis;
using answer::ProgramStacks;
using model::boolean::bit;
using model::boolean::Cube;
using model::boolean::NodeId;

model::ProgramTask any_threads(const std::string& text) {
  model::ProgramTask task{frontend::boolean_program::parse({"test.bp", text})->model, {}};
  task.question = {{{1, base::Integer(1)}}, {{}}};
  return task;
}

answer::Verdict engines_answer(const model::ProgramTask& task, std::string_view engine) {
  base::RunContext context;
  return engine::find_engine(engine)->run(task, {}, context);
}

EvidenceStatus status_of(const model::ProgramTask& task, const answer::Verdict& verdict) {
  base::RunContext context;
  return check(task, verdict, context).status;
}

constexpr const char* kLocked =
    "decl g := 0;\nvoid main() begin decl l := 0; atomic { assume(!g); g := 1; }\n"
    "l := 1; assert(g & l); g := 0; end";

answer::ProgramRun& run_in(answer::Unsafe& unsafe) {
  return std::get<answer::ProgramRun>(unsafe.trace);
}

TEST(ForgedPrograms, CubesAreOfTheProgramsVariables) {
  const model::ProgramTask task = any_threads(kLocked);
  const answer::Verdict verdict = engines_answer(task, "onthefly");
  const auto& basis = std::get<ProgramBasis>(std::get<answer::Safe>(verdict).certificate);
  ASSERT_EQ(status_of(task, verdict), EvidenceStatus::Confirmed);
  ASSERT_FALSE(basis.thread_states.empty());
  using Change = void (*)(ProgramBasis&, const Cube&);
  const Change changes[] = {
      [](ProgramBasis& b, const Cube& c) { b.minimal[0].shared = b.minimal[0].shared.with(c); },
      [](ProgramBasis& b, const Cube& c) {
        b.minimal[0].threads[0].values = b.minimal[0].threads[0].values.with(c);
      },
      // One more element or fact does no harm otherwise.
      [](ProgramBasis& b, const Cube& c) {
        b.minimal.push_back(b.minimal[0]);
        b.minimal.back().shared = b.minimal.back().shared.with(c);
      },
      [](ProgramBasis& b, const Cube& c) {
        b.thread_states.push_back(b.thread_states[0]);
        b.thread_states.back().shared = b.thread_states.back().shared.with(c);
      },
      [](ProgramBasis& b, const Cube& c) {
        b.thread_states.push_back(b.thread_states[0]);
        b.thread_states.back().local = b.thread_states.back().local.with(c);
      }};
  for (std::size_t i = 0; i < std::size(changes); ++i)
    for (const bool value : {false, true}) {
      ProgramBasis changed = basis;
      changes[i](changed, Cube::all().with(100, value));
      EXPECT_EQ(status_of(task, answer::Safe{changed}), EvidenceStatus::Refuted)
          << "change " << i << ", value " << value;
    }
}

TEST(ForgedPrograms, RunsStartWithTheProgramsVariables) {
  const model::ProgramTask task =
      any_threads("decl g := 0; void main() begin g := 1; assert(0); end");
  const answer::Verdict verdict = engines_answer(task, "onthefly");
  ASSERT_EQ(status_of(task, verdict), EvidenceStatus::Confirmed);
  const auto& unsafe = std::get<answer::Unsafe>(verdict);
  answer::Unsafe shared = unsafe;
  run_in(shared).initial.shared |= bit(100);
  for (auto& step : run_in(shared).steps) step.outcome.shared |= bit(100);
  EXPECT_EQ(status_of(task, shared), EvidenceStatus::Refuted);
  answer::Unsafe local = unsafe;
  run_in(local).initial.threads[0].values |= bit(100);
  for (auto& step : run_in(local).steps) step.outcome.local |= bit(100);
  EXPECT_EQ(status_of(task, local), EvidenceStatus::Refuted);
}

/// `pigeons` have their `holes` for themselves: false, but hard to see.
std::string pigeon_condition(unsigned holes) {
  const auto sits = [](unsigned pigeon, unsigned hole) {
    return "p" + std::to_string(pigeon) + "_" + std::to_string(hole);
  };
  std::string out;
  for (unsigned pigeon = 0; pigeon <= holes; ++pigeon) {
    out += out.empty() ? "(" : " & (";
    for (unsigned hole = 0; hole < holes; ++hole)
      out += (hole == 0 ? "" : " | ") + sits(pigeon, hole);
    out += ")";
    for (unsigned other = 0; other < pigeon; ++other)
      for (unsigned hole = 0; hole < holes; ++hole)
        out += " & (!" + sits(pigeon, hole) + " | !" + sits(other, hole) + ")";
  }
  return out;
}

std::string pigeon_names(unsigned holes) {
  std::string out;
  for (unsigned pigeon = 0; pigeon <= holes; ++pigeon)
    for (unsigned hole = 0; hole < holes; ++hole)
      out += (out.empty() ? "p" : ", p") + std::to_string(pigeon) + "_" + std::to_string(hole);
  return out;
}

/// The elements are the failed states and those in front of the assertion; that none is before the
/// assumption, only the solver can tell.
answer::Safe safe_by_pigeons(const model::ProgramTask& task) {
  const auto flow = model::boolean::unfold(task.model);
  ProgramBasis basis;
  for (const auto& edge : flow->edges)
    if (flow->nodes[edge.target.index()].failed) {
      basis.minimal.push_back({{}, {{edge.target, {}}}});
      basis.minimal.push_back({{}, {{edge.source, {}}}});
    }
  return answer::Safe{basis};
}

model::ProgramTask pigeons(unsigned holes) {
  return any_threads("decl " + pigeon_names(holes) + ";\nvoid main() begin\nassume(" +
                     pigeon_condition(holes) + ");\nassert(0);\nend");
}

TEST(ForgedPrograms, WhatTheSolverDoesNotKnowIsNotConfirmed) {
  const model::ProgramTask easy = pigeons(3);
  EXPECT_EQ(status_of(easy, safe_by_pigeons(easy)), EvidenceStatus::Confirmed);
  const model::ProgramTask hard = pigeons(10);
  const auto start = std::chrono::steady_clock::now();
  base::RunContext context({.deadline = start + std::chrono::milliseconds(300),
                            .steps = std::nullopt,
                            .memory_mb = std::nullopt});
  const answer::CheckResult result = check(hard, safe_by_pigeons(hard), context);
  EXPECT_EQ(result.status, EvidenceStatus::NotChecked) << result.why;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

/// Values and frames that the program does not have, or that are listed twice.
TEST(ForgedPrograms, StacksAreOfTheProgramsVariables) {
  model::ProgramTask task = any_threads(
      "decl g := 0;\nvoid f() begin if (*) then f(); fi; end\n"
      "void thread1() begin f(); g := 1; end\nvoid thread2() begin f(); assert(g | !g); end");
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.contexts = 2;
  const answer::Verdict verdict = engines_answer(task, "stacks");
  ASSERT_EQ(status_of(task, verdict), EvidenceStatus::Confirmed) << verdict_name(verdict);
  const auto* safe = std::get_if<answer::Safe>(&verdict);
  const auto& stacks = std::get<ProgramStacks>(
      safe ? safe->certificate : std::get<answer::SafeUpTo>(verdict).certificate);
  using Change = void (*)(ProgramStacks&);
  const Change changes[] = {
      [](ProgramStacks& s) { s.shared.push_back(s.shared[0]); },
      [](ProgramStacks& s) { s.shared.push_back(bit(100)); },
      [](ProgramStacks& s) { s.frames.push_back(s.frames[0]); },
      [](ProgramStacks& s) { s.frames.push_back({s.frames[0].node, bit(100)}); },
      [](ProgramStacks& s) { s.frames.push_back({NodeId(1'000U), 0}); },
      [](ProgramStacks& s) { s.sets.products[0].stacks.pop_back(); },
      [](ProgramStacks& s) { s.sets.products[0].stacks[0] = ~0U; },
      [](ProgramStacks& s) { s.sets.products[0].turn = ~0U; },
      [](ProgramStacks& s) { s.sets.products[0].shared = model::SharedState(~0U); },
      [](ProgramStacks& s) { s.sets.automata.pop_back(); },
      [](ProgramStacks& s) { s.sets.automata[0].states.clear(); },
      [](ProgramStacks& s) {
        s.sets.automata[0].states[0].edges.emplace_back(model::StackSymbol(~0U), 0U);
      }};
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    ProgramStacks changed = stacks;
    changes[i](changed);
    const answer::Verdict claim =
        safe ? answer::Verdict(answer::Safe{changed})
             : answer::SafeUpTo{std::get<answer::SafeUpTo>(verdict).bound, changed};
    EXPECT_EQ(status_of(task, claim), EvidenceStatus::Refuted) << "change " << i;
  }
}

}  // namespace
}  // namespace heddle::check::forged_programs_test
