#include "output/picture/quotient_picture.hpp"

#include <cstdlib>
#include <fstream>

#include "support/builders.hpp"

namespace heddle::output::picture {
namespace {

using model::LocalState;
using model::SharedState;
using model::ThreadState;
using model::TransitionId;
using testing::HasSubstr;
using testing::Not;
using namespace heddle::test;

/// The worked example of papers/cutr.txt.
model::CountingTask figure_1() {
  return task(thread_system(7, 5,
                            {move(0, 0, 1, 1), move(1, 0, 2, 1), move(2, 0, 3, 1), move(3, 1, 1, 2),
                             move(3, 2, 4, 3), move(4, 2, 5, 4), move(5, 4, 6, 3)}),
              {any_number(0, {0})}, {target(6, {3})});
}

DiagramParts figure_1_parts() { return {{0, 1, 2, 3, 4, 5, 6}, {{false, {1, 2, 3}}}}; }

ThreadState at(unsigned shared, unsigned local) { return {SharedState(shared), LocalState(local)}; }

answer::TraceStep step(unsigned transition) { return {TransitionId(transition), {}, {}, {}}; }

/// Twice round the loop, and two steps of a third round.
answer::Trace figure_1_trace() {
  answer::Trace trace{configuration(0, {7}), {}};
  trace.blocks = {{1, {step(0)}},
                  {2, {step(1), step(2), step(3)}},
                  {1, {step(1), step(2), step(4), step(5), step(6)}}};
  return trace;
}

std::size_t times_found(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t i = text.find(piece); i != std::string::npos; i = text.find(piece, i + 1))
    ++found;
  return found;
}

TEST(ExpandedDiagram, EdgesLeadFromArrivalsToDeparturesInTheSameSharedState) {
  EXPECT_EQ(expansion_edges(figure_1(), figure_1_parts()),
            (std::set<ExpansionEdge>{{at(1, 1), at(1, 0)},
                                     {at(1, 2), at(1, 0)},
                                     {at(2, 1), at(2, 0)},
                                     {at(3, 1), at(3, 2)},
                                     {at(4, 3), at(4, 2)}}));
}

TEST(ExpandedDiagram, ASpawnArrivesTwice) {
  const model::CountingTask spawning =
      task(thread_system(2, 3, {spawn(0, 0, 1, 1), move(1, 2, 0, 0)}), {any_number(0, {0})}, {});
  EXPECT_EQ(expansion_edges(spawning, {{0, 1}, {}}),
            (std::set<ExpansionEdge>{{at(1, 1), at(1, 2)}, {at(1, 0), at(1, 2)}}));
}

TEST(ExpandedDiagram, ATraceIsAPath) {
  const PathTaken path = path_of(figure_1(), figure_1_trace());
  EXPECT_EQ(path.transitions.at(2), 3);
  EXPECT_EQ(path.rounds_of(figure_1_parts().components[0]), 2);
  EXPECT_TRUE(path.expansions.contains({at(1, 2), at(1, 0)}));
  EXPECT_TRUE(path.expansions.contains({at(3, 1), at(3, 2)}));
  EXPECT_FALSE(path.expansions.contains({at(6, 3), at(6, 4)}));
}

TEST(ExpandedDiagram, RoundsAreCountedWithoutRunningThem) {
  answer::Trace trace = figure_1_trace();
  trace.blocks[1].repetitions = base::Integer(1) << 200;
  EXPECT_EQ(path_of(figure_1(), trace).rounds_of(figure_1_parts().components[0]), base::Integer(1)
                                                                                      << 200);
}

TEST(ExpandedDiagram, StepsThatTheModelDoesNotHaveArePassedOver) {
  answer::Trace trace{configuration(0, {1}), {}};
  trace.blocks = {{1, {step(99), step(0)}}};
  EXPECT_EQ(path_of(figure_1(), trace).transitions.size(), 1u);
}

TEST(QuotientPicture, ShowsThreePanelsAndThePath) {
  const answer::Trace trace = figure_1_trace();
  const std::string svg = quotient_svg(figure_1(), figure_1_parts(), &trace, "fig1", "");
  for (const char* part : {"(a) the diagram", "(b) expanded", "(c) the quotient", "κ = 2",
                           "1 simple loop, 0 tangles of loops"})
    EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_EQ(times_found(svg, "<circle class=\"loop\""), 1u + 1u);  // and in the legend
  // 12 thread states in (a) and (b), 7 of them outside the loop in (c)
  EXPECT_EQ(times_found(svg, "<circle class=\"node"), 12u + 12u + 7u);
  EXPECT_EQ(times_found(svg, " in-loop\""), 5u);
}

TEST(QuotientPicture, WithoutATraceNothingIsBold) {
  const std::string svg = quotient_svg(figure_1(), figure_1_parts(), nullptr, "fig1", "");
  EXPECT_THAT(svg, Not(HasSubstr(" chosen\"")));
  EXPECT_THAT(svg, HasSubstr("simple loop of 3 edges"));
}

TEST(QuotientPicture, EvidenceThatIsNotConfirmedIsMarked) {
  EXPECT_THAT(quotient_svg(figure_1(), figure_1_parts(), nullptr, "fig1", "REFUTED: no"),
              HasSubstr("REFUTED: no"));
}

TEST(QuotientPicture, LargeSystemsAreSummarised) {
  std::vector<model::ThreadTransition> edges;
  for (unsigned i = 0; i < 200; ++i) edges.push_back(move(0, i, 0, i + 1));
  const model::CountingTask large =
      task(thread_system(1, 201, edges), {any_number(0, {0})}, {target(0, {200})});
  DiagramParts parts{{}, {{true, {}}}};
  for (unsigned i = 0; i < 200; ++i) parts.live.push_back(i);
  parts.components[0].transitions = parts.live;
  const std::string svg = quotient_svg(large, parts, nullptr, "large", "");
  EXPECT_THAT(svg, HasSubstr("201 thread states, too many to draw; 0 simple loops, 1 tangle"));
  EXPECT_THAT(svg, HasSubstr("a tangle of 200 edges"));
}

}  // namespace
}  // namespace heddle::output::picture
