/// The structure of reports; tests/browser looks at them in a browser.

#include "output/report/report_page.hpp"

#include <nlohmann/json.hpp>

#include "answer/thread_naming.hpp"
#include "output/sarif.hpp"

namespace heddle::output {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// From local state 0 to 1, at line 2.
model::ThreadTask stepper() {
  model::ThreadSystem system;
  system.shared_count = 1;
  system.local_count = 2;
  model::ThreadTransition go;
  go.target.local = model::LocalState(1u);
  go.line = 2;
  go.note = "if (x < 1 && y) </script><b>";
  system.transitions = {go};
  const model::Region target{{}, {{model::LocalState(1u), 1, std::nullopt}}};
  return {system, {{}, {target}}};
}

answer::Report found() {
  answer::Trace trace;
  trace.initial.counts = {{model::LocalState(0u), 1}};
  trace.blocks = {{1, {{model::TransitionId(0u), {}, {}, {}}}}};
  answer::Report report;
  report.verdict = answer::Unsafe{answer::with_thread_names(stepper().model, trace)};
  report.check = {answer::EvidenceStatus::Confirmed, "replayed 1 step"};
  report.engine = "backward";
  report.runs = {{"backward", "unsafe", "", 0.5, 20}, {"cover", "not accepted", "too small", 0, 0}};
  return report;
}

Asked asked_about(const std::string& file) { return {file, "tts", "--target", "the file"}; }

std::string page(const answer::Report& report, const std::string& file = "a.tts") {
  const model::AnyTask task = stepper();
  const Asked asked = asked_about(file);
  const std::vector<SourceFile> sources = {{file, "1 2\n0 0 -> 0 1\n</script>\n"}};
  const std::vector<std::vector<EngineTurn>> turns = {{{0, 0.25, false}, {0.25, 0.5, true}}, {}};
  return report_page({task, asked, report, sources, turns, "60 s"});
}

json data_of(const std::string& page) {
  const std::string begin = "id=\"run-data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(ReportPage, HasVerdictQuestionAndEngines) {
  const std::string text = page(found());
  EXPECT_THAT(text, HasSubstr("<title>UNSAFE – a.tts</title>"));
  EXPECT_THAT(text, HasSubstr("Found: the target 0|1 is reachable with 1 thread, in 1 step."));
  EXPECT_THAT(text, HasSubstr("The independent checker confirmed it: replayed 1 step."));
  EXPECT_THAT(text, HasSubstr("<dt>target</dt><dd>0|1 (--target)</dd>"));
  EXPECT_THAT(text, HasSubstr("<dt>limits</dt><dd>60 s</dd>"));
  EXPECT_THAT(text, HasSubstr("left:50.00%;width:50.00%"));
  EXPECT_THAT(text, HasSubstr("<dt>cover</dt><dd>too small</dd>"));
}

TEST(ReportPage, HoldsTheRunAndTheSource) {
  const json data = data_of(page(found()));
  EXPECT_EQ(data["lanes"], json::array({"thread 0"}));
  ASSERT_EQ(data["rows"].size(), 1u);
  EXPECT_EQ(data["rows"][0]["line"], 2);
  EXPECT_EQ(data["rows"][0]["lane"], 0);
  EXPECT_EQ(data["rows"][0]["first"], "1");
  EXPECT_EQ(data["end"], "reaches 0|1");
  EXPECT_EQ(data["sources"][0]["text"], "1 2\n0 0 -> 0 1\n</script>\n");
}

/// Whatever a model is called or contains, it cannot become part of the page.
TEST(ReportPage, EscapesWhatItQuotes) {
  const std::string text = page(found(), "<img src=x onerror=alert(1)>.tts");
  EXPECT_THAT(text, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(text, Not(HasSubstr("</script><b>")));
  std::size_t ends = 0;
  for (std::size_t at = text.find("</script>"); at != std::string::npos;
       at = text.find("</script>", at + 1))
    ++ends;
  EXPECT_EQ(ends, 2u);
}

TEST(ReportPage, NeedsNoNetwork) {
  const std::string text = page(found());
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(text, Not(HasSubstr("@import")));
  EXPECT_THAT(text, Not(HasSubstr("<link")));
}

TEST(ReportPage, OfAnAnswerWithoutRunHasNoSteps) {
  answer::Report report;
  report.verdict = answer::Unknown{answer::UnknownReason::TimeLimit, ""};
  const std::string text = page(report);
  EXPECT_THAT(text, HasSubstr("Not decided: the time limit was reached."));
  EXPECT_THAT(text, Not(HasSubstr("id=\"steps\"")));
  EXPECT_TRUE(data_of(text)["rows"].empty());
}

// ------------------------------------------------------------ SARIF

json log_of(const answer::Report& report, const std::string& file = "a.tts") {
  return json::parse(sarif_log(stepper(), asked_about(file), report));
}

TEST(Sarif, HasACodeFlowWithThreads) {
  const json run = log_of(found())["runs"][0];
  const json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], run["tool"]["driver"]["rules"][0]["id"]);
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  const json& flow = result["codeFlows"][0]["threadFlows"][0];
  EXPECT_EQ(flow["id"], "thread 0");
  EXPECT_EQ(flow["locations"][0]["executionOrder"], 1);
  EXPECT_EQ(flow["locations"][0]["state"]["thread 0: local"]["text"], "1");
}

TEST(Sarif, OfASafeProgramHasNoResult) {
  answer::Report report = found();
  report.verdict = answer::Safe{answer::BackwardBasis{}};
  const json run = log_of(report)["runs"][0];
  EXPECT_EQ(run["results"], json::array());
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["level"], "note");
}

TEST(Sarif, SaysThatAnAnswerIsMissing) {
  answer::Report report;
  report.verdict = answer::Unknown{answer::UnknownReason::TimeLimit, ""};
  const json said = log_of(report)["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
  EXPECT_EQ(said["level"], "warning");
  EXPECT_THAT(said["message"]["text"].get<std::string>(), HasSubstr("the time limit was reached"));
}

TEST(Sarif, EncodesNamesOfFiles) {
  EXPECT_EQ(file_address("src/a b.c"), "src/a%20b.c");
  EXPECT_EQ(file_address("/tmp/ü#1.c"), "file:///tmp/%C3%BC%231.c");
}

}  // namespace
}  // namespace heddle::output
