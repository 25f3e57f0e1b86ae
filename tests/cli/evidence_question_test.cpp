/// The question is the one of the command line, the file and its siblings; evidence is only
/// compared with it.

#include <nlohmann/json.hpp>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using QuestionWords = std::vector<std::string>;

/// A model, and questions that can be put about it.
struct AskedModel {
  std::string name;
  std::string text;
  std::vector<QuestionWords> questions;
};

/// Two threads can be in local state 2 at once, one cannot.
constexpr const char* kTwoInside = "2 3\n0 0 -> 0 1\n0 1 -> 0 2\n1 1 -> 1 2\n";

constexpr const char* kFailing =
    "decl x := 0;\n"
    "void main() begin\n"
    "  x := 1;\n"
    "  assert(!x);\n"
    "  goto END;\n"
    "L: skip;\n"
    "END: skip;\n"
    "end\n";

/// The first thread takes the shared state to 1, the second to 2, the first to 3: two rounds.
constexpr const char* kTakingTurns =
    "4\n"
    "PDA 1 1\n0 0 -> 1 0\n2 0 -> 3 0\n"
    "PDA 1 1\n1 0 -> 2 0\n";

std::vector<AskedModel> asked_models() {
  return {
      {"m.tts",
       kTwoInside,
       {{"--target", "0|2,2"},
        {"--target", "0|2,2", "--threads", "any"},
        {"--target", "0|2,2", "--threads", "1"},
        {"--target", "0|2,2", "--threads", "2"},
        {"--target", "0|2,2", "--initial", "0|0,0"},
        {"--target", "0|2"},
        {"--target", "0|2", "--target", "0|2,2"},
        {"--threads", "1"},
        {}}},
      {"p.bp",
       kFailing,
       {{}, {"--label", "L"}, {"--threads", "1"}, {"--threads", "2"}, {"--threads", "any"}}},
      {"n.spec",
       kNet,
       {{}, {"--target", "z>=1"}, {"--initial", "x=1"}, {"--initial", "x=2"}, {"--threads", "3"}}},
      {"s.pds",
       kTakingTurns,
       {{},
        {"--initial", "0|0,0"},
        {"--initial", "0|0,0", "--target", "3|*,*"},
        {"--initial", "1|0,0", "--target", "3|*,*"}}},
  };
}

class EvidenceQuestion : public BinaryTest {
 protected:
  Outcome run(std::vector<std::string> words, const QuestionWords& question) const {
    words.insert(words.end(), question.begin(), question.end());
    return heddle(words);
  }

  static json question_in(const Outcome& outcome) {
    const json object = json::parse(outcome.out, nullptr, false);
    return object.is_discarded() ? json() : object["question"];
  }

  static bool same_question(const json& a, const json& b) {
    return a["targets"] == b["targets"] && a["initial"] == b["initial"];
  }
};

TEST_F(EvidenceQuestion, IsConfirmedForItsOwnQuestionAndForNoOther) {
  for (const AskedModel& model : asked_models()) {
    write(model.name, model.text);
    for (const QuestionWords& made_with : model.questions) {
      const Outcome made = run({"verify", model.name, "--json", "--evidence", "e.json"}, made_with);
      if (made.code == 3) continue;
      ASSERT_TRUE(made.code == 0 || made.code == 10) << made.out << made.err;
      for (const QuestionWords& asked : model.questions) {
        const Outcome put = run({"verify", model.name, "--json", "--steps", "1"}, asked);
        const Outcome checked = run({"check", model.name, "e.json"}, asked);
        const std::string what = model.name + " made with " + testing::PrintToString(made_with) +
                                 ", asked with " + testing::PrintToString(asked) + "\n" +
                                 checked.out + checked.err;
        if (put.code == 3) {
          EXPECT_EQ(checked.code, 3) << what;
        } else {
          const bool same = same_question(question_in(made), question_in(put));
          EXPECT_EQ(checked.code, same ? 0 : 20) << what;
        }
      }
    }
  }
}

