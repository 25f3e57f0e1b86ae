#include "output/replay_cursor.hpp"
#include "output/replay_session.hpp"
#include "output/replay_watch.hpp"

namespace heddle::output {
namespace {

using answer::Trace;
using answer::TraceStep;
using base::Integer;
using model::Counter;
using model::Counts;
using model::PlaceId;
using model::TransitionId;
using testing::HasSubstr;

TraceStep step(unsigned transition) { return {TransitionId(transition), {}, std::nullopt, {}}; }

/// Transition 0 makes b out of a, 1 makes a out of b, 2 makes c out of b.
model::CountingTask net_task() {
  model::PetriNet net;
  net.places = {"a", "b", "c"};
  const PlaceId a(0u), b(1u), c(2u);
  add_transition(net, "forth", {{a, 1}}, {{b, 1}});
  add_transition(net, "back", {{b, 1}}, {{a, 1}});
  add_transition(net, "on", {{b, 1}}, {{c, 1}});
  return {net, {{}, {{{}, {{c, 1, std::nullopt}}}}}};
}

/// One step, a block of two steps that turns a into c, `times` times, one more step.
Trace trace_with_block(const Integer& times) {
  Trace trace;
  trace.initial.counts = {{Counter(0u), times + 2}};
  trace.blocks = {{1, {step(0)}}, {times, {step(0), step(2)}}, {1, {step(1)}}};
  return trace;
}

/// Forth and back, n times each, every step written down.
Trace long_trace(std::size_t n) {
  Trace trace;
  trace.initial.counts = {{Counter(0u), 1}};
  for (std::size_t i = 0; i < n; ++i) {
    trace.blocks.push_back({1, {step(0)}});
    trace.blocks.push_back({1, {step(1)}});
  }
  return trace;
}

TEST(ReplayCursor, FoldsABlockIntoOneLegByArithmetic) {
  const Integer huge("1000000000000000000000000000000");
  const model::CountingTask task = net_task();
  const Trace trace = trace_with_block(huge);
  ReplayCursor cursor(task.model, trace, Blocks::Folded);
  ASSERT_EQ(cursor.size(), 3u);
  ASSERT_TRUE(cursor.move_to(2));
  EXPECT_EQ(cursor.configuration().counts,
            (Counts{{Counter(0u), 1}, {Counter(1u), 1}, {Counter(2u), huge}}));
  EXPECT_EQ(cursor.steps_done(), 1 + 2 * huge);
  EXPECT_THAT(cursor.last_entry().who, HasSubstr("repeat " + huge.get_str() + " times"));
}

TEST(ReplayCursor, UnfoldsTheEndsOfALongBlock) {
  const Trace trace = trace_with_block(Integer("1000000000000000000000000000000"));
  const model::CountingTask task = net_task();
  ReplayCursor cursor(task.model, trace, Blocks::Unfolded);
  ASSERT_EQ(cursor.size(), 2 + 2 * 2 * kShownRepetitions + 1);
  EXPECT_TRUE(cursor.move_to(cursor.size()));
  ReplayCursor folded(task.model, trace, Blocks::Folded);
  folded.move_to(3);
  EXPECT_EQ(cursor.configuration(), folded.configuration());
  EXPECT_EQ(cursor.steps_done(), folded.steps_done());
}

TEST(ReplayCursor, UnfoldsAShortBlockWhole) {
  EXPECT_EQ(legs_of(trace_with_block(10), Blocks::Unfolded).size(), 22u);
}

TEST(ReplayCursor, ReachesTheSameConfigurationFromBothSides) {
  const model::CountingTask task = net_task();
  const Trace trace = long_trace(150);
  ReplayCursor cursor(task.model, trace, Blocks::Folded);
  std::vector<model::Configuration> forward{cursor.configuration()};
  while (cursor.forward()) forward.push_back(cursor.configuration());
  ASSERT_EQ(forward.size(), 301u);
  for (std::size_t p = 300; p > 0; --p) {
    ASSERT_TRUE(cursor.backward());
    ASSERT_EQ(cursor.position(), p - 1);
    ASSERT_EQ(cursor.configuration(), forward[p - 1]);
    if (p == 1) continue;
    EXPECT_EQ(cursor.last_entry().number, std::to_string(p - 1));
  }
  EXPECT_FALSE(cursor.backward());
}

TEST(ReplayCursor, FindsPositionsOfSteps) {
  const model::CountingTask task = net_task();
  const Trace trace = trace_with_block(5);
  const ReplayCursor cursor(task.model, trace, Blocks::Folded);
  EXPECT_EQ(cursor.position_of_step(0), 0u);
  EXPECT_EQ(cursor.position_of_step(1), 1u);
  EXPECT_EQ(cursor.position_of_step(7), 1u);
  EXPECT_EQ(cursor.position_of_step(11), 2u);
  EXPECT_EQ(cursor.position_of_step(99), 3u);
}

TEST(ReplayCursor, StaysBeforeAnImpossibleStep) {
  const model::CountingTask task = net_task();
  Trace trace = trace_with_block(5);
  trace.initial.counts = {{Counter(0u), 3}};
  ReplayCursor cursor(task.model, trace, Blocks::Folded);
  EXPECT_FALSE(cursor.move_to(3));
  EXPECT_EQ(cursor.position(), 1u);
  EXPECT_FALSE(cursor.broken().empty());
}

class Session : public testing::Test {
 protected:
  model::CountingTask task_ = net_task();
  Trace trace_ = trace_with_block(17);
  ReplaySession session_{task_, trace_, Blocks::Folded, Style{}};
};

TEST_F(Session, StepsAndJumps) {
  EXPECT_THAT(session_.greeting(), HasSubstr("36 steps"));
  EXPECT_THAT(session_.respond("n"), HasSubstr("forth"));
  const std::string block = session_.respond("");
  EXPECT_THAT(block, HasSubstr("repeat 17 times: "));
  EXPECT_THAT(block, HasSubstr("a -17, c +17"));
  EXPECT_THAT(block, HasSubstr("reaches c>=1"));
  EXPECT_THAT(session_.respond("p"), HasSubstr("a=18, b=1"));
  EXPECT_THAT(session_.respond("g 12"), HasSubstr("inside the repetition"));
  EXPECT_THAT(session_.respond("g end"), HasSubstr("back"));
  EXPECT_THAT(session_.respond("n"), HasSubstr("end of the trace"));
  EXPECT_FALSE(session_.finished());
  session_.respond("q");
  EXPECT_TRUE(session_.finished());
}

TEST_F(Session, WatchesAndContinues) {
  EXPECT_THAT(session_.respond("c"), HasSubstr("nothing is watched"));
  EXPECT_THAT(session_.respond("w d"), HasSubstr("no place 'd'"));
  EXPECT_THAT(session_.respond("w c"), HasSubstr("c: 0"));
  EXPECT_THAT(session_.respond("c"), HasSubstr("c: 17"));
  EXPECT_THAT(session_.respond("w c"), HasSubstr("no longer"));
}

TEST_F(Session, ListsAroundWithoutMoving) {
  session_.respond("n");
  EXPECT_THAT(session_.respond("l"), HasSubstr("> "));
  EXPECT_THAT(session_.respond("n"), HasSubstr("repeat 17 times"));
}

TEST_F(Session, RejectsWhatItDoesNotKnow) {
  EXPECT_THAT(session_.respond("x"), HasSubstr("no command 'x'"));
  EXPECT_THAT(session_.respond("g x"), HasSubstr("to which step?"));
}

TEST(ReplayWatch, KnowsStatesByNumberNameAndPair) {
  model::ThreadSystem system;
  system.shared_count = 2;
  system.local_count = 3;
  system.local_names = {"", "busy", ""};
  const model::CountingModel model = system;
  const model::Configuration at{model::SharedState(1u), {{Counter(1u), 4}}};
  EXPECT_EQ(ReplayWatch::parse(model, "shared")->value(model, at), "1");
  EXPECT_EQ(ReplayWatch::parse(model, "1")->value(model, at), "4");
  EXPECT_EQ(ReplayWatch::parse(model, "busy")->value(model, at), "4");
  EXPECT_EQ(ReplayWatch::parse(model, "1|1")->value(model, at), "4");
  EXPECT_EQ(ReplayWatch::parse(model, "0|1")->value(model, at), "0");
  for (const char* wrong : {"3", "2|1", "1|3", "-1", "idle"})
    EXPECT_FALSE(ReplayWatch::parse(model, wrong)) << wrong;
}

}  // namespace
}  // namespace heddle::output
