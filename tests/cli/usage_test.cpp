#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

class Usage : public BinaryTest {
 protected:
  /// Wrong usage: exit code 2, nothing on standard output, and these words on standard error.
  void expect_wrong(const std::vector<std::string>& arguments, const std::string& words) const {
    const Outcome outcome = heddle(arguments);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr(words));
  }
};

TEST_F(Usage, HelpTeachesByExample) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"verify", "--help"},
                                                    {"check", "-h"},
                                                    {"engines", "--help"},
                                                    {"formats", "--help"}}) {
    const Outcome outcome = heddle(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Usage: heddle "));
    EXPECT_THAT(outcome.out, HasSubstr("Examples:\n  heddle "));
  }
}

TEST_F(Usage, HelpFitsATerminal) {
  const std::string help = heddle({"verify", "--help"}).out;
  for (std::size_t start = 0; start < help.size();) {
    const std::size_t end = help.find('\n', start);
    EXPECT_LE(end - start, 100u) << help.substr(start, end - start);
    start = end + 1;
  }
}

TEST_F(Usage, VersionWithTheCommitIfItIsKnown) {
  std::string text = heddle({"--version"}).out;
  const std::string version = "heddle " HEDDLE_VERSION;
  ASSERT_TRUE(text.starts_with(version)) << text;
  text = text.substr(version.size());
  EXPECT_TRUE(text == "\n" || (text.starts_with(" (") && text.ends_with(")\n"))) << text;
}

TEST_F(Usage, ManualPagesAndCompletionsAreGenerated) {
  EXPECT_EQ(heddle({"generate", "."}).code, 0);
  for (const char* name : {"heddle.1", "heddle-verify.1", "heddle.bash", "_heddle", "heddle.fish"})
    EXPECT_TRUE(std::filesystem::exists(folder() / name)) << name;
  EXPECT_EQ(heddle({"generate", "nowhere"}).code, 3);
  EXPECT_EQ(heddle({"generate"}).code, 2);
}

TEST_F(Usage, MisspeltWordsGetASuggestion) {
  expect_wrong({"verfy", "a.tts"}, "did you mean 'verify'?");
  expect_wrong({"verify", "a.tts", "--tmeout", "3"}, "did you mean '--timeout'?");
  expect_wrong({"verify", "a.tts", "--tmeout=3"}, "there is no option '--tmeout'");
  expect_wrong({"verify", "a.tts", "--engine", "bakward"}, "did you mean 'backward'?");
  expect_wrong({"verify", "a.tts", "--format", "tss"}, "did you mean 'tts'?");
  expect_wrong({"verify", "a.tts", "--order", "smalest"}, "did you mean 'smallest'?");
  expect_wrong({"engines", "bakward"}, "did you mean 'backward'?");
  expect_wrong({"--verion"}, "did you mean '--version'?");
  expect_wrong({"a.tts"}, "heddle verify a.tts");
}

TEST_F(Usage, NumbersAreNumbers) {
  for (const char* bad : {"-5", "0", "ten", "", "1e999", "nan", "inf", "3x"})
    expect_wrong({"verify", "a.tts", "--timeout", bad}, "is not a positive number of seconds");
  for (const char* bad : {"-1", "0", "1.5", "x", "99999999999999999999"})
    expect_wrong({"verify", "a.tts", "--memory", bad}, "--memory: '");
  expect_wrong({"verify", "a.tts", "--jobs", "0"}, "--jobs: '0' is not a whole number from 1");
  expect_wrong({"verify", "a.tts", "--steps", "-3"}, "--steps: '-3'");
  expect_wrong({"verify", "a.tts", "--seed", "x"}, "--seed: 'x'");
  expect_wrong({"verify", "a.tts", "--threads", "0"}, "--threads: '0'");
  expect_wrong({"verify", "a.tts", "--contexts", "0"}, "--contexts: '0'");
  expect_wrong({"verify", "a.tts", "--threads", "some"}, "or 'any'");
}

TEST_F(Usage, WhatIsMissingOrTooMuch) {
  expect_wrong({}, "no command given");
  expect_wrong({"verify"}, "no file given");
  expect_wrong({"check", "a.tts"}, "no evidence given");
  expect_wrong({"verify", "a.tts", "--timeout"}, "option --timeout needs a value");
  expect_wrong({"show", "a.tts", "b.json", "c.json"}, "unexpected argument 'b.json'");
  expect_wrong({"formats", "tts"}, "unexpected argument 'tts'");
}

TEST_F(Usage, EnginesAndFormatsAreListed) {
  EXPECT_THAT(heddle({"engines"}).out, HasSubstr("backward          backward"));
  EXPECT_THAT(heddle({"engines"}).out, HasSubstr("pushdown-backward stack"));
  EXPECT_THAT(heddle({"engines", "backward"}).out, HasSubstr("--order"));
  EXPECT_THAT(heddle({"formats"}).out, HasSubstr(".tts"));
  for (const char* listing : {"formats", "engines"}) {
    std::istringstream lines(heddle({listing}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
  const json engines = json::parse(heddle({"engines", "--json"}).out);
  EXPECT_EQ(engines["engines"][0]["name"], "backward");
  EXPECT_EQ(json::parse(heddle({"engines", "backward", "--json"}).out)["engines"].size(), 1u);
  const json formats = json::parse(heddle({"formats", "--json"}).out);
  EXPECT_EQ(formats["formats"][0]["name"], "tts");
}

TEST_F(Usage, HelpFitsEightyColumns) {
  for (const char* command : {"", "verify", "races", "cutoff", "check", "replay", "translate",
                              "show", "bench", "engines", "formats"}) {
    const Outcome outcome = heddle({"help", command});
    std::istringstream lines(std::string(command).empty() ? heddle({"--help"}).out : outcome.out);
    for (std::string line; std::getline(lines, line);) {
      const auto width = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
      EXPECT_LE(width, 80) << command << ": " << line;
    }
  }
}

}  // namespace
}  // namespace heddle::cli
