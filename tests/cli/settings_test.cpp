/// Defaults from heddle.json.

#include <filesystem>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class SettingsTest : public BinaryTest {
 protected:
  SettingsTest() { write("lock.tts", kLock); }
};

TEST_F(SettingsTest, AreTakenFromTheNearestFileAndAnnounced) {
  write("heddle.json",
        R"({"target": ["2|4,4"], "verify": {"engine": "backward", "quiet": false}})");
  const Outcome here = heddle({"verify", "lock.tts"});
  EXPECT_EQ(here.code, 10) << here.err;
  EXPECT_THAT(here.out, HasSubstr("(backward, "));
  EXPECT_EQ(here.err, "heddle: defaults from heddle.json: engine, target\n");
  std::filesystem::create_directory(at("below"));
  const Outcome below = test::run_heddle({"verify", "../lock.tts"}, at("below"));
  EXPECT_EQ(below.code, 10) << below.err;
  EXPECT_THAT(below.err, StartsWith("heddle: defaults from ../heddle.json: "));
}

TEST_F(SettingsTest, CountLessThanTheCommandLine) {
  write("heddle.json", R"({"target": "2|4,4", "engine": "backward", "quiet": true})");
  const Outcome outcome = heddle({"verify", "lock.tts", "--target", "2|0,1", "--engine", "cutoff"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("(cutoff, "));
  EXPECT_THAT(outcome.err, IsEmpty()) << "quiet by the settings";
  EXPECT_EQ(heddle({"verify", "lock.tts", "--settings", "none"}).code, 3) << "there is no target";
}

/// What a suite asks stands in the suite, wherever it is run.
TEST_F(SettingsTest, DoNotCountForCasesOfASuite) {
  write("heddle.json", R"({"target": "2|4,4", "report": "heddle.html"})");
  write("INDEX.tsv", "path\ttarget\texpected\nlock.tts\tlock.prop\tsafe\n");
  write("lock.prop", "2|0,1\n");
  const Outcome outcome = heddle({"bench", "INDEX.tsv", "--output", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(at("heddle.html")));
}

TEST_F(SettingsTest, MayHaveAnotherName) {
  write("other.json", R"({ /* comments are allowed */ "target": "2|4,4"})");
  EXPECT_EQ(heddle({"verify", "lock.tts", "--settings", "other.json"}).code, 10);
  EXPECT_EQ(heddle({"verify", "lock.tts", "--settings", "nowhere.json"}).code, 3);
}

TEST_F(SettingsTest, MistakesAreNamed) {
  const auto error = [&](const char* settings) {
    write("heddle.json", settings);
    const Outcome outcome = heddle({"verify", "lock.tts", "--target", "2|4,4"});
    EXPECT_EQ(outcome.code, 3) << settings;
    return outcome.err;
  };
  EXPECT_THAT(error(R"({"tiemout": 3})"), HasSubstr("heddle.json: there is no option 'tiemout'"));
  EXPECT_THAT(error(R"({"tiemout": 3})"), HasSubstr("did you mean 'timeout'?"));
  EXPECT_THAT(error(R"({"verify": {"to": "tts"}})"), HasSubstr("there is no option 'to'"));
  EXPECT_THAT(error("{\n  \"timeout\": ,\n}"), HasSubstr("is not JSON: line 2, column 14"));
  EXPECT_THAT(error("[]"), HasSubstr("heddle.json is not an object"));
  EXPECT_THAT(error(R"({"timeout": ["1m", "2m"]})"), HasSubstr("'timeout' is a text or a number"));
  EXPECT_THAT(error(R"({"quiet": 1})"), HasSubstr("'quiet' is true or false"));
  write("heddle.json", R"({"timeout": "1m"})");
  EXPECT_EQ(heddle({"verify", "lock.tts", "--memory", "some"}).code, 2) << "not of the settings";
  EXPECT_THAT(error(R"({"timeout": "soon"})"), HasSubstr("heddle.json: --timeout"));
}

}  // namespace
}  // namespace heddle::cli
