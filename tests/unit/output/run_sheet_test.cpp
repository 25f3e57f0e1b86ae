/// Runs as tables: what reports and SARIF are made of.

#include "output/run_sheet.hpp"

#include "answer/thread_naming.hpp"
#include "model/thread_system.hpp"

namespace heddle::output {
namespace {

using answer::Trace;
using base::Integer;
using model::Counter;
using model::LocalState;
using model::SharedState;
using testing::ElementsAre;
using testing::HasSubstr;

answer::TraceStep nth(unsigned transition) {
  return {model::TransitionId(transition), {}, std::nullopt, {}};
}

/// Transition 0 makes b out of a, 1 makes a out of b, 2 makes c out of b; c is the target.
model::AnyTask tokens() {
  model::PetriNet net;
  net.places = {"a", "b", "c"};
  const model::PlaceId a(0u), b(1u), c(2u);
  add_transition(net, "forth", {{a, 1}}, {{b, 1}});
  add_transition(net, "back", {{b, 1}}, {{a, 1}});
  add_transition(net, "on", {{b, 1}}, {{c, 1}});
  net.transitions[0].line = 7;
  return model::NetTask{net, {{}, {{{}, {{c, 1, std::nullopt}}}}}};
}

/// The values after each row, from the changes alone.
std::map<std::string, std::string> values_after(const RunSheet& sheet, std::size_t rows) {
  std::vector<std::string> values;
  for (const SheetSlot& slot : sheet.slots) values.push_back(slot.initial);
  for (std::size_t i = 0; i < rows; ++i)
    for (const SheetChange& change : sheet.rows[i].changes) values[change.slot] = change.value;
  std::map<std::string, std::string> named;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& slot = sheet.slots[i];
    named[(slot.lane ? sheet.lanes[*slot.lane] + ":" : "") + slot.name] = values[i];
  }
  return named;
}

TEST(RunSheet, HasPlacesAndChanges) {
  Trace trace;
  trace.initial.counts = {{Counter(0u), 2}};
  trace.blocks = {{1, {nth(0)}}, {1, {nth(2)}}};
  const RunSheet sheet = sheet_of(tokens(), trace, {});
  ASSERT_EQ(sheet.rows.size(), 2u);
  EXPECT_EQ(sheet.rows[0].entry.place, (SourcePlace{0, 7, 0}));
  EXPECT_EQ(sheet.rows[1].entry.place.line, 0u);
  EXPECT_EQ(sheet.steps, 2);
  EXPECT_EQ(sheet.reached, "reaches c>=1");
  EXPECT_EQ(sheet.broken, "");
  EXPECT_TRUE(sheet.lanes.empty());
  const auto start = values_after(sheet, 0), end = values_after(sheet, 2);
  EXPECT_EQ(start.at("a"), "2");
  EXPECT_EQ(end.at("a"), "1");
  EXPECT_EQ(end.at("b"), "0");
  EXPECT_EQ(end.at("c"), "1");
}

TEST(RunSheet, HasFewRowsForManyRepetitions) {
  Integer huge = 1;
  huge <<= 200;
  Trace trace;
  trace.initial.counts = {{Counter(0u), huge}};
  trace.blocks = {{huge, {nth(0), nth(2)}}};
  const RunSheet sheet = sheet_of(tokens(), trace, {});
  EXPECT_LT(sheet.rows.size(), 20u);
  EXPECT_EQ(sheet.steps, 2 * huge);
  EXPECT_EQ(sheet.rows.front().first, 1);
  EXPECT_EQ(sheet.rows.back().last, 2 * huge);
  for (std::size_t i = 1; i < sheet.rows.size(); ++i)
    EXPECT_EQ(sheet.rows[i].first, sheet.rows[i - 1].last + 1);
  EXPECT_EQ(values_after(sheet, sheet.rows.size()).at("c"), huge.get_str());
}

TEST(RunSheet, LosesItsMiddleButNoChanges) {
  Trace trace;
  trace.initial.counts = {{Counter(0u), 100}};
  for (int i = 0; i < 100; ++i) trace.blocks.push_back({1, {nth(0)}});
  const RunSheet sheet = sheet_of(tokens(), trace, {}, 10);
  ASSERT_EQ(sheet.rows.size(), 11u);
  EXPECT_EQ(sheet.rows[5].entry.change, "90 steps not shown");
  EXPECT_EQ(sheet.rows[5].first, 6);
  EXPECT_EQ(sheet.rows[5].last, 95);
  EXPECT_EQ(values_after(sheet, 6).at("b"), "95");
  EXPECT_EQ(values_after(sheet, 11).at("b"), "100");
}

TEST(RunSheet, SaysWhereARunBreaks) {
  Trace trace;
  trace.initial.counts = {{Counter(0u), 1}};
  trace.blocks = {{1, {nth(0)}}, {1, {nth(0)}}};
  const RunSheet sheet = sheet_of(tokens(), trace, {});
  EXPECT_EQ(sheet.rows.size(), 1u);
  EXPECT_NE(sheet.broken, "");
  EXPECT_EQ(sheet.reached, "");
}

/// Two threads go from 0 to 1, then any number of times from 1 to 1.
TEST(RunSheet, FollowsThreadsAsLongAsTheyHaveNames) {
  model::ThreadSystem system;
  system.shared_count = 1;
  system.local_count = 2;
  const SharedState s(0u);
  model::ThreadTransition go, stay;
  go.source = {s, LocalState(0u)};
  go.target = {s, LocalState(1u)};
  stay.source = stay.target = {s, LocalState(1u)};
  system.transitions = {go, stay};
  Trace trace;
  trace.initial.shared = s;
  trace.initial.counts = {{LocalState(0u), 2}};
  trace.blocks = {{1, {nth(0)}}, {1, {nth(0)}}, {5, {nth(1)}}};
  const RunSheet sheet =
      sheet_of(model::ThreadTask{system, {}}, answer::with_thread_names(system, trace), {});
  EXPECT_THAT(sheet.lanes, ElementsAre("thread 0", "thread 1"));
  ASSERT_EQ(sheet.rows.size(), 7u);
  EXPECT_EQ(sheet.rows[0].lane, 0u);
  EXPECT_EQ(sheet.rows[1].lane, 1u);
  EXPECT_EQ(sheet.rows[2].lane, std::nullopt);
  const auto after = values_after(sheet, 1);
  EXPECT_EQ(after.at("thread 0:local"), "1");
  EXPECT_EQ(after.at("thread 1:local"), "0");
  EXPECT_EQ(after.at("threads in 1"), "1");
  EXPECT_THAT(values_after(sheet, 3).at("thread 0:local"), HasSubstr("not told apart"));
}

}  // namespace
}  // namespace heddle::output
