#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/binary.hpp"
#include "cli/schema.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

/// In the manner of Fig. 2 of papers/cutoff.txt: 2, 8, 8 and 10 thread states.
constexpr const char* kPlateau = R"(3 4
0 0 -> 2 3
0 2 -> 2 0
0 3 -> 1 0
0 3 -> 2 2
1 3 -> 1 1
2 0 -> 0 2
)";

class CutoffCommandTest : public BinaryTest {
 protected:
  CutoffCommandTest() {
    write("plateau.tts", kPlateau);
    write("net.spec", kNet);
  }

  static json schema() {
    const char* root = std::getenv("HEDDLE_SOURCE_DIR");
    std::ifstream in(std::string(root ? root : ".") + "/docs/cutoff.schema.json");
    return json::parse(in);
  }
};

TEST_F(CutoffCommandTest, ListsThreadStatesAndPlateaus) {
  const Outcome outcome = heddle({"cutoff", "plateau.tts"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("CUTOFF 4: 4 threads reach every thread state that any number of threads "
                         "reaches; confirmed by an independent check  (10 thread states, 0 "
                         "candidates, "));
  EXPECT_THAT(outcome.out, HasSubstr("plateau, broken at 4"));
  EXPECT_THAT(outcome.out, HasSubstr("1 | 0:2 1:4 2:2 3:4"));
  EXPECT_THAT(outcome.out, HasSubstr("evidence confirmed"));
}

TEST_F(CutoffCommandTest, PrintsWhatItsSchemaSays) {
  for (const char* file : {"plateau.tts", "net.spec"}) {
    const Outcome outcome = heddle({"cutoff", file, "--json"});
    const json object = json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(object.is_discarded()) << outcome.out << outcome.err;
    EXPECT_EQ(violation(schema(), object), "");
    EXPECT_EQ(object["verdict"], "cutoff");
    EXPECT_EQ(object["evidence"]["status"], "confirmed");
  }
  const Outcome stopped = heddle({"cutoff", "plateau.tts", "--json", "--steps", "3"});
  EXPECT_EQ(stopped.code, 20);
  const json object = json::parse(stopped.out, nullptr, false);
  EXPECT_EQ(violation(schema(), object), "");
  EXPECT_EQ(object["reason"], "step_limit");
}

TEST_F(CutoffCommandTest, TellsWhichNumbersAreProvedToBeTheLeast) {
  heddle({"cutoff", "plateau.tts", "--evidence", "e.json"});
  const auto checked = [&] {
    const Outcome outcome = heddle({"check", "plateau.tts", "e.json", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  };
  const json whole = checked();
  for (const json& state : whole["reachable_thread_states"])
    EXPECT_EQ(state.value("proved_least", json()), true) << state;
  for (const json& round : whole["rounds"]) EXPECT_EQ(round.value("proved", json()), true) << round;

  json evidence = json::parse(read("e.json"));
  json& proofs = evidence["answer"]["too_few"];
  ASSERT_EQ(proofs.size(), 3U);
  proofs.erase(1);  // why one thread is not enough for what two reach
  write("e.json", evidence.dump());
  const json part = checked();
  EXPECT_EQ(violation(schema(), part), "");
  for (const json& state : part["reachable_thread_states"])
    EXPECT_EQ(state.value("proved_least", json()), state["threads"] != 2) << state;
  for (const json& round : part["rounds"])
    EXPECT_EQ(round.value("proved", json()), round["threads"] != 1) << round;
  EXPECT_EQ(part["plateaus"][0].value("proved", json()), true);
}

/// Numbers of threads are as large as the command line says; none is counted up to.
TEST_F(CutoffCommandTest, TakesLargeNumbersOfThreads) {
  write("two.tts", "2 2\n0 0 -> 0 1\n");
  for (const char* initial : {"0|0^4294967294", "0|0; 1|1^4294967294"}) {
    const Outcome large = heddle({"cutoff", "two.tts", "--initial", initial, "--json"});
    EXPECT_EQ(large.code, 0) << large.out << large.err;
    const json object = json::parse(large.out, nullptr, false);
    EXPECT_EQ(object["cutoff"], 4294967294U);
    EXPECT_EQ(object["plateaus"].back()["first"], 4294967295U);
    EXPECT_EQ(heddle({"cutoff", "two.tts", "--initial", initial}).code, 0);
  }
  for (const char* threads : {"4294967295", "4294967296", "18446744073709551616",
                              "340282366920938463463374607431768211456"}) {
    const Outcome cutoff = heddle({"cutoff", "two.tts", "--threads", threads, "--json"});
    EXPECT_EQ(cutoff.code, 20) << threads << cutoff.out << cutoff.err;
    EXPECT_EQ(json::parse(cutoff.out, nullptr, false)["reason"], "counter_overflow");
    const Outcome verify = heddle({"verify", "two.tts", "--engine", "cutoff", "--target", "0|1",
                                   "--threads", threads, "--json"});
    EXPECT_EQ(verify.code, 20) << threads << verify.out << verify.err;
    EXPECT_EQ(heddle({"verify", "two.tts", "--target", "0|1", "--threads", threads}).code, 10);
  }
}

/// A machine word would make no thread at all of 2^64 of them.
TEST_F(CutoffCommandTest, ThreadsOfProgramsAreAsManyAsCanBeListed) {
  write("p.bp", "decl x := 0;\nvoid main() begin x := !x; assert(!x); end\n");
  for (const char* option : {"--threads", "--initial"})
    for (const char* threads : {"1000001", "4294967296", "18446744073709551616"})
      for (const std::vector<std::string>& words : {std::vector<std::string>{"verify", "p.bp"},
                                                    {"verify", "p.bp", "--via", "threads"},
                                                    {"translate", "p.bp", "--to", "tts"}}) {
        std::vector<std::string> asked = words;
        asked.insert(asked.end(), {option, threads});
        const Outcome outcome = heddle(asked);
        EXPECT_EQ(outcome.code, 3) << testing::PrintToString(asked) << outcome.out << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("are too many"));
      }
  EXPECT_EQ(heddle({"verify", "p.bp", "--threads", "1000"}).code, 10);
}

TEST_F(CutoffCommandTest, StoresEvidenceThatCheckConfirms) {
  ASSERT_EQ(heddle({"cutoff", "plateau.tts", "--evidence", "e.json"}).code, 0);
  const Outcome checked = heddle({"check", "plateau.tts", "e.json"});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, StartsWith("CONFIRMED  CUTOFF 4"));
}

TEST_F(CutoffCommandTest, EvidenceThatWasTamperedWithIsRefuted) {
  ASSERT_EQ(heddle({"cutoff", "plateau.tts", "--evidence", "e.json"}).code, 0);
  json evidence = json::parse(read("e.json"));
  evidence["answer"]["reachable"].erase(3);
  write("e.json", evidence.dump());
  const Outcome checked = heddle({"check", "plateau.tts", "e.json"});
  EXPECT_EQ(checked.code, 71) << checked.out << checked.err;
  EXPECT_THAT(checked.out, StartsWith("REFUTED  CUTOFF"));
  const Outcome other = heddle({"check", "plateau.tts", "e.json", "--initial", "0/1"});
  EXPECT_EQ(other.code, 20);
  EXPECT_THAT(other.out, HasSubstr("other initial states"));
}

TEST_F(CutoffCommandTest, DrawsTheGrid) {
  ASSERT_EQ(heddle({"cutoff", "plateau.tts", "-q", "-o", "grid.svg"}).code, 0);
  EXPECT_THAT(read("grid.svg"), HasSubstr("plateau.tts: cutoff 4"));
  EXPECT_EQ(heddle({"cutoff", "plateau.tts", "-o", "grid.dot"}).code, 2);
}

TEST_F(CutoffCommandTest, RefusesWithTheReason) {
  write(
      "copy.spec",
      "vars\n  x y\nrules\n  x >= 1 -> x' = x-1, y' = y+x;\ninit\n  x >= 1, y = 1\ntarget\n  y >= "
      "2\n");
  const Outcome outcome = heddle({"cutoff", "copy.spec"});
  EXPECT_EQ(outcome.code, 20) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("copies or drops all tokens of a place"));
}

