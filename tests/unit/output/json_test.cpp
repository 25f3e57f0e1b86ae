#include "output/json.hpp"

#include <nlohmann/json.hpp>

namespace heddle::output {
namespace {

using answer::EvidenceStatus;
using answer::Report;
using nlohmann::json;

model::CountingTask spawner() {
  model::ThreadSystem system;
  model::ThreadTransition spawn;
  spawn.kind = model::StepKind::Spawn;
  system.transitions = {spawn};
  const model::Region region{{}, {{model::LocalState(0u), 1, std::nullopt}}};
  return {system, {{region}, {region}}};
}

json object_of(const Report& report, const model::CountingTask& task = spawner()) {
  return json::parse(report_json(task, {"a.tts", "tts", "--target", "the file", {}}, report));
}

Report unsafe_report(const base::Integer& spawns) {
  answer::Trace trace;
  trace.initial.counts = {{model::LocalState(0u), 1}};
  trace.blocks = {{spawns, {{model::TransitionId(0u), {}, {}, {}}}}};
  Report report;
  report.verdict = answer::Unsafe{trace};
  report.check = {EvidenceStatus::Confirmed, "replayed"};
  report.engine = "backward";
  report.seconds = 1.23456;
  report.peak_memory_mb = 17;
  report.statistics.set("expanded", 12);
  report.runs = {{"backward", "unsafe", "replayed", 1.2, 17}};
  report.task_class = "thread system, small";
  return report;
}

TEST(Json, HasTheDocumentedKeys) {
  const json object = object_of(unsafe_report(2));
  EXPECT_EQ(object["verdict"], "unsafe");
  EXPECT_EQ(object["reason"], nullptr);
  EXPECT_EQ(object["bound"], nullptr);
  EXPECT_EQ(object["engine"], "backward");
  EXPECT_EQ(object["claim"], nullptr);
  EXPECT_EQ(object["threads"], 3);
  EXPECT_EQ(object["steps"], 2);
  EXPECT_EQ(object["evidence"],
            (json{{"kind", "trace"}, {"status", "confirmed"}, {"why", "replayed"}}));
  EXPECT_EQ(object["seconds"], 1.235);
  EXPECT_EQ(object["peak_memory_mb"], 17);
  EXPECT_EQ(object["statistics"], (json{{"expanded", 12}}));
  EXPECT_TRUE(object["statistics"]["expanded"].is_number_integer());
  EXPECT_EQ(object["question"]["targets"], json::array({"0|0"}));
  EXPECT_EQ(object["question"]["initial_from"], "the file");
  EXPECT_EQ(object["runs"][0]["outcome"], "unsafe");
  EXPECT_EQ(object["task_class"], "thread system, small");
  EXPECT_EQ(object["version"], HEDDLE_VERSION);
}

TEST(Json, HugeThreadCountsAreText) {
  const json object = object_of(unsafe_report(base::Integer("100000000000000000000")));
  EXPECT_EQ(object["threads"], "100000000000000000001");
}

TEST(Json, UnknownHasAReasonAndItsClaim) {
  Report report;
  report.verdict = answer::Unknown{answer::UnknownReason::Unconfirmed, "out of time"};
  report.claim = "safe";
  const json object = object_of(report);
  EXPECT_EQ(object["verdict"], "unknown");
  EXPECT_EQ(object["reason"], "unconfirmed");
  EXPECT_EQ(object["detail"], "out of time");
  EXPECT_EQ(object["claim"], "safe");
  EXPECT_EQ(object["engine"], nullptr);
  EXPECT_EQ(object["threads"], nullptr);
  EXPECT_EQ(object["evidence"]["kind"], "none");
  EXPECT_EQ(object["evidence"]["status"], "not_checked");
}

TEST(Json, ABoundNamesWhatItBounds) {
  Report report;
  report.verdict = answer::SafeUpTo{answer::context_bound(5), answer::BackwardBasis{}};
  EXPECT_EQ(object_of(report)["verdict"], "safe_up_to");
  EXPECT_EQ(object_of(report)["bound"], (json{{"what", "contexts"}, {"value", 5}}));
}

TEST(Json, SurvivesBytesThatAreNoText) {
  Report report;
  report.verdict = answer::Unknown{answer::UnknownReason::EngineFailed, "\xff\xfe"};
  EXPECT_EQ(object_of(report)["reason"], "engine_failed");
}

TEST(Json, NetsHaveNoThreads) {
  model::PetriNet net;
  net.places = {"p"};
  model::add_transition(net, "", {}, {{model::PlaceId(0u), 1}});
  const json object = object_of(unsafe_report(1), {net, {}});
  EXPECT_EQ(object["threads"], nullptr);
  EXPECT_EQ(object["steps"], 1);
}

}  // namespace
}  // namespace heddle::output
