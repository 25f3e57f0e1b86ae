#include <nlohmann/json.hpp>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class Replay : public BinaryTest {
 protected:
  Replay() {
    write("lock.tts", kLock);
    write("net.spec", kNet);
    heddle({"verify", "lock.tts", "--target", "2|4,4", "--evidence", "trace.json"});
    heddle({"verify", "lock.tts", "--target", "2|0,1", "--evidence", "basis.json"});
    heddle({"verify", "net.spec", "--evidence", "net.json"});
  }
};

TEST_F(Replay, PrintsAConfirmedTraceWhole) {
  const Outcome outcome =
      heddle({"replay", "lock.tts", "trace.json", "--target", "2|4,4", "--all"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("confirmed: replayed "));
  EXPECT_THAT(outcome.out, HasSubstr("main.c:7: lock(m)"));
  EXPECT_THAT(outcome.out, HasSubstr("reaches 2|4,4"));
  EXPECT_EQ(heddle({"replay", "net.spec", "net.json", "--all", "--expand"}).code, 0);
}

TEST_F(Replay, SaysFirstThatATraceIsRefuted) {
  json evidence = json::parse(read("trace.json"));
  json& steps = evidence["answer"]["trace"]["steps"];
  steps.erase(steps.begin());
  write("bad.json", evidence.dump());
  const Outcome outcome = heddle({"replay", "lock.tts", "bad.json", "--target", "2|4,4", "--all"});
  EXPECT_EQ(outcome.code, 71) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("REFUTED: "));
  EXPECT_THAT(outcome.out, HasSubstr("the next step is impossible"));
}

TEST_F(Replay, NeedsATraceOfThisModel) {
  const Outcome basis = heddle({"replay", "lock.tts", "basis.json", "--target", "2|0,1", "--all"});
  EXPECT_EQ(basis.code, 3);
  EXPECT_THAT(basis.err, HasSubstr("holds no trace"));
  const Outcome other = heddle({"replay", "lock.tts", "net.json", "--target", "2|4,4", "--all"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("is not about the model"));
  EXPECT_EQ(heddle({"replay", "lock.tts"}).code, 2);
  EXPECT_THAT(heddle({"replay", "lock.tts", "trace.json", "--all"}).err,
              HasSubstr("to ask the question of this evidence, give --target '2|4,4'"));
}

}  // namespace
}  // namespace heddle::cli