/// A reset and a transfer: 2 tokens at once in z take two in x and one in y.
TEST_F(CutoffCommandTest, SeesResetsAndTransfersAsStepsOfThreads) {
  write(
      "moves.spec",
      "vars\n  x y z\nrules\n  y >= 1 -> y' = 0, x' = 0, z' = z+x;\ninit\n  x >= 0, y = 1, z = 0\n"
      "target\n  z >= 2\n");
  const Outcome outcome = heddle({"cutoff", "moves.spec", "--evidence", "e.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("translated to a thread system"));
  EXPECT_THAT(outcome.out, StartsWith("CUTOFF"));
  EXPECT_THAT(outcome.out, HasSubstr("0 | x:2 y:1 z:2"));
  EXPECT_THAT(outcome.out, HasSubstr("the steps of the thread system are those of the net"));
  EXPECT_EQ(heddle({"check", "moves.spec", "e.json"}).code, 0);
}

TEST_F(CutoffCommandTest, PrintsATableBesidePublishedFigures) {
  write("published.tsv", "# path\nnet.spec\t1\t2\t3\t4\t5\t6\t7.5\n");
  const Outcome outcome = heddle({"bench", ".", "--cutoffs", "published.tsv", "--timeout", "20"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("| net | published | 1 | 2 | 3 | 4 | 5 | 6 | 7.5 |\n"));
  EXPECT_THAT(outcome.out, HasSubstr("| | translated | "));
  EXPECT_THAT(outcome.out, HasSubstr("| | net itself | | | | "));
  write("short.tsv", "net.spec\t1\n");
  const Outcome bad = heddle({"bench", ".", "--cutoffs", "short.tsv"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_THAT(bad.err, HasSubstr("line 1 has 2 columns, not 8"));
}

}  // namespace
}  // namespace heddle::cli
