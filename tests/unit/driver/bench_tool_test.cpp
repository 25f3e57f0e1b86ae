#include "driver/bench/tool.hpp"

namespace heddle::driver::bench {
namespace {

using output::bench::CaseOutcome;
using output::bench::Record;
using testing::ElementsAre;
using testing::HasSubstr;

const Case kCase{"a/x.tts", "s/a/x.tts", "tts", "s/a/x.prop", "0|0/1", Claim::Safe};

Tool own_tool() { return {kOwnName, OwnTool{"/bin/heddle", {"--order", "bfs"}}}; }

Tool other_tool(std::string command) {
  VerdictRules rules;
  rules.unsafe = std::regex(R"(\bunsafe\b)", std::regex::icase);
  rules.safe = std::regex(R"(\bsafe\b)", std::regex::icase);
  return {"other", OtherTool{std::move(command), rules}};
}

ProcessEnd exited(int code, std::string output) {
  ProcessEnd end;
  end.code = code;
  end.output = std::move(output);
  return end;
}

std::string answer(const std::string& verdict, const std::string& status) {
  return R"({"verdict": ")" + verdict + R"(", "reason": null, "evidence": {"status": ")" + status +
         "\"}}";
}

Record own(int code, const std::string& output, Claim expected = Claim::Safe) {
  Case entry = kCase;
  entry.expected = expected;
  return judge(own_tool(), entry, exited(code, output));
}

Record other(const ProcessEnd& end) { return judge(other_tool(""), kCase, end); }

TEST(BenchTool, HeddleIsCalledWithTheCaseAndTheLimits) {
  const Command command = command_for(own_tool(), kCase, {std::chrono::duration<double>(2.5), 100});
  EXPECT_THAT(command.words,
              ElementsAre("/bin/heddle", "verify", "s/a/x.tts", "--json", "--settings=none",
                          "--format", "tts", "--property", "s/a/x.prop", "--initial", "0|0/1",
                          "--timeout", "2.5", "--memory", "100", "--order", "bfs"));
  EXPECT_GT(command.limit->count(), 2.5)
      << "Heddle keeps its own limit; ours is for one that is stuck";
  EXPECT_FALSE(command.memory_mb);
}

TEST(BenchTool, WhatACaseDoesNotSayIsLeftOut) {
  const Command command = command_for(own_tool(), {"x", "x", "", "", "", Claim::Safe}, {});
  EXPECT_THAT(command.words, ElementsAre("/bin/heddle", "verify", "x", "--json", "--settings=none",
                                         "--order", "bfs"));
  EXPECT_FALSE(command.limit);
}

TEST(BenchTool, OthersGetTheirPlaceholdersFilled) {
  Case entry = kCase;
  entry.file = "a b'c.tts";
  const Command command = command_for(
      other_tool("t {file} -p {target} -i {initial} -t {timeout} -m {memory}; {file} {other}"),
      entry, {std::chrono::duration<double>(20), 512});
  EXPECT_THAT(
      command.words,
      ElementsAre(
          "/bin/sh", "-c",
          R"(t 'a b'\''c.tts' -p s/a/x.prop -i '0|0/1' -t 20 -m 512; 'a b'\''c.tts' {other})"));
  EXPECT_EQ(command.limit->count(), 20);
  EXPECT_EQ(command.memory_mb, 512u);
}

TEST(BenchTool, AnEmptyPlaceholderIsStillAWord) {
  const Command command =
      command_for(other_tool("t {target} {file}"), {"x", "x", "", "", "", Claim::Safe}, {});
  EXPECT_EQ(command.words[2], "t '' x");
}

TEST(BenchTool, OnlyAConfirmedVerdictCounts) {
  EXPECT_EQ(own(0, answer("safe", "confirmed")).outcome, CaseOutcome::Solved);
  EXPECT_EQ(own(0, answer("safe", "not_checked")).outcome, CaseOutcome::Unconfirmed);
  EXPECT_EQ(own(71, answer("unknown", "refuted")).outcome, CaseOutcome::Unconfirmed);
  EXPECT_EQ(own(10, answer("unsafe", "confirmed")).outcome, CaseOutcome::Wrong);
  EXPECT_EQ(own(10, answer("unsafe", "confirmed"), Claim::Unknown).outcome, CaseOutcome::Solved);
  EXPECT_EQ(own(20, answer("unknown", "not_checked")).outcome, CaseOutcome::Unknown);
  EXPECT_EQ(own(21, answer("safe_up_to", "confirmed")).outcome, CaseOutcome::Unknown);
}

TEST(BenchTool, AVerdictThatTheExitCodeDeniesIsAnError) {
  EXPECT_EQ(own(10, answer("safe", "confirmed")).outcome, CaseOutcome::Error);
  EXPECT_EQ(own(70, answer("unknown", "not_checked")).outcome, CaseOutcome::Error);
  EXPECT_EQ(own(0, "").outcome, CaseOutcome::Error);
  EXPECT_EQ(own(0, "[1]").outcome, CaseOutcome::Error);
}

TEST(BenchTool, RefusalsSayWhy) {
  ProcessEnd end = exited(3, "");
  end.errors = "x.tts:1:1: error: no\n  hint: yes\n";
  const Record record = judge(own_tool(), kCase, end);
  EXPECT_EQ(record.outcome, CaseOutcome::Refused);
  EXPECT_EQ(record.reason, "x.tts:1:1: error: no");
}

TEST(BenchTool, MeasurementsAreKept) {
  ProcessEnd end = exited(0, answer("safe", "confirmed"));
  end.seconds = 1;
  end.cpu_seconds = 2;
  end.peak_memory_mb = 3;
  const Record record = judge(own_tool(), kCase, end);
  EXPECT_EQ(record.path, "a/x.tts");
  EXPECT_EQ(record.tool, "heddle");
  EXPECT_EQ(record.seconds, 1);
  EXPECT_EQ(record.cpu_seconds, 2);
  EXPECT_EQ(record.peak_memory_mb, 3);
}

TEST(BenchTool, WordsOfOthersAreReadUnsafeFirst) {
  EXPECT_EQ(other(exited(0, "backward algorithm\n  concluded: SAFE\n")).verdict, Claim::Safe);
  EXPECT_EQ(other(exited(0, "checking safety\nsystem is unsafe, not safe")).verdict, Claim::Unsafe);
  EXPECT_EQ(other(exited(1, "unsafely")).verdict, Claim::Unknown);
  EXPECT_EQ(other(exited(1, "")).reason, "exit code 1");
}

TEST(BenchTool, ExitCodesOfOthersDecideBeforeWords) {
  Tool tool = other_tool("");
  VerdictRules& rules = std::get<OtherTool>(tool.how).rules;
  rules.unsafe_exit = 10;
  rules.safe_exit = 0;
  EXPECT_EQ(judge(tool, kCase, exited(10, "safe")).verdict, Claim::Unsafe);
  EXPECT_EQ(judge(tool, kCase, exited(0, "unsafe")).verdict, Claim::Safe);
  EXPECT_EQ(judge(tool, kCase, exited(5, "unsafe")).verdict, Claim::Unsafe);
}

TEST(BenchTool, EndsOfOthers) {
  ProcessEnd late;
  late.overdue = true;
  late.output = "safe";
  EXPECT_EQ(other(late).outcome, CaseOutcome::Unknown);
  EXPECT_EQ(other(late).reason, "timeout");
  ProcessEnd crash;
  crash.signal = 11;
  EXPECT_EQ(other(crash).outcome, CaseOutcome::Error);
  EXPECT_THAT(other(crash).reason, HasSubstr("signal 11"));
  ProcessEnd missing = exited(127, "");
  missing.errors = "sh: 1: safe: not found";
  EXPECT_EQ(other(missing).outcome, CaseOutcome::Error);
  EXPECT_EQ(other(exited(0, "unsafe")).outcome, CaseOutcome::Wrong);
}

}  // namespace
}  // namespace heddle::driver::bench
