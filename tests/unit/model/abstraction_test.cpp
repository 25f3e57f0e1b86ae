/// Coarse graphs have every run of the program: each step of the interpreter is one of the coarse
/// graph or changes nothing that it shows, whatever is hidden and whichever nodes are one.

#include "model/boolean_program/abstraction.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "frontend/boolean_program/format.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "support/random.hpp"

namespace heddle::model::boolean {
namespace {

Flow flow_of(const std::string& text) {
  const auto file = frontend::boolean_program::parse({"test", text});
  EXPECT_TRUE(file) << base::render(file.error());
  return *unfold(file->model);
}

/// Something of everything.
const std::vector<std::string>& programs() {
  static const std::vector<std::string> all = {
      "decl g, h;\nvoid main() begin decl a, b;\n"
      " a := g & *; if (a = h) then g := !b; else h, b := b, a; fi;\n"
      " atomic { assume(!g); g := 1; } assert(a | h); end",
      "decl g := 0, h;\nvoid main() begin decl a, b := 1;\n"
      " more: start_thread goto child; broadcast; g := a; goto more;\n"
      " child: wait; a := h; atomic_begin; h := b; assume(g); atomic_end; assert(!h); end",
      "decl g;\nvoid main() begin decl a, b;\n"
      " one: wait c; a := *; signal d; two: wait d; b := a; signal c; assert(b); goto one; end",
      "decl g;\nvoid main() begin decl a, b;\n"
      " a$, b := *, g; b$ := a; g := a; a, b := *, * constrain ('a != 'b | g); assert(a); end",
      "decl g;\nvoid main() begin decl a, b;\n"
      " a$, b := a$ & (g | *), g; a$, b$ := *, b constrain$ ('a$ != b$ | a); assert(a); end",
      "decl g, h;\nbool f(x) begin decl y; y := x & g; h := y; return !y; end\n"
      "void main() begin decl a; a := f(h); enforced: skip; a := f(a | *); assert(!a); end",
  };
  return all;
}

/// A random abstraction that fits the graph: classes are made of nodes that may be one.
Abstraction random_abstraction(const Flow& flow, test::Random& random) {
  Abstraction out;
  out.shared = random.below(16);
  out.local = random.below(16);
  out.conditions = random.below(4);
  out.unseen_by_moves = random.below(16);
  const bool sections = flow.atomic_bit && out.shared[*flow.atomic_bit];
  std::map<std::tuple<std::uint32_t, bool, unsigned>, std::uint32_t> numbers;
  for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
    const FlowNode& node = flow.nodes[i];
    // A node that waits is alone.
    const unsigned group = node.waits ? 100 + static_cast<unsigned>(i) : random.below(4);
    const auto next = static_cast<std::uint32_t>(numbers.size());
    out.classes.push_back(
        numbers
            .try_emplace({flow.root_of(NodeId(i)), sections && node.atomic_depth > 0, group}, next)
            .first->second);
  }
  return out;
}

State shown(const State& state, const Abstraction& abstraction) {
  State out{state.shared & abstraction.shared, {}};
  for (const ThreadConfiguration& thread : state.threads)
    out.threads.push_back(
        {NodeId(abstraction.classes[thread.node.index()]), thread.values & abstraction.local});
  return out;
}

/// In one step, or in a few.
bool can_reach(const Flow& flow, const State& from, const State& to, int steps = 1) {
  bool found = from == to;
  if (found || steps == 0) return found;
  for_each_step(flow, from, [&](const Step&, const State& after) {
    found = found || can_reach(flow, after, to, steps - 1);
  });
  return found;
}

/// All states that a few steps lead to, with their steps.
void for_each_reachable(const Flow& flow, std::size_t most,
                        const std::function<void(const State&, const Step&, const State&)>& visit) {
  std::set<State> met;
  std::vector<State> open;
  for (State& state : initial_states(flow, 2))
    if (met.insert(state).second) open.push_back(std::move(state));
  for (std::size_t i = 0; i < open.size() && i < most; ++i) {
    const State state = open[i];
    if (state.threads.size() > 3) continue;
    for_each_step(flow, state, [&](const Step& step, const State& after) {
      visit(state, step, after);
      if (met.insert(after).second) open.push_back(after);
    });
  }
}

TEST(Abstraction, CoarseGraphsHaveEveryStep) {
  test::Random random(7);
  for (const std::string& text : programs()) {
    const Flow flow = flow_of(text);
    for (int round = 0; round < 12; ++round) {
      const Abstraction abstraction = random_abstraction(flow, random);
      const auto coarse = coarsen(flow, abstraction);
      ASSERT_TRUE(coarse) << coarse.error();
      std::set<std::pair<State, State>> seen;
      for_each_reachable(flow, 150, [&](const State& before, const Step& step, const State& after) {
        const FlowEdge& edge = flow.edges[step.edge.index()];
        // Threads that a hidden broadcast releases at once leave their waits one by one.
        const bool wakes = edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal;
        const bool hidden = wakes && !abstraction.shows_condition(edge.condition);
        const State from = shown(before, abstraction);
        const State to = shown(after, abstraction);
        if (from == to || !seen.emplace(from, to).second) return;
        EXPECT_TRUE(can_reach(coarse->flow, from, to, hidden ? 3 : 1))
            << text << "\nround " << round << ": " << edge.text;
      });
    }
  }
}

TEST(Abstraction, NothingHiddenAndNoNodesMergedIsTheSameGraph) {
  for (const std::string& text : programs()) {
    const Flow flow = flow_of(text);
    Abstraction all{Valuation::first(8), Valuation::first(8), Valuation::first(8), {}, {}};
    for (std::uint32_t i = 0; i < flow.nodes.size(); ++i) all.classes.push_back(i);
    const auto coarse = coarsen(flow, all);
    ASSERT_TRUE(coarse);
    ASSERT_EQ(coarse->flow.nodes.size(), flow.nodes.size());
    for_each_reachable(coarse->flow, 100,
                       [&](const State& before, const Step&, const State& after) {
                         EXPECT_TRUE(before == after || can_reach(flow, before, after)) << text;
                       });
  }
}

TEST(Abstraction, HiddenValuesAreChoicesAndGuardsOfThemNothing) {
  const Flow flow = flow_of(
      "decl g, h;\nvoid main() begin decl a, b;\n assume(h & (a | h)); g := !(a & b); g := a = h;"
      " g := g & h; end");
  Abstraction only_g{1, 0, 0, {}, std::vector<std::uint32_t>(flow.nodes.size())};
  std::vector<FlowEdge> edges;
  for (const FlowEdge& edge : flow.edges) edges.push_back(hide(edge, only_g));
  EXPECT_EQ(edges[0].guard, constant(true));
  EXPECT_TRUE(only_moves(edges[0]));
  EXPECT_TRUE(is_free(edges[1].shared[0]));
  EXPECT_EQ(edges[1].shared, edges[2].shared);
  EXPECT_EQ(edges[3].shared[0].value,
            conjunction(atom(AtomKind::Shared, 0), atom(AtomKind::Choice, 0)));
}

TEST(Abstraction, ThoseThatDoNotFitAreRefused) {
  const Flow flow =
      flow_of("decl g;\nvoid main() begin wait; g := 1; atomic_begin; g := 0; atomic_end; end");
  Abstraction all{Valuation::first(8), Valuation::first(8), Valuation::first(8), {}, {}};
  EXPECT_FALSE(coarsen(flow, all));
  all.classes.assign(flow.nodes.size(), 0);
  EXPECT_FALSE(coarsen(flow, all)) << "a node that waits and one that does not";
  all.conditions = 0;
  EXPECT_FALSE(coarsen(flow, all)) << "inside of a section and outside";
  all.shared = 1;
  EXPECT_TRUE(coarsen(flow, all));
  all.classes[0] = 2;
  EXPECT_FALSE(coarsen(flow, all)) << "an empty class";
  all.classes[0] = 4'000'000'000;
  EXPECT_FALSE(coarsen(flow, all));
}

}  // namespace
}  // namespace heddle::model::boolean
