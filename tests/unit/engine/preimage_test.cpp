/// Every way to find preimages against the interpreter, valuation by valuation.

#include <gtest/gtest.h>

#include "engine/onthefly/diagram.hpp"
#include "engine/onthefly/edge_image.hpp"
#include "engine/onthefly/table.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "support/preimages.hpp"
#include "support/random.hpp"

namespace heddle::engine::onthefly {
namespace {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::EdgeKind;
using model::boolean::FlowEdge;
using model::boolean::Formula;
using model::boolean::Valuation;

constexpr unsigned kVariables = 4;  // shared ones, and local ones
constexpr unsigned kChoices = 2;

class RandomEdges {
 public:
  explicit RandomEdges(std::uint64_t seed) : random_(seed) {}

  FlowEdge edge() {
    FlowEdge out;
    out.choices = kChoices;
    if (random_.one_in(2)) out.guard = formula(2, false, true);
    if (random_.one_in(2)) out.constraint = formula(2, true, true);
    out.shared = assignments(true);
    out.local = assignments(true);
    if (random_.one_in(2)) {
      out.kind = EdgeKind::Spawn;
      out.child_values = assignments(true);
    }
    if (random_.one_in(3)) out.passive = assignments(false);
    return out;
  }

  After after(const FlowEdge& edge) {
    After out;
    for (Cube& cube : out.parts)
      for (unsigned i = 0; i < kVariables; ++i)
        if (random_.one_in(3)) cube = cube.with(i, random_.one_in(2));
    if (edge.kind != EdgeKind::Spawn) out[Part::Child] = Cube::all();
    return out;
  }

 private:
  Formula formula(unsigned depth, bool next, bool choices) {
    using namespace model::boolean;
    if (depth == 0 || random_.one_in(5)) {
      switch (random_.below(next ? 5 : 3)) {
        case 0: return choices ? atom(AtomKind::Choice, random_.below(kChoices)) : constant(true);
        case 1: return atom(AtomKind::Shared, random_.below(kVariables));
        case 2: return atom(AtomKind::Local, random_.below(kVariables));
        case 3: return atom(AtomKind::NextShared, random_.below(kVariables));
        default: return atom(AtomKind::NextLocal, random_.below(kVariables));
      }
    }
    const auto next_one = [&] { return formula(depth - 1, next, choices); };
    switch (random_.below(5)) {
      case 0: return negation(next_one());
      case 1: return conjunction(next_one(), next_one());
      case 2: return disjunction(next_one(), next_one());
      case 3: return equality(next_one(), next_one());
      default: return conditional(next_one(), next_one(), next_one());
    }
  }

  std::vector<Assignment> assignments(bool choices) {
    std::vector<Assignment> out;
    for (unsigned i = 0; i < kVariables; ++i)
      if (random_.one_in(3)) out.push_back({i, formula(random_.below(3), false, choices)});
    return out;
  }

  test::Random random_;
};

/// What the interpreter says. The values for other threads have no choices here.
bool leads_to(const FlowEdge& edge, Valuation shared, Valuation local, const After& after) {
  model::boolean::Knowledge known;
  known.shared = Cube::only(shared);
  known.local = Cube::only(local);
  for (const Assignment& passive : edge.passive) {
    const Cube& wanted = after[Part::Others];
    const bool value = *evaluate(passive.value, known);
    if (!wanted.meets(Cube::all().with(passive.index, value))) return false;
  }
  return find_outcome(edge, shared, local,
                      {after[Part::Shared], after[Part::Local], after[Part::Child]})
      .has_value();
}

/// Which of the 256 valuations are in one of the cubes?
std::string members(const std::vector<Before>& cubes) {
  std::string out;
  for (std::uint64_t v = 0; v < 256; ++v)
    out += std::ranges::any_of(cubes,
                               [&](const Before& cube) {
                                 return cube.shared.contains(v % 16) && cube.local.contains(v / 16);
                               })
               ? '1'
               : '0';
  return out;
}

void expect_irredundant(const std::vector<Before>& cubes) {
  const std::string all = members(cubes);
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    std::vector<Before> fewer = cubes;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(members(fewer), all);
  }
}

TEST(Preimage, EveryWayAgreesWithTheInterpreter) {
  const TableAlgebra tables;
  const DiagramAlgebra diagrams(20);
  unsigned in_tables = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    RandomEdges random(seed);
    const FlowEdge edge = random.edge();
    const EdgeFunctions functions(edge);
    const test::ImageByExpansion expansion(functions);
    const test::ImageBySolver solver(functions);
    const EdgeImage<DiagramAlgebra> diagram(functions, diagrams);
    for (int round = 0; round < 3; ++round) {
      const After after = random.after(edge);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
      std::string expected;
      for (std::uint64_t v = 0; v < 256; ++v)
        expected += leads_to(edge, v % 16, v / 16, after) ? '1' : '0';
      EXPECT_EQ(members(expansion.of(after)), expected);
      EXPECT_EQ(members(solver.of(after)), expected);
      EXPECT_EQ(members(diagram.of(after)), expected);
      expect_irredundant(diagram.of(after));
      if (functions.atoms.size() > kTableVariables) continue;
      const auto by_table = EdgeImage<TableAlgebra>(functions, tables).of(after);
      EXPECT_EQ(members(by_table), expected);
      expect_irredundant(by_table);
      ++in_tables;
    }
  }
  EXPECT_GT(in_tables, 300U);
}

/// x0 = y0 or x1 = y1 or … is 2n cubes; expanded variable by variable it is more than 2^n.
TEST(Preimage, FewCubesForAChoiceOfComparisons) {
  using namespace model::boolean;
  constexpr unsigned kPairs = 30;
  FlowEdge edge;
  edge.guard = constant(false);
  for (unsigned i = 0; i < kPairs; ++i)
    edge.guard = disjunction(std::move(edge.guard),
                             equality(atom(AtomKind::Shared, i), atom(AtomKind::Local, i)));
  const EdgeFunctions functions(edge);
  const DiagramAlgebra diagrams(2 * kPairs);
  EXPECT_EQ(EdgeImage(functions, diagrams).of({}).size(), 2 * kPairs);
}

}  // namespace
}  // namespace heddle::engine::onthefly
