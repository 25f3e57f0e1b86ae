#include <nlohmann/json.hpp>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

/// Evidence of both kinds, stored by the real program.
class Check : public BinaryTest {
 protected:
  Check() {
    write("lock.tts", kLock);
    write("net.spec", kNet);
    heddle({"verify", "lock.tts", "--target", "2|4,4", "--evidence", "trace.json"});
    heddle({"verify", "lock.tts", "--target", "2|0,1", "--engine", "backward", "--evidence",
            "basis.json"});
    heddle({"verify", "net.spec", "--evidence", "net.json"});
  }

  /// Stores a changed copy of an evidence file.
  void change(const std::string& from, const std::string& to, void (*how)(json&)) const {
    json evidence = json::parse(read(from));
    how(evidence);
    write(to, evidence.dump());
  }
};

TEST_F(Check, ConfirmsWhatVerifyStored) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", "lock.tts", "trace.json", "--target", "2|4,4"},
        {"check", "lock.tts", "basis.json", "--target", "2|0,1"},
        {"check", "net.spec", "net.json"}}) {
    const Outcome outcome = heddle(words);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("CONFIRMED  "));
  }
}

TEST_F(Check, ConfirmsUnderTheSameQuestionOnly) {
  EXPECT_EQ(heddle({"check", "lock.tts", "trace.json", "--target", "2|4,4"}).code, 0);
  const Outcome other = heddle({"check", "lock.tts", "trace.json", "--target", "2|4"});
  EXPECT_EQ(other.code, 20) << "neither confirmed nor refuted";
  EXPECT_THAT(other.out, StartsWith("ANOTHER QUESTION  UNSAFE"));
  EXPECT_THAT(other.out, HasSubstr("pass --target '2|4,4'"));
  EXPECT_EQ(
      heddle({"check", "lock.tts", "trace.json", "--target", "2|4,4", "--initial", "0|0"}).code,
      20);
  const json object = json::parse(
      heddle({"check", "lock.tts", "trace.json", "--target", "2|4", "--json"}).out, nullptr, false);
  EXPECT_EQ(object["verdict"], "unknown");
  EXPECT_EQ(object["evidence"]["status"], "other_question");
}

TEST_F(Check, RefusesAQuestionThatVerifyRefuses) {
  const Outcome outcome = heddle({"check", "lock.tts", "trace.json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("there is no target"));
  EXPECT_THAT(outcome.err,
              HasSubstr("to ask the question of this evidence, give --target '2|4,4'"));
}

TEST_F(Check, PrintsTheSameKindOfJson) {
  const json object =
      json::parse(heddle({"check", "lock.tts", "trace.json", "--target", "2|4,4", "--json"}).out,
                  nullptr, false);
  EXPECT_EQ(object["verdict"], "unsafe");
  EXPECT_EQ(object["evidence"]["status"], "confirmed");
  EXPECT_EQ(object["question"]["targets_from"], "--target");
}

TEST_F(Check, RefutesEvidenceForAnotherModel) {
  write("lock.tts", "3 5\n0 0 -> 1 1\n1 1 -> 1 2\n1 2 +> 1 0\n1 2 -> 0 3\n0 3 -> 2 4\n");
  EXPECT_EQ(heddle({"check", "lock.tts", "trace.json", "--target", "2|4,4"}).code, 71);
  EXPECT_EQ(heddle({"check", "lock.tts", "net.json", "--target", "2|4,4"}).code, 20);
}

TEST_F(Check, RefutesATraceThatEndsTooEarly) {
  change("trace.json", "bad.json", [](json& evidence) {
    json& steps = evidence["answer"]["trace"]["steps"];
    steps.erase(steps.end() - 1);
  });
  const Outcome outcome = heddle({"check", "lock.tts", "bad.json", "--target", "2|4,4"});
  EXPECT_EQ(outcome.code, 71) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("REFUTED  UNSAFE"));
}

TEST_F(Check, RefutesABasisWithAHole) {
  change("basis.json", "bad.json", [](json& evidence) {
    json& minimal = evidence["answer"]["certificate"]["minimal"];
    minimal.erase(minimal.begin());
  });
  EXPECT_EQ(heddle({"check", "lock.tts", "bad.json", "--target", "2|0,1"}).code, 71);
}

TEST_F(Check, CannotReadGarbage) {
  write("half.json", read("trace.json").substr(0, 40));
  write("list.json", "[1, 2]");
  for (const char* name : {"half.json", "list.json", "nowhere.json", "lock.tts"}) {
    const Outcome outcome = heddle({"check", "lock.tts", name});
    EXPECT_EQ(outcome.code, 3) << name;
    EXPECT_THAT(outcome.err, StartsWith(std::string(name) + ":"));
  }
}

TEST_F(Check, SaysWhereANumberIsTooLarge) {
  std::string text = read("trace.json");
  const std::string version = "\"heddle_evidence\":1";
  const std::size_t at = text.find(version);
  ASSERT_NE(at, std::string::npos);
  write("large.json", text.replace(at, version.size(), "\"heddle_evidence\":1e400"));
  const Outcome outcome = heddle({"check", "lock.tts", "large.json"});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, StartsWith("large.json:1:"));
}

