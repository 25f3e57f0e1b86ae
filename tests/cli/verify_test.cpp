#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/binary.hpp"
#include "cli/schema.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Verify : public BinaryTest {
 protected:
  Verify() {
    write("lock.tts", kLock);
    write("net.spec", kNet);
  }

  json answer(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Outcome outcome = heddle(arguments);
    const json object = json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(object.is_discarded()) << outcome.out << outcome.err;
    EXPECT_EQ(violation(schema(), object), "");
    return object;
  }

  static json schema() {
    const char* root = std::getenv("HEDDLE_SOURCE_DIR");
    std::ifstream in(std::string(root ? root : ".") + "/docs/answer.schema.json");
    return json::parse(in);
  }
};

TEST_F(Verify, FindsAnInterleaving) {
  const Outcome outcome = heddle({"verify", "lock.tts", "--target", "2|4,4"});
  EXPECT_EQ(outcome.code, 10);
  EXPECT_THAT(outcome.out, StartsWith("UNSAFE: the target 2|4,4 is reachable with 2 threads, in "));
  EXPECT_THAT(outcome.out, HasSubstr("# main.c:7: lock(m)"));
  EXPECT_THAT(outcome.out, HasSubstr("evidence confirmed"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\033"))) << "no colours in a pipe";
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Verify, ProvesSafety) {
  const Outcome outcome =
      heddle({"verify", "lock.tts", "--target", "2|0,1", "--engine", "backward"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(
      outcome.out,
      StartsWith("SAFE: the target 2|0,1 is unreachable, for any number of threads; confirmed "
                 "by an independent check  (backward, "));
  EXPECT_THAT(outcome.out, HasSubstr("nor anything larger"));
  EXPECT_THAT(outcome.out, HasSubstr("evidence confirmed"));
}

TEST_F(Verify, ReadsNets) {
  const Outcome outcome = heddle({"verify", "net.spec"});
  EXPECT_EQ(outcome.code, 10);
  EXPECT_THAT(outcome.out, HasSubstr("rule 0"));
}

TEST_F(Verify, ReadsTheTargetOfASibling) {
  write("lock.prop", "2|0,1\n");
  EXPECT_EQ(heddle({"verify", "lock.tts"}).code, 0);
  EXPECT_EQ(heddle({"verify", "lock.tts", "--target", "2|4,4"}).code, 10);
}

TEST_F(Verify, ReadsTheTargetOfASiblingThatIsCalledAfterTheWholeFile) {
  write("lock.tts.prop", "2|0,1\n");
  EXPECT_EQ(heddle({"verify", "lock.tts"}).code, 0);
  write("lock.prop", "2|4,4\n");
  EXPECT_EQ(heddle({"verify", "lock.tts"}).code, 0) << "the longer name is the closer one";
}

TEST_F(Verify, ReadsTheFormulaBesideANet) {
  write("two.lola", "PLACE a, b; MARKING a: 2; TRANSITION t CONSUME a: 1; PRODUCE b: 1;\n");
  write("two.formula", "EF (b >= 3)\n");
  EXPECT_EQ(heddle({"verify", "two.lola"}).code, 0);
  write("two.formula", "AG (b < 2 OR a >= 1)\n");
  EXPECT_EQ(heddle({"verify", "two.lola"}).code, 10);
  write("other", "EF (a >= 1 AND FIREABLE(t))\n");
  EXPECT_EQ(heddle({"verify", "two.lola", "--property", "other"}).code, 10);
}

TEST_F(Verify, ProofsByWayOfANetCanBeTakenBack) {
  // A lock that is taken in two steps: as a net, a weighted sum of tokens would show it at once.
  std::string system = "3 16\n0 0 -> 1 2\n1 1 -> 0 15\n2 15 -> 0 1\n";
  for (int stage = 2; stage < 14; ++stage)
    system += "0 " + std::to_string(stage) + " -> 0 " + std::to_string(stage + 1) + "\n0 " +
              std::to_string(stage + 1) + " -> 2 0\n";
  write("slow.tts", system);
  const json direct = answer({"verify", "slow.tts", "--initial", "0|1/0", "--target", "0|14,14"});
  EXPECT_EQ(direct["verdict"], "safe");
  const json by_net = answer({"verify", "slow.tts", "--initial", "0|1/0", "--target", "0|14,14",
                              "--via", "net", "--engine", "backward"});
  EXPECT_EQ(by_net["verdict"], "safe");
  EXPECT_EQ(by_net["evidence"]["status"], "confirmed");
}

TEST_F(Verify, CountsThreads) {
  write("two.tts", "1 3\n0 0 -> 0 1\n");
  EXPECT_EQ(heddle({"verify", "two.tts", "--target", "0|1,1"}).code, 10);
  EXPECT_EQ(heddle({"verify", "two.tts", "--target", "0|1,1", "--threads", "any"}).code, 10);
  EXPECT_EQ(heddle({"verify", "two.tts", "--target", "0|1,1", "--threads", "2"}).code, 10);
  EXPECT_EQ(heddle({"verify", "two.tts", "--target", "0|1,1", "--threads", "1"}).code, 0);
  EXPECT_EQ(heddle({"verify", "two.tts", "--target", "0|1,1", "--initial", "0|0"}).code, 0);
}

TEST_F(Verify, PrintsJsonThatFitsTheSchema) {
  const json unsafe = answer({"verify", "lock.tts", "--target", "2|4,4", "--engine", "backward"});
  EXPECT_EQ(unsafe["verdict"], "unsafe");
  EXPECT_EQ(unsafe["threads"], 2);
  EXPECT_EQ(unsafe["evidence"]["status"], "confirmed");
  EXPECT_EQ(unsafe["engine"], "backward");

  const json safe = answer({"verify", "lock.tts", "--target", "2|0,1", "--engine", "backward"});
  EXPECT_EQ(safe["verdict"], "safe");
  EXPECT_EQ(safe["evidence"]["kind"], "backward_basis");

  const json unknown = answer({"verify", "net.spec", "--steps", "1"});
  EXPECT_EQ(unknown["verdict"], "unknown");
  EXPECT_EQ(unknown["reason"], "step_limit");

  write("p.bp", "void main() begin\n  if (*) then assert(F); skip; fi;\nend\n");
  const json projected = answer({"verify", "p.bp", "--projection"});
  EXPECT_EQ(projected["projection"]["on_error_trace"].size(), 2u);
}

TEST_F(Verify, TheSchemaCanSayNo) {
  json object = answer({"verify", "net.spec"});
  object["verdict"] = "perhaps";
  EXPECT_NE(violation(schema(), object), "");
  object["verdict"] = "safe";
  object["evidence"].erase("why");
  EXPECT_EQ(violation(schema(), object), "/evidence: no \"why\"");
}

TEST_F(Verify, WithoutCheckSaysSo) {
  const json object = answer({"verify", "net.spec", "--no-check"});
  EXPECT_EQ(object["verdict"], "unsafe");
  EXPECT_EQ(object["evidence"]["status"], "not_checked");
}

TEST_F(Verify, StopsAtItsLimits) {
  write("endless.spec", kEndlessNet);
  const Outcome steps = heddle({"verify", "endless.spec", "--engine", "backward", "--steps", "10"});
  EXPECT_EQ(steps.code, 20) << steps.out;
  EXPECT_THAT(steps.out, StartsWith("UNKNOWN: the step limit was reached"));
  const Outcome time =
      heddle({"verify", "endless.spec", "--engine", "backward", "--timeout", "0.3"});
  EXPECT_EQ(time.code, 20) << time.out;
  EXPECT_THAT(time.out, StartsWith("UNKNOWN: the time limit was reached"));
  EXPECT_THAT(time.out, HasSubstr("  try      "));
}

TEST_F(Verify, EndsBySignalAfterSayingSo) {
  write("endless.spec", kEndlessNet);
  const Outcome outcome =
      heddle({"verify", "endless.spec", "--engine", "backward", "--json"}, [](int id) {
        // Before its watch begins the signal ends it at once, without a word; both ends are fine.
        usleep(300'000);
        kill(id, SIGTERM);
      });
  EXPECT_EQ(outcome.code, 128 + SIGTERM);
  if (!outcome.out.empty()) {
    EXPECT_EQ(json::parse(outcome.out)["reason"], "cancelled");
  }
}

TEST_F(Verify, QuietAndVerbose) {
  const Outcome quiet = heddle({"verify", "net.spec", "--quiet"});
  EXPECT_EQ(std::ranges::count(quiet.out, '\n'), 1);
  const Outcome verbose = heddle({"verify", "net.spec", "--engine", "backward", "--verbose"});
  EXPECT_THAT(verbose.out, HasSubstr("engine backward: unsafe"));
}

TEST_F(Verify, BadInputPrintsNothingOnStandardOutput) {
  write("bad.tts", "3 5\n0 0 => 1 1\n");
  const Outcome outcome = heddle({"verify", "bad.tts", "--target", "1|1", "--json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, StartsWith("bad.tts:2:"));
}

TEST_F(Verify, NamesWhatIsMissing) {
  const Outcome no_file = heddle({"verify", "nowhere.tts"});
  EXPECT_EQ(no_file.code, 3);
  EXPECT_THAT(no_file.err, HasSubstr("nowhere.tts: error: cannot be read"));
  const Outcome no_target = heddle({"verify", "lock.tts"});
  EXPECT_EQ(no_target.code, 3);
  EXPECT_THAT(no_target.err, HasSubstr("--target 's|l'"));
  const Outcome bad_target = heddle({"verify", "lock.tts", "--target", "2|77"});
  EXPECT_EQ(bad_target.code, 3);
  EXPECT_THAT(bad_target.err, HasSubstr("--target"));
}

TEST_F(Verify, RefusesAnEvidenceFileThatCannotBeWrittenBeforeItRuns) {
  const Outcome outcome = heddle({"verify", "net.spec", "--evidence", "missing/e.json", "--json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("missing/e.json: error: cannot be written"));
}

TEST_F(Verify, JsonHoldsTheRunAndTheProof) {
  const Outcome unsafe = heddle({"verify", "lock.tts", "--target", "2|4,4", "--json"});
  const json found = json::parse(unsafe.out);
  EXPECT_THAT(found["headline"].get<std::string>(),
              StartsWith("UNSAFE: the target 2|4,4 is reachable with 2 threads"));
  EXPECT_EQ(found["run"]["threads"].size(), 2u);
  const json& first = found["run"]["steps"][0];
  EXPECT_EQ(first["file"], "lock.tts");
  EXPECT_EQ(first["line"], 3);
  EXPECT_EQ(first["notes"][0], "main.c:7: lock(m)");
  EXPECT_TRUE(found["proof"].is_null());
  const Outcome safe =
      heddle({"verify", "lock.tts", "--target", "2|0,1", "--engine", "backward", "--json"});
  const json proved = json::parse(safe.out);
  EXPECT_TRUE(proved["run"].is_null());
  EXPECT_THAT(proved["proof"]["words"][0].get<std::string>(), HasSubstr("anything larger"));
}

TEST_F(Verify, EvidenceOnStandardOutputComesAfterTheAnswer) {
  const Outcome outcome = heddle({"verify", "net.spec", "--quiet", "--evidence", "/dev/stdout"});
  EXPECT_EQ(outcome.code, 10);
  EXPECT_THAT(outcome.out, HasSubstr(" is reachable in 6 steps; confirmed "));
  const std::size_t second_line = outcome.out.find('\n') + 1;
  EXPECT_FALSE(json::parse(outcome.out.substr(second_line), nullptr, false).is_discarded());
}

TEST_F(Verify, LeavesOnlyTheEvidence) {
  const std::size_t before = file_count();
  heddle({"verify", "net.spec", "--evidence", "e.json"});
  EXPECT_EQ(file_count(), before + 1);
  heddle({"verify", "net.spec", "--evidence", "f.json", "--steps", "1"});
  EXPECT_EQ(file_count(), before + 1) << "without evidence there should be no file";
}

}  // namespace
}  // namespace heddle::cli
