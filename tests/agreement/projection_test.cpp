/// Error projections of random programs: engines that are asked about programs that fail through
/// certain statements, against a naive search that writes down every step and then looks which of
/// them lead to a failure. (The flow graph of kept calls has no steps for statements that do
/// nothing. These are not compared.)

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "check/check.hpp"
#include "driver/projection.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/boolean_program/silent_nodes.hpp"
#include "support/random_programs.hpp"
#include "support/random_pushdown.hpp"
#include "support/random_threads.hpp"
#include "support/sample.hpp"
#include "transform/visits.hpp"

namespace heddle::test::projection_test {
namespace {

using answer::OnErrorTrace;
using answer::Verdict;
using Task = model::AnyTask;
using model::boolean::Flow;
using model::boolean::State;
using model::boolean::Step;
using Places = std::set<transform::StatementPlace>;

/// All states with the turn in which they are met, and all steps between them. Without rounds all
/// is one turn, in which every thread may step.
class StepsToFailure {
 public:
  StepsToFailure(const Flow& flow, const std::optional<std::uint32_t>& rounds) : flow_(flow) {
    for (const State& state : initial_states(flow, 1)) meet(0, state);
    const std::size_t threads = nodes_.front().second.threads.size();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto [turn, state] = nodes_[i];
      if (has_failed(flow, state)) continue;
      if (rounds && turn + 1 < *rounds * threads) link(i, turn + 1, state, {0, 0});
      for_each_step(flow, state, [&](const Step& step, const State& after) {
        if (!rounds || step.thread == turn % threads)
          link(i, turn, after, transform::place_of(flow.edges[step.edge.index()].at));
      });
    }
  }

  bool exact() const { return exact_; }

  /// Statements of steps to states from which a failure can be reached; of `also`, where a thread
  /// could take the step.
  Places on_error_traces(const Places& also) const {
    std::vector<bool> leads(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) leads[i] = has_failed(flow_, nodes_[i].second);
    for (bool changed = true; std::exchange(changed, false);)
      for (const Link& l : links_)
        if (leads[l.to] && !leads[l.from]) leads[l.from] = changed = true;
    Places out;
    for (const Link& l : links_)
      if (leads[l.to] || (leads[l.from] && also.contains(l.place))) out.insert(l.place);
    for (const auto& [turn, state] : nodes_) add_labels(state, out);
    return out;
  }

 private:
  /// Where threads fail by being there: nothing leads away from where assertions have failed.
  void add_labels(const State& state, Places& out) const {
    for (const auto& thread : state.threads) {
      const auto& node = flow_.nodes[thread.node.index()];
      const auto leads_on = [&](const auto& edge) { return edge.source == thread.node; };
      if (node.failed && std::ranges::any_of(flow_.edges, leads_on))
        out.insert(transform::place_of(node.at));
    }
  }

  struct Link {
    std::size_t from, to;
    transform::StatementPlace place;
  };

  std::size_t meet(std::size_t turn, const State& state) {
    const auto [it, fresh] = numbers_.try_emplace({turn, state}, nodes_.size());
    if (fresh) nodes_.emplace_back(turn, state);
    return it->second;
  }

  void link(std::size_t from, std::size_t turn, const State& state,
            const transform::StatementPlace& place) {
    const bool deep = std::ranges::any_of(
        state.threads, [](const auto& thread) { return thread.callers.size() > 5; });
    if (deep || state.threads.size() > 3 || nodes_.size() > 6'000) {
      exact_ = false;
      return;
    }
    links_.push_back({from, meet(turn, state), place});
  }