TEST_F(EvidenceQuestion, IsShownEvenWhereOutputIsQuiet) {
  write("m.tts", kTwoInside);
  heddle({"verify", "m.tts", "--target", "0|2,2", "--threads", "1", "--evidence", "e.json"});
  const Outcome quiet =
      heddle({"check", "m.tts", "e.json", "--target", "0|2,2", "--threads", "1", "-q"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_THAT(quiet.out, HasSubstr("target   0|2,2"));
  EXPECT_THAT(quiet.out, HasSubstr("initial  0|0 "));
  heddle({"cutoff", "m.tts", "--threads", "1", "--evidence", "c.json"});
  const Outcome cutoff = heddle({"check", "m.tts", "c.json", "--threads", "1", "-q"});
  EXPECT_EQ(cutoff.code, 0);
  EXPECT_THAT(cutoff.out, HasSubstr("initial  0|0 "));
  EXPECT_EQ(heddle({"check", "m.tts", "c.json", "-q"}).code, 20);
}

TEST_F(EvidenceQuestion, OfACutoffHasNoTarget) {
  write("m.tts", kTwoInside);
  heddle({"cutoff", "m.tts", "--evidence", "c.json"});
  EXPECT_EQ(heddle({"check", "m.tts", "c.json"}).code, 0);
  for (const QuestionWords& foreign : {QuestionWords{"--target", "0|2"}, {"--contexts", "3"}}) {
    const Outcome outcome = run({"check", "m.tts", "c.json"}, foreign);
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("does not apply to 'heddle cutoff'"));
  }
}

/// Evidence for one context about the system whose shared state 3 takes two.
class BoundedEvidence : public EvidenceQuestion {
 protected:
  BoundedEvidence() {
    write("s.pds", kTakingTurns);
    write("s.init", "0|0,0\n");
    write("s.prop", "3|*,*\n");
    made_ = heddle({"verify", "s.pds", "--contexts", "1", "--evidence", "e.json"}).code;
  }

  void SetUp() override { ASSERT_EQ(made_, 21); }

 private:
  int made_ = 0;
};

TEST_F(BoundedEvidence, DoesNotAnswerForMoreContexts) {
  const Outcome one = heddle({"check", "s.pds", "e.json", "--contexts", "1"});
  EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_THAT(one.out, StartsWith("CONFIRMED  SAFE UP TO 1 context: "));
  const Outcome two = heddle({"check", "s.pds", "e.json", "--contexts", "2"});
  EXPECT_EQ(two.code, 20) << two.out;
  EXPECT_THAT(two.out, StartsWith("ANOTHER QUESTION  SAFE UP TO 1 context "));
  EXPECT_THAT(two.out, HasSubstr("pass --contexts 1"));
  EXPECT_EQ(heddle({"verify", "s.pds", "--contexts", "2"}).code, 10);
}

/// The question that the evidence names makes no difference.
TEST_F(BoundedEvidence, DoesNotAnswerForMoreContextsBecauseItSaysSo) {
  json evidence = json::parse(read("e.json"));
  evidence["question"]["contexts"] = 2;
  write("e.json", evidence.dump());
  EXPECT_EQ(heddle({"check", "s.pds", "e.json", "--contexts", "2"}).code, 20);
}

TEST_F(BoundedEvidence, TellsItsBoundWhereNoneIsAskedFor) {
  const Outcome outcome = heddle({"check", "s.pds", "e.json", "-q"});
  EXPECT_EQ(outcome.code, 21) << outcome.out;  // the question without a bound stays open
  EXPECT_THAT(outcome.out, StartsWith("CONFIRMED  SAFE UP TO 1 context: "));
}

TEST_F(BoundedEvidence, OfNoContextsSaysNothing) {
  json evidence = json::parse(read("e.json"));
  evidence["answer"]["bound"]["value"] = 0;
  json before_the_first_turn = json::array();
  for (const json& product : evidence["answer"]["certificate"]["products"])
    if (product[0] == 0) before_the_first_turn.push_back(product);
  evidence["answer"]["certificate"]["products"] = before_the_first_turn;
  write("e.json", evidence.dump());
  for (const QuestionWords& asked : {QuestionWords{}, {"--contexts", "5"}, {"--contexts", "1"}}) {
    const Outcome outcome = run({"check", "s.pds", "e.json"}, asked);
    EXPECT_EQ(outcome.code, asked.empty() ? 71 : 20) << outcome.out;
  }
}

TEST_F(BoundedEvidence, ForMoreContextsThanAskedForSaysSo) {
  write("s.pds", std::string("6\nPDA 1 1\n0 0 -> 1 0\n2 0 -> 3 0\n4 0 -> 5 0\n") +
                     "PDA 1 1\n1 0 -> 2 0\n3 0 -> 4 0\n");
  write("s.prop", "5|*,*\n");
  ASSERT_EQ(heddle({"verify", "s.pds", "--contexts", "2", "--evidence", "e.json"}).code, 21);
  const Outcome outcome = heddle({"check", "s.pds", "e.json", "--contexts", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("more than the 1 context asked for"));
}

TEST_F(BoundedEvidence, ATraceIsCountedAgainstTheBoundAskedFor) {
  ASSERT_EQ(heddle({"verify", "s.pds", "--contexts", "5", "--evidence", "t.json"}).code, 10);
  EXPECT_EQ(heddle({"check", "s.pds", "t.json"}).code, 0);
  EXPECT_EQ(heddle({"check", "s.pds", "t.json", "--contexts", "2"}).code, 0);
  EXPECT_EQ(heddle({"check", "s.pds", "t.json", "--contexts", "1"}).code, 71);
}

}  // namespace
}  // namespace heddle::cli
