#include "output/text.hpp"

#include "output/progress.hpp"
#include "output/words.hpp"

namespace heddle::output {
namespace {

using answer::EvidenceStatus;
using answer::Report;
using answer::TraceStep;
using answer::Unknown;
using answer::UnknownReason;
using model::LocalState;
using model::SharedState;
using model::StepKind;
using model::TransitionId;
using testing::HasSubstr;
using testing::Not;

model::ThreadTransition edge(StepKind kind, unsigned s, unsigned l, unsigned s2, unsigned l2) {
  model::ThreadTransition t;
  t.kind = kind;
  t.source = {SharedState(s), LocalState(l)};
  t.target = {SharedState(s2), LocalState(l2)};
  return t;
}

TraceStep step(unsigned transition, unsigned thread) {
  return {TransitionId(transition), {}, answer::ThreadId(thread), {}};
}

/// A thread locks and spawns; a broadcast then moves everybody from 1 to 2.
model::CountingTask thread_task() {
  model::ThreadSystem system;
  system.shared_count = 3;
  system.local_count = 4;
  system.transitions = {edge(StepKind::Move, 0, 0, 1, 1), edge(StepKind::Spawn, 1, 1, 1, 0),
                        edge(StepKind::Move, 1, 0, 2, 3)};
  system.transitions[0].note = "main.c:7: lock(m)\nsecond line\nthird line";
  system.transitions[0].line = 12;
  system.transitions[2].passive = {{LocalState(1u), LocalState(2u)}};
  system.shared_names = {"free", "taken", ""};
  const model::Region initial{{}, {{LocalState(0u), 0, std::nullopt}}};
  const model::Region target{SharedState(2u), {{LocalState(2u), 1, std::nullopt}}};
  return {system, {{initial}, {target}}};
}

answer::Trace thread_trace() {
  answer::Trace trace;
  trace.initial.counts = {{LocalState(0u), 1}};
  trace.blocks = {{1, {step(0, 0)}}, {1, {step(1, 0)}}, {1, {step(2, 1)}}};
  return trace;
}

Asked asked() { return {"a.tts", "tts", "--target", "assumed", {}}; }

Report unsafe_report() {
  Report report;
  report.verdict = answer::Unsafe{thread_trace()};
  report.check = {EvidenceStatus::Confirmed, "replayed 3 steps"};
  report.engine = "backward";
  report.seconds = 0.024;
  return report;
}

std::string text_of(const Report& report, TextOptions options = {}) {
  return report_text(thread_task(), asked(), report, options);
}

TEST(Text, AnInterleavingIsToldStepByStep) {
  EXPECT_EQ(text_of(unsafe_report()),
            "UNSAFE: the target 2|2 is reachable with 2 threads, in 3 steps; confirmed by an "
            "independent check  (backward, 0.02 s)\n"
            "  target   2|2  (--target)\n"
            "  initial  0/0  (assumed)\n"
            "\n"
            "  start  0|0\n"
            "         shared 0 (free)\n"
            "         1 thread in local 0\n"
            "  1  thread 0  0|0 → 1|1  line 12\n"
            "               shared 0 (free) → 1 (taken)\n"
            "               # main.c:7: lock(m)\n"
            "               # second line\n"
            "  2  thread 0  1|1\n"
            "               spawns thread 1 in local state 0\n"
            "  3  thread 1  1|0 → 2|3\n"
            "               shared 1 (taken) → 2\n"
            "               thread 0: local 1 → 2\n"
            "  end    2|2,3  reaches 2|2\n"
            "\n"
            "evidence confirmed: replayed 3 steps\n");
}

TEST(Text, QuietPrintsTheHeadlineOnly) {
  EXPECT_EQ(text_of(unsafe_report(), {Style(), false, true}),
            "UNSAFE: the target 2|2 is reachable with 2 threads, in 3 steps; confirmed by an "
            "independent check  (backward, 0.02 s)\n");
}

TEST(Text, ColoursOnlyIfAskedFor) {
  EXPECT_THAT(text_of(unsafe_report()), Not(HasSubstr("\033")));
  EXPECT_THAT(text_of(unsafe_report(), {Style(true)}), HasSubstr("\033[1;31mUNSAFE\033[0m"));
}

TEST(Text, LongTracesShowTheirEnds) {
  model::ThreadSystem system;
  system.local_count = 2;
  system.transitions = {edge(StepKind::Move, 0, 0, 0, 1), edge(StepKind::Move, 0, 1, 0, 0)};
  const model::CountingTask task{system, {}};
  Report report;
  answer::Trace trace;
  trace.initial.counts = {{LocalState(0u), 1}};
  for (unsigned i = 0; i < 100; ++i) trace.blocks.push_back({1, {step(i % 2, 0)}});
  report.verdict = answer::Unsafe{trace};
  const std::string text = report_text(task, asked(), report, {});
  EXPECT_THAT(text, HasSubstr("   20  thread 0"));
  EXPECT_THAT(text, Not(HasSubstr("   21  thread 0")));
  EXPECT_THAT(text, HasSubstr("… 60 steps not shown (--verbose shows all)"));
  EXPECT_THAT(text, Not(HasSubstr("   80  thread 0")));
  EXPECT_THAT(text, HasSubstr("   81  thread 0"));
  EXPECT_THAT(report_text(task, asked(), report, {Style(), true}), HasSubstr("   50  thread 0"));
}

/// p loses a token and q gains two, a thousand million times; then r appears.
TEST(Text, RepetitionsAreToldOnce) {
  model::PetriNet net;
  net.places = {"p", "q", "r"};
  const model::PlaceId p(0u), q(1u), r(2u);
  model::add_transition(net, "", {{p, 1}}, {{q, 2}});
  model::add_transition(net, "finish", {{q, 1}}, {{r, 1}});
  net.transitions[0].line = 4;
  const model::CountingTask task{net, {{}, {{{}, {{r, 1, std::nullopt}}}}}};
  answer::Trace trace;
  trace.initial.counts = {{p, 1'000'000'000}};
  const TraceStep first{TransitionId(0u), {}, {}, {}};
  const TraceStep last{TransitionId(1u), {}, {}, {}};
  trace.blocks = {{1'000'000'000, {first}}, {1, {last}}};
  Report report;
  report.verdict = answer::Unsafe{trace};
  const std::string text = report_text(task, asked(), report, {});
  EXPECT_THAT(text, HasSubstr(" is reachable in 1000000001 steps; "));
  EXPECT_THAT(text, HasSubstr("  repeat 1000000000 times:\n"));
  EXPECT_THAT(text, HasSubstr("rule 0  p 1000000000 → 999999999, q 0 → 2   line 4"));
  EXPECT_THAT(text, HasSubstr("1000000001  finish  q 2000000000 → 1999999999, r 0 → 1"));
  EXPECT_THAT(text, HasSubstr("end    q=1999999999, r=1  reaches r>=1"));
}

TEST(Text, ATraceThatDoesNotReplaySaysWhere) {
  Report report = unsafe_report();
  auto& trace = std::get<answer::Trace>(std::get<answer::Unsafe>(report.verdict).trace);
  trace.blocks.erase(trace.blocks.begin());
  report.check = {EvidenceStatus::NotChecked, "--no-check"};
  EXPECT_THAT(text_of(report), HasSubstr("the next step is impossible: shared state is 0, not 1"));
  EXPECT_THAT(text_of(report), HasSubstr("evidence not checked: --no-check"));
}

TEST(Text, ACertificateSaysWhatIsUnreachable) {
  Report report;
  answer::BackwardBasis basis;
  for (unsigned i = 1; i <= 14; ++i)
    basis.minimal.push_back({SharedState(1u), {{LocalState(3u), i}}});
  basis.relative_to = {answer::LinearInvariant{
      {{LocalState(0u), 1}, {LocalState(1u), -2}}, answer::LinearInvariant::Relation::AtMost, 7}};
  report.verdict = answer::Safe{basis};
  report.check = {EvidenceStatus::Confirmed, "closed"};
  const std::string text = text_of(report);
  EXPECT_THAT(text, HasSubstr("none of these 14 states, nor anything larger, is reachable:\n"
                              "    1|3\n"));
  EXPECT_THAT(text, HasSubstr("    1|3^10\n    … 4 more (--verbose shows all)\n"));
  EXPECT_THAT(text, HasSubstr("relative to 1 checked invariant:\n    0 - 2·1 ≤ 7\n"));
  EXPECT_THAT(text_of(report, {Style(), true}), HasSubstr("    1|3^14\n"));
}

TEST(Text, ClosedThreadStatesAreListedBySharedState) {
  Report report;
  report.verdict = answer::Safe{answer::ClosedThreadStates{
      {SharedState(0u), SharedState(2u)},
      {{SharedState(0u), LocalState(1u)}, {SharedState(0u), LocalState(3u)}}}};
  EXPECT_THAT(text_of(report), HasSubstr("  no target is reachable: every thread is "
                                         "in one of 2 thread states over 2 shared states\n"
                                         "    0|1,3\n    2|\n"));
}

TEST(Text, AProofByPathsTellsItsTwoParts) {
  Report report;
  const answer::Verdict simple = answer::Safe{answer::PathwiseProof{}};
  report.verdict = simple;
  EXPECT_THAT(text_of(report), HasSubstr("  no path through simple loops leads to the target\n\n"));
  const answer::Verdict mixed =
      answer::Safe{answer::PathwiseProof{{{{SharedState(1u), {{LocalState(3u), 1}}}}, {}}}};
  report.verdict = mixed;
  EXPECT_THAT(text_of(report),
              HasSubstr("  no path through simple loops leads to the target\n"
                        "  on the other paths:\n"
                        "  neither this state nor anything larger is reachable:\n    1|3\n"));
}

TEST(Text, UnknownSaysWhyAndWhatToTry) {
  Report report;
  report.verdict = Unknown{UnknownReason::TimeLimit, ""};
  EXPECT_THAT(text_of(report), HasSubstr("UNKNOWN: the time limit was reached"));
  EXPECT_THAT(text_of(report), HasSubstr("  try      a larger --timeout"));
  report.verdict = Unknown{UnknownReason::Unconfirmed, "the check ran out of time"};
  report.set_claim(answer::SafeUpTo{answer::context_bound(3), answer::BackwardBasis{}});
  report.engine = "backward";
  EXPECT_THAT(text_of(report), HasSubstr("  claim    SAFE UP TO 3 contexts, by engine backward\n"));
}

TEST(Text, ARefutedClaimSaysWhyOnce) {
  Report report;
  report.verdict = Unknown{UnknownReason::EngineFailed, "evidence refuted: step 3 is impossible"};
  report.check = {EvidenceStatus::Refuted, "step 3 is impossible"};
  report.claim = "unsafe";
  report.engine = "shaky";
  report.runs = {{"shaky", "refuted", "step 3 is impossible", 0.5, 3}};
  const std::string text = text_of(report);
  EXPECT_THAT(text, HasSubstr("UNKNOWN: an error inside Heddle  (shaky, 0.00 s)\n"));
  EXPECT_EQ(text.find("step 3"), text.rfind("step 3"));
}

TEST(Text, EveryReasonHasWords) {
  for (const auto reason :
       {UnknownReason::TimeLimit, UnknownReason::MemoryLimit, UnknownReason::StepLimit,
        UnknownReason::Cancelled, UnknownReason::CounterOverflow, UnknownReason::NotMonotone,
        UnknownReason::Unsupported, UnknownReason::Unconfirmed, UnknownReason::EngineFailed})
    EXPECT_GT(explain(reason).why.size(), 10u);
}

TEST(Text, FailedEnginesAreNamedEvenIfAnotherAnswered) {
  Report report = unsafe_report();
  report.runs = {{"shaky", "crashed", "killed by signal 11 (SIGSEGV)", 0.5, 3},
                 {"slow", "stopped", "", 0.5, 3}};
  EXPECT_THAT(text_of(report), HasSubstr("engine shaky: crashed: killed by signal 11 (SIGSEGV)"));
  EXPECT_THAT(text_of(report), Not(HasSubstr("engine slow")));
  EXPECT_THAT(text_of(report, {Style(), true}), HasSubstr("engine slow: stopped"));
}

TEST(Text, StoredEvidenceIsConfirmedOrRefuted) {
  EXPECT_THAT(
      recheck_text(thread_task(), asked(), unsafe_report(), {}),
      HasSubstr("CONFIRMED  UNSAFE: the target 2|2 is reachable with 2 threads, in 3 steps"));
  Report report;
  report.verdict = Unknown{UnknownReason::EngineFailed, ""};
  report.check = {EvidenceStatus::Refuted, "step 3 is impossible"};
  report.claim = "unsafe";
  EXPECT_THAT(recheck_text(thread_task(), asked(), report, {}),
              HasSubstr("REFUTED  UNSAFE  (0.00 s)\n  step 3 is impossible\n"));
}

TEST(Words, DurationsAreShort) {
  EXPECT_EQ(duration_text(0.0234), "0.02 s");
  EXPECT_EQ(duration_text(14.34), "14.3 s");
  EXPECT_EQ(duration_text(125.9), "2 min 5 s");
}

using testing::ElementsAre;

TEST(Progress, ABoardHasALineForEachEngineThatRuns) {
  ProgressBoard board("reading a.tts", "working on a.tts");
  EXPECT_THAT(board.lines(1.2, 80, 24), ElementsAre("1 s  reading a.tts"));
  board.hear("backward", {"backward search", {{"minimal", 1200}, {"open", 31}}});
  board.hear("cutoff", {"searching", {}});
  EXPECT_THAT(
      board.lines(125, 80, 24),
      ElementsAre("2 min 5 s  working on a.tts",
                  "  backward  backward search  minimal 1200  open 31", "  cutoff    searching"));
  board.hear("backward", ended_event());
  EXPECT_THAT(board.lines(3, 80, 24), ElementsAre("3 s  working on a.tts", "  cutoff  searching"));
}

TEST(Progress, WhatIsEstablishedStaysWhileTheSearchGoesOn) {
  ProgressBoard board("", "working");
  board.hear("a", {"no violation within 3 contexts per thread", {}, true});
  board.hear("a", {"round 4", {}});
  EXPECT_THAT(
      board.lines(0, 80, 24),
      ElementsAre("0 s  working", "  a  no violation within 3 contexts per thread; round 4"));
}

TEST(Progress, NothingIsWiderOrHigherThanTheTerminal) {
  ProgressBoard board("reading", "working");
  board.hear("a", {"öööööööööööö", {}});
  EXPECT_EQ(board.lines(0, 10, 24)[1], "  a  öööö…");
  for (const char* name : {"b", "c", "d"}) board.hear(name, {"searching", {}});
  EXPECT_THAT(board.lines(0, 80, 3),
              ElementsAre("0 s  working", "  a  öööööööööööö", "  … 3 more"));
}

/// What a stream gets to see.
std::string written(const std::function<void(std::FILE*)>& write) {
  std::FILE* stream = std::tmpfile();
  write(stream);
  std::string out(static_cast<std::size_t>(std::ftell(stream)), '\0');
  std::rewind(stream);
  EXPECT_EQ(std::fread(out.data(), 1, out.size(), stream), out.size());
  std::fclose(stream);
  return out;
}

TEST(Progress, LinesAreWrittenOverAndGoneInTheEnd) {
  const std::string text = written([](std::FILE* stream) {
    ProgressScreen screen(stream);
    screen.show({"one", "two"});
    screen.show({"three"});
  });
  EXPECT_EQ(text, "one\ntwo\033[A\r\033[Jthree\r\033[J");
  EXPECT_EQ(written([](std::FILE* stream) { ProgressScreen screen(stream); }), "");
}

TEST(Progress, MilestonesStay) {
  EXPECT_EQ(
      written([](std::FILE* stream) { write_milestone(stream, "a", {"half done", {}, true}); }),
      "a: half done\n");
}

}  // namespace
}  // namespace heddle::output