  const Flow& flow_;
  std::map<std::pair<std::size_t, State>, std::size_t> numbers_;
  std::vector<std::pair<std::size_t, State>> nodes_;
  std::vector<Link> links_;
  bool exact_ = true;
};

Places returns_of(const std::vector<model::boolean::Statement>& block) {
  Places out;
  for (const auto& statement : block) {
    if (statement.kind == model::boolean::StatementKind::Return)
      out.insert(transform::place_of(statement.at));
    for (const auto& inner : statement.blocks) out.merge(returns_of(inner));
  }
  return out;
}

Verdict checked_verdict(std::string_view engine, const Task& task) {
  base::Limits limits;
  limits.steps = 30'000;
  base::RunContext context(limits), unlimited;
  Verdict verdict = engine::find_engine(engine)->run(task, {}, context);
  if (answer::is_definite(verdict)) {
    EXPECT_EQ(check::check(task, verdict, unlimited).status, answer::EvidenceStatus::Confirmed)
        << engine;
  }
  return verdict;
}

struct ProjectionScore {
  unsigned projected = 0, partly = 0, inexact = 0;
};

/// The flow graph with a step for each statement, if that can be had.
Flow oracle_flow(const model::BooleanProgram& program, bool keeps_calls) {
  return *(keeps_calls ? model::boolean::keep_calls(program)
                       : model::boolean::unfold_step_by_step(program));
}

void expect_same(const answer::Projection& projection, const model::ProgramTask& task,
                 const std::string& text, ProjectionScore& score) {
  const model::BooleanProgram& program = task.model;
  const Flow flow = oracle_flow(program, task.question.contexts.has_value());
  const StepsToFailure oracle(flow, task.question.contexts);
  score.inexact += !oracle.exact();
  Places returns, visible;
  for (const auto& procedure : program.procedures) returns.merge(returns_of(procedure.body));
  for (const auto& edge : flow.edges) visible.insert(transform::place_of(edge.at));
  const Places on_traces = oracle.on_error_traces(returns);
  for (const auto& statement : projection.statements) {
    const auto place = transform::place_of(statement.at);
    const bool expected = on_traces.contains(place);
    if (!visible.contains(place) || (!expected && !oracle.exact())) continue;
    EXPECT_EQ(statement.on_error_trace, expected ? OnErrorTrace::Yes : OnErrorTrace::No)
        << "line " << statement.at.line << ", " << task.question.contexts.value_or(0) << " rounds\n"
        << text;
  }
}

void expect_projection(const std::string& text, const std::optional<std::uint32_t>& rounds,
                       std::string_view engine, ProjectionScore& score) {
  auto file = frontend::boolean_program::parse({"random.bp", text});
  ASSERT_TRUE(file) << text;
  const model::ProgramTask task{file->model, {{{1, base::Integer(1)}}, {{}}, rounds}};
  const auto ask = [&](const Task& asked) { return checked_verdict(engine, asked); };
  const Verdict first = ask(task);
  if (!std::holds_alternative<answer::Unsafe>(first)) return;
  const answer::Projection projection = driver::project(task, first, ask);
  if (projection.count(OnErrorTrace::Undecided) > 0) return;
  ++score.projected;
  score.partly += projection.count(OnErrorTrace::No) > 0;
  expect_same(projection, task, text, score);
}

ProjectionScore project_random(unsigned cases, std::uint64_t seed, const ThreadsFlavour& flavour) {
  ProjectionScore score;
  for (unsigned i = 0; i < std::max(random_cases(cases), cases / 3); ++i) {
    if (::testing::Test::HasFailure()) break;
    Random random(seed + i);
    const std::string text = random_threads(random, flavour);
    const auto rounds = static_cast<std::uint32_t>(random.between(1, 3));
    expect_projection(text, rounds, i % 2 == 0 ? "context-lazy" : "context-joint", score);
  }
  std::cout << score.projected << " projections, " << score.partly << " of a part, "
            << score.inexact << " compared in one direction\n";
  return score;
}

TEST(RandomProjection, RecursiveThreads) {
  const ProjectionScore score = project_random(150, 7'500'000, {.threads = 2, .recursion = true});
  EXPECT_GT(score.projected, score.inexact + 5);
  EXPECT_GT(score.partly, 5u);
}

TEST(RandomProjection, ThreeThreads) {
  const ProjectionScore score = project_random(80, 7'600'000, {.threads = 3, .recursion = false});
  EXPECT_GT(score.projected, score.inexact + 3);
}

/// Threads that create others, wait for them and wake them, without a bound.
TEST(RandomProjection, ChangingThreads) {
  ProjectionScore score;
  for (unsigned i = 0; i < std::max(random_cases(400), 130U) && !HasFailure(); ++i) {
    Random random(7'700'000 + i);
    const auto program = random_program(random, {.signals = true, .passive = true});
    expect_projection(frontend::boolean_program::print({program, {}, {}, {}}), std::nullopt,
                      "onthefly", score);
  }
  std::cout << score.projected << " projections, " << score.partly << " of a part, "
            << score.inexact << " compared in one direction\n";
  EXPECT_GT(score.projected, score.inexact + 5);
  EXPECT_GT(score.partly, 5u);
}

/// All lines of rules on runs to a target within the rounds; nothing if there are too many
/// configurations. As plain as can be: configurations by turn, and which of them lead to a target.
std::optional<std::set<std::uint32_t>> rules_to_target(const model::PushdownTask& task,
                                                       std::uint32_t rounds) {
  using Node = std::pair<std::uint32_t, model::PushdownConfiguration>;
  const model::PushdownSystem& system = task.model;
  const auto turns = rounds * static_cast<std::uint32_t>(system.threads.size());
  std::map<Node, std::size_t> numbers;
  std::vector<Node> nodes;
  std::vector<std::tuple<std::size_t, std::size_t, std::uint32_t>> links;
  const auto meet = [&](const Node& node) {
    const auto [it, fresh] = numbers.try_emplace(node, nodes.size());
    if (fresh) nodes.push_back(node);
    return it->second;
  };
  for (const model::VisibleState& initial : task.question.initial)
    meet({0, *initial_configuration(system, initial)});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [turn, at] = nodes[i];
    const bool high = std::ranges::any_of(at.stacks, [](const auto& s) { return s.size() > 5; });
    if (high || nodes.size() > 4'000) return std::nullopt;
    if (turn + 1 < turns) links.emplace_back(i, meet({turn + 1, at}), 0);
    for (std::size_t r = 0; r < system.transitions.size(); ++r) {
      if (system.transitions[r].thread != turn % system.threads.size()) continue;
      if (const auto next = step(system, at, model::TransitionId(r)))
        links.emplace_back(i, meet({turn, *next}), system.transitions[r].line);
    }
  }
  std::vector<bool> leads;
  for (const Node& node : nodes)
    leads.push_back(std::ranges::any_of(
        task.question.targets, [&](const auto& target) { return meets(target, node.second); }));
  for (bool changed = true; std::exchange(changed, false);)
    for (const auto& [from, to, line] : links)
      if (leads[to] && !leads[from]) leads[from] = changed = true;
  std::set<std::uint32_t> out;
  for (const auto& [from, to, line] : links)
    if (leads[to] && line > 0) out.insert(line);
  return out;
}

TEST(RandomProjection, PushdownRules) {
  unsigned compared = 0, partly = 0;
  for (unsigned i = 0; i < std::max(random_cases(400), 130U) && !HasFailure(); ++i) {
    Random random(7'800'000 + i);
    model::PushdownTask task = random_pushdown(random, 2);
    auto& rules = task.model.transitions;
    for (std::uint32_t r = 0; r < rules.size(); ++r) rules[r].line = r + 1;
    task.question.contexts = static_cast<std::uint32_t>(random.between(1, 2));
    const auto ask = [&](const Task& asked) { return checked_verdict("pushdown", asked); };
    const Verdict first = ask(task);
    if (!std::holds_alternative<answer::Unsafe>(first)) continue;
    const answer::Projection projection = driver::project(task, first, ask);
    const auto expected = rules_to_target(task, *task.question.contexts);
    if (!expected || projection.count(OnErrorTrace::Undecided) > 0) continue;
    ++compared;
    partly += projection.count(OnErrorTrace::No) > 0 && projection.count(OnErrorTrace::Yes) > 0;
    for (const auto& rule : projection.statements)
      EXPECT_EQ(rule.on_error_trace == OnErrorTrace::Yes, expected->contains(rule.at.line))
          << "rule " << rule.at.line << "\n"
          << pushdown_text(task);
  }
  std::cout << compared << " projections, " << partly << " of a part\n";
  EXPECT_GT(compared, 10u);
  EXPECT_GT(partly, 5u);
}

/// Jumps into loops, labels, atomic sections, results in shared variables: what random programs
/// lack.
TEST(RandomProjection, ByHand) {
  const std::vector<std::string> programs = {
      "decl x := 0;\nvoid thread1() begin\n goto IN;\n while (x) do\n  x := 0;\n  IN: skip;\n od;\n"
      " SLIC_ERROR: skip;\nend\nvoid thread2() begin\n x := 1;\nend\n",
      "decl x := 0, y := 0;\nbool f() begin\n return T;\nend\nvoid thread1() begin\n x := f();\n"
      " y := 1;\nend\nvoid thread2() begin\n assert(x | !y);\n assert(!x);\nend\n",
      "decl x := 0;\nvoid thread1() begin\n atomic {\n  assume(x);\n x := 0;\n }\n "
      "assert(x);\nend\n"
      "void thread2() begin\n if (*) then\n x := 1;\n elsif (x) then\n skip;\n fi;\n constrain 'x "
      "= x;\n"
      " dead x;\nend\n",
      "decl x := 0;\nvoid thread1() begin\n goto A, B;\n A: x := 1;\n end_thread;\n B: skip;\n"
      " L: while (*) do\n  goto C;\n C: skip;\n od;\n assert(!x);\n x := 0;\nend\n"
      "void thread2() begin\n assume(x);\n abortif x;\n SLIC_ERROR: x := 1;\nend\n",
      "decl x := 0;\nvoid thread1() begin\n decl l := 0;\n enforce !l;\n atomic_begin;\n l := *;\n"
      " atomic_end;\n assert(x);\n l := 1;\nend\nvoid thread2() begin\n print(x);\n x := "
      "1;\nend\n"};
  ProjectionScore score;
  for (const std::string& text : programs)
    for (const char* engine : {"context-lazy", "context-joint"})
      for (const std::uint32_t rounds : {1U, 2U, 3U})
        expect_projection(text, rounds, engine, score);
  EXPECT_GT(score.partly, 5u);
  EXPECT_EQ(score.inexact, 0u);
}

}  // namespace
}  // namespace heddle::test::projection_test
