#include <string>

#include "frontend/boolean_program/format.hpp"
#include "model/boolean_program/flow.hpp"
#include "output/picture/basis_picture.hpp"
#include "output/picture/dot.hpp"
#include "output/picture/net_dot.hpp"
#include "output/picture/program_picture.hpp"
#include "output/picture/svg.hpp"
#include "output/picture/thread_system_picture.hpp"
#include "output/picture/trace_picture.hpp"

namespace heddle::output::picture {
namespace {

using model::Counter;
using model::LocalState;
using model::SharedState;
using model::StepKind;
using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
    ++found;
  return found;
}

model::ThreadTransition edge(StepKind kind, unsigned s, unsigned l, unsigned s2, unsigned l2) {
  model::ThreadTransition t;
  t.kind = kind;
  t.source = {SharedState(s), LocalState(l)};
  t.target = {SharedState(s2), LocalState(l2)};
  return t;
}

model::ThreadSystem small_system() {
  model::ThreadSystem system;
  system.shared_count = 2;
  system.local_count = 3;
  system.transitions = {edge(StepKind::Move, 0, 0, 1, 1), edge(StepKind::Move, 1, 1, 0, 0),
                        edge(StepKind::Spawn, 1, 1, 1, 0), edge(StepKind::Transfer, 1, 1, 0, 2),
                        edge(StepKind::Move, 0, 0, 0, 0)};
  system.transitions[1].passive = {{LocalState(2u), LocalState(0u)}};
  system.shared_names = {"a<b & \"c\"", ""};
  return system;
}

model::CountingQuestion small_question() {
  return {{{SharedState(0u), {{Counter(0u), 0, std::nullopt}}}},
          {{SharedState(1u), {{Counter(2u), 2, std::nullopt}}}}};
}

TEST(Svg, EscapesAndShortens) {
  EXPECT_EQ(escaped("a<b>&\"'\x01"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(shortened("→→→→", 4), "→→→→");
  EXPECT_EQ(shortened("→→→→→", 4), "→→→…");
}

TEST(Svg, WrapsAtBlanks) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("in the critical section", 12, 3), (Lines{"in the", "critical", "section"}));
  EXPECT_EQ(wrapped("in the critical section", 15, 2), (Lines{"in the critical", "section"}));
  EXPECT_EQ(wrapped("in the critical section", 12, 2), (Lines{"in the", "critical se…"}));
  EXPECT_EQ(wrapped("→→→→→", 3, 9), (Lines{"→→→", "→→"}));
  EXPECT_EQ(wrapped("", 3, 9), (Lines{""}));
}

TEST(DotHead, NamesMarksAndEscapes) {
  DotHead head("a<b");
  head.targets({"1", "2", "3", "4", "5", "6"});
  head.node("#111111", "#222222", "x & y");
  const std::string text = head.text();
  EXPECT_THAT(text, HasSubstr("<TD>a&lt;b</TD>"));
  EXPECT_THAT(text, HasSubstr("or 2 more"));
  EXPECT_THAT(text, HasSubstr("BGCOLOR=\"#111111\" COLOR=\"#222222\"></TD><TD ALIGN=\"LEFT\">x "
                              "&amp; y</TD>"));
}

TEST(ThreadSystemPicture, DrawsEveryNodeAndEdge) {
  const std::string svg = thread_system_svg(small_system(), small_question(), "x.tts");
  EXPECT_EQ(occurrences(svg, "<circle class=\"node"), 5u);
  EXPECT_EQ(occurrences(svg, "class=\"node initial\""), 1u);
  EXPECT_EQ(occurrences(svg, "class=\"node target\""), 1u);
  // Each class once in the legend, besides its edges.
  EXPECT_EQ(occurrences(svg, "<path class=\"edge\""), 2u + 1);
  EXPECT_EQ(occurrences(svg, "<path class=\"edge spawn\""), 1u + 1);
  EXPECT_EQ(occurrences(svg, "<path class=\"edge transfer\""), 1u + 1);
  EXPECT_EQ(occurrences(svg, "<path class=\"edge passive\""), 1u + 1);
  EXPECT_THAT(svg, HasSubstr("2~&gt;0"));
  EXPECT_THAT(svg, HasSubstr("a&lt;b &amp; &quot;c&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr("a<b")));
}

TEST(ThreadSystemPicture, SummarisesLargeSystems) {
  model::ThreadSystem system;
  system.shared_count = 30;
  system.local_count = 50;
  for (unsigned l = 0; l + 1 < 50; ++l)
    for (unsigned s = 0; s < 30; ++s)
      system.transitions.push_back(edge(StepKind::Move, s, l, s, l + 1));
  const std::string svg = thread_system_svg(system, small_question(), "x.tts");
  EXPECT_THAT(svg, HasSubstr("1500 thread states and 1470 edges are too many"));
  EXPECT_THAT(svg, HasSubstr("1500 strongly connected components"));
  EXPECT_LT(occurrences(svg, "<rect class=\"cell\""), 1000u);
}

TEST(ThreadSystemPicture, DrawsAnEmptySystem) {
  EXPECT_THAT(thread_system_svg({}, {}, "x"), HasSubstr("</svg>"));
}

TEST(ThreadSystemPicture, WritesTheSameGraphForGraphviz) {
  const std::string dot = thread_system_dot(small_system(), small_question(), "x \"y\"");
  EXPECT_EQ(occurrences(dot, " -> "), 5u);
  EXPECT_THAT(dot, HasSubstr("label=\"x \\\"y\\\"\""));
}

model::PetriNet small_net() {
  model::PetriNet net;
  net.places = {"p", "q\"", "r"};
  add_transition(net, "move", {{Counter(0u), 2}}, {{Counter(1u), 1}});
  model::PetriTransition flush;
  flush.guard = {{Counter(2u), 1, std::nullopt}};
  flush.updates = {{Counter(0u), {}, 0}, {Counter(1u), {{Counter(0u), 1}, {Counter(1u), 1}}, 0}};
  net.transitions.push_back(flush);
  return net;
}

TEST(NetDot, DrawsWeightsTestsResetsAndTransfers) {
  const model::CountingQuestion question{{{{}, {{Counter(0u), 3, base::Integer(3)}}}},
                                         {{{}, {{Counter(1u), 1, std::nullopt}}}}};
  const std::string dot = net_dot(small_net(), question, "n");
  EXPECT_THAT(dot, HasSubstr("p0 -> t0 [label=\"2\"]"));
  EXPECT_THAT(dot, HasSubstr("t0 -> p1 [label=\"\"]"));
  EXPECT_THAT(dot, HasSubstr("p2 -> t1 [label=\"≥1\", style=dashed"));
  EXPECT_THAT(dot, HasSubstr("p0 -> t1 [label=\"all\", arrowhead=diamond"));
  EXPECT_THAT(dot, HasSubstr("t1 -> p1 [label=\"p\", penwidth=2"));
  EXPECT_THAT(dot, HasSubstr("● 3"));
  EXPECT_THAT(dot, HasSubstr("q\\\""));
  for (const char* mark :
       {"initial tokens", "place of a target", "needs n tokens", "empties", "as many tokens"})
    EXPECT_THAT(dot, HasSubstr(mark)) << "in the legend";
  EXPECT_THAT(dot, Not(HasSubstr("at most n tokens"))) << "there is no such arc";
}

/// Places that a target asks for together are not targets of their own.
TEST(NetDot, SaysThatATargetIsReachedAtOnce) {
  const model::CountingQuestion question{
      {}, {{{}, {{Counter(0u), 1, std::nullopt}, {Counter(2u), 2, std::nullopt}}}}};
  EXPECT_THAT(net_dot(small_net(), question, "n"), HasSubstr("target: p&gt;=1, r&gt;=2 at once"));
}

TEST(ProgramDot, ExplainsItsColours) {
  const auto parsed = frontend::boolean_program::parse(
      {"p.bp", "decl x;\nvoid main() begin atomic { x := 1; skip; } assert(x); end\n"});
  ASSERT_TRUE(parsed);
  const std::string dot = program_dot(*model::boolean::unfold(parsed->model), "p.bp");
  for (const char* mark : {"threads start here", "inside an atomic section", "has failed"})
    EXPECT_THAT(dot, HasSubstr(mark));
  EXPECT_THAT(dot, Not(HasSubstr("a thread waits")));
}

TEST(NetDot, DrawsAPartOfALargeNet) {
  model::PetriNet net;
  for (int i = 0; i < 200; ++i) net.places.push_back("p" + std::to_string(i));
  for (unsigned i = 0; i + 1 < 200; ++i)
    add_transition(net, "", {{Counter(i), 1}}, {{Counter(i + 1), 1}});
  const model::CountingQuestion question{{}, {{{}, {{Counter(199u), 1, std::nullopt}}}}};
  const std::string dot = net_dot(net, question, "n");
  EXPECT_THAT(dot, HasSubstr("of 200 places"));
  EXPECT_THAT(dot, HasSubstr("  p199 ["));
  EXPECT_LE(occurrences(dot, "shape="), kMostDrawnNetNodes + 2);
}

TEST(TracePicture, GivesEachBusyThreadALane) {
  const model::CountingTask task{small_system(), small_question()};
  answer::Trace trace;
  trace.initial.counts = {{Counter(0u), 3}};
  const auto step = [](unsigned t, unsigned thread) {
    return answer::TraceStep{model::TransitionId(t), {}, answer::ThreadId(thread), {}};
  };
  trace.blocks = {{1, {step(0, 1)}}, {1, {step(2, 1)}}};
  const std::string svg = trace_svg(task, trace, "t", "REFUTED: <no>");
  EXPECT_EQ(occurrences(svg, "<line class=\"lane\""), 2u);
  EXPECT_EQ(occurrences(svg, "<circle class=\"step\""), 2u + 1) << "one in the legend";
  EXPECT_EQ(occurrences(svg, "<path class=\"branch\""), 1u);
  EXPECT_THAT(svg, HasSubstr("thread 3"));
  EXPECT_THAT(svg, HasSubstr("2 threads without a lane"));
  EXPECT_THAT(svg, HasSubstr("REFUTED: &lt;no&gt;"));
}

TEST(TracePicture, BoxesBlocksAndCutsLongTraces) {
  const model::CountingTask task{small_net(), {}};
  answer::Trace trace;
  trace.initial.counts = {{Counter(0u), 10000}};
  const answer::TraceStep move{model::TransitionId(0u), {}, std::nullopt, {}};
  trace.blocks.push_back({500, {move}});
  for (int i = 0; i < 400; ++i) trace.blocks.push_back({1, {move}});
  const std::string svg = trace_svg(task, trace, "t", "");
  EXPECT_EQ(occurrences(svg, "<rect class=\"block\""), 1u + 1) << "one in the legend";
  EXPECT_THAT(svg, HasSubstr("241 rows left out"));
  EXPECT_THAT(svg, HasSubstr("ends in p=8200, q&quot;=900"));
}

TEST(BasisPicture, ShowsCountsAndSaysWhatIsLeftOut) {
  const model::CountingTask task{small_system(), small_question()};
  answer::BackwardBasis basis;
  basis.minimal = {{SharedState(1u), {{Counter(2u), 2}}}, {SharedState(0u), {{Counter(1u), 7}}}};
  const std::string svg = basis_svg(task, basis, "b", "");
  EXPECT_EQ(occurrences(svg, "<rect class=\"cell\""), 4u + 2) << "two in the legend";
  EXPECT_THAT(svg, HasSubstr(">7</text>"));
  for (unsigned i = 0; i < 200; ++i)
    basis.minimal.push_back({SharedState(0u), {{Counter(0u), 10 + i}}});
  EXPECT_THAT(basis_svg(task, basis, "b", ""), HasSubstr("the 102 largest are left out"));
}

TEST(BasisPicture, NamesWhatAnElementAsksForInColumnsThatAreLeftOut) {
  model::PetriNet net;
  answer::BackwardBasis basis;
  for (unsigned i = 0; i < 60; ++i) {
    net.places.push_back("place" + std::to_string(i));
    basis.minimal.push_back({SharedState(0u), {{Counter(i), 1 + i / 59}}});
  }
  const std::string svg = basis_svg({net, {}}, basis, "b", "");
  EXPECT_THAT(svg, HasSubstr("10 columns left out"));
  EXPECT_THAT(svg, testing::Not(HasSubstr("+ place49")));
  EXPECT_THAT(svg, HasSubstr(">+ place50<"));
  EXPECT_THAT(svg, HasSubstr(">+ place59 2<"));
}

}  // namespace
}  // namespace heddle::output::picture