/// A terminal obeys what it is sent: evidence could clear it and write an answer of its own.
TEST_F(Check, PrintsNoControlBytesOfEvidence) {
  constexpr const char* kPaint = "\x1b[1A\x1b[2K\rCONFIRMED  SAFE\n\x1b[8m\xC2\x9B\x7F\xE2\x80\xAE";
  const auto expect_plain = [&](const std::string& file) {
    for (const Outcome& outcome :
         {heddle({"check", "lock.tts", file}), heddle({"check", "lock.tts", file, "--json"}),
          heddle({"replay", "lock.tts", file, "--all"})})
      for (const std::string& text : {outcome.out, outcome.err}) {
        for (const char* bytes : {"\x1b", "\r", "\x7F", "\xC2\x9B", "\xE2\x80\xAE"})
          EXPECT_EQ(text.find(bytes), std::string::npos) << file << ": " << text;
        EXPECT_EQ(text.find("\nCONFIRMED"), std::string::npos) << file << ": " << text;
      }
  };
  json evidence = json::parse(read("trace.json"));
  for (const char* path : {"/model_kind", "/engine", "/answer/verdict", "/heddle_evidence"}) {
    json changed = evidence;
    changed[json::json_pointer(path)] = kPaint;
    write("painted.json", changed.dump());
    expect_plain("painted.json");
  }
  for (const char* path : {"", "/answer", "/question"}) {
    json changed = evidence;
    changed[json::json_pointer(path)][kPaint] = 1;
    write("painted.json", changed.dump());
    expect_plain("painted.json");
  }
  evidence["question"]["labels"] = json::array({kPaint});
  evidence["answer"] = {
      {"verdict", "safe_up_to"},
      {"bound", {{"what", kPaint}, {"value", 1}}},
      {"certificate",
       {{"kind", "backward_basis"}, {"minimal", json::array()}, {"relative_to", json::array()}}}};
  write("painted.json", evidence.dump());
  expect_plain("painted.json");
  evidence["question"].erase("labels");
  write("painted.json", evidence.dump());
  expect_plain("painted.json");
  evidence["answer"] = {{"verdict", "unknown"}, {"reason", "time_limit"}, {"detail", kPaint}};
  write("painted.json", evidence.dump());
  expect_plain("painted.json");
}

/// Nobody has to ask for limits: the help says what they are.
TEST_F(Check, HasLimitsOfItsOwn) {
  for (const char* command : {"check", "replay", "show"}) {
    const std::string help = heddle({command, "--help"}).out;
    EXPECT_THAT(help, HasSubstr("(default: 600 s)")) << command;
    EXPECT_THAT(help, HasSubstr("(default: 4000 MB)")) << command;
  }
}

}  // namespace
}  // namespace heddle::cli
