/// No output replaces a file that the same run reads, whatever it is called; other files are
/// replaced as a whole.

#include <sys/stat.h>

#include <chrono>
#include <future>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kTarget = "2|4,4\n";

class Outputs : public BinaryTest {
 protected:
  Outputs() {
    write("m.tts", kLock);
    write("m.prop", kTarget);
    write("m.init", "0/0\n");
    write("asked.prop", kTarget);
  }
  void link(const char* from, const char* to, bool symbolic) const {
    if (symbolic)
      std::filesystem::create_symlink(at(from), at(to));
    else
      std::filesystem::create_hard_link(at(from), at(to));
  }
  void expect_refused(const std::vector<std::string>& arguments) const {
    const std::size_t before = file_count();
    const Outcome outcome = heddle(arguments);
    EXPECT_EQ(outcome.code, 3) << arguments[0] << ": " << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments[0];
    EXPECT_THAT(outcome.err, HasSubstr("it is an input of the same run")) << arguments[0];
    EXPECT_EQ(file_count(), before);
    EXPECT_EQ(read("m.tts"), kLock);
    EXPECT_EQ(read("m.prop"), kTarget);
    EXPECT_EQ(read("asked.prop"), kTarget);
  }
};

TEST_F(Outputs, AreNotTheModelOrWhatIsBesideIt) {
  for (const char* input : {"m.tts", "m.prop", "m.init", "./m.tts"}) {
    expect_refused({"verify", "m.tts", "--evidence", input});
    expect_refused({"cutoff", "m.tts", "--evidence", input});
    expect_refused({"translate", "m.tts", "--to", "tts", "-o", input});
  }
  expect_refused({"verify", "m.tts", "--property", "asked.prop", "--evidence", "asked.prop"});
}

TEST_F(Outputs, AreComparedByIdentity) {
  link("m.tts", "symbolic", true);
  link("m.tts", "hard", false);
  link("m.prop", "target", true);
  for (const char* name : {"symbolic", "hard", "target"}) {
    expect_refused({"verify", "m.tts", "--evidence", name});
    expect_refused({"translate", "m.tts", "--to", "tts", "-o", name});
  }
  expect_refused({"translate", "symbolic", "--format", "tts", "--to", "tts", "-o", "m.tts"});
}

TEST_F(Outputs, OfPicturesAreNotInputs) {
  link("m.tts", "m.svg", true);
  expect_refused({"show", "m.tts", "-o", "m.svg"});
  expect_refused({"cutoff", "m.tts", "-o", "m.svg"});
  EXPECT_EQ(heddle({"verify", "m.tts", "--evidence", "e.json"}).code, 10);
  const std::string evidence = read("e.json");
  link("e.json", "e.svg", false);
  expect_refused({"show", "m.tts", "e.json", "-o", "e.svg"});
  EXPECT_EQ(read("e.json"), evidence);
}

TEST_F(Outputs, OfOneRunAreDifferentFiles) {
  const Outcome outcome = heddle({"cutoff", "m.tts", "--evidence", "same.svg", "-o", "./same.svg"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("two outputs would be written to this file"));
}

TEST_F(Outputs, OfBenchesAreNotTheirSuites) {
  std::filesystem::create_directory(at("out"));
  const std::string suite = "path\texpected\nm.tts\tunsafe\n";
  write("out/results.tsv", suite);
  write("out/m.tts", kLock);
  write("out/m.prop", kTarget);
  const Outcome outcome = heddle({"bench", "out/results.tsv", "--output", "out"});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_EQ(read("out/results.tsv"), suite);
}

TEST_F(Outputs, ReplaceOtherFilesAndKeepTheirPermissions) {
  write("e.json", "old");
  ASSERT_EQ(chmod(at("e.json").c_str(), 0640), 0);
  EXPECT_EQ(heddle({"verify", "m.tts", "--evidence", "e.json"}).code, 10);
  EXPECT_THAT(read("e.json"), HasSubstr("\"verdict\""));
  struct stat after{};
  ASSERT_EQ(stat(at("e.json").c_str(), &after), 0);
  EXPECT_EQ(after.st_mode & 0777, 0640u);
}

/// An old file beside the output is replaced, or another name is taken, as often as it takes.
TEST_F(Outputs, HaveTheLatestQuestionBesideThem) {
  write("n.spec", kNet);
  for (const char* target : {"z >= 1", "z >= 2", "z >= 3", "z >= 1", "z >= 2"}) {
    const Outcome outcome = heddle({"translate", "n.spec", "--target", target, "-o", "o.tts"});
    EXPECT_EQ(outcome.code, 0) << target << ": " << outcome.err;
    const Outcome verified = heddle({"verify", "o.tts"});
    const std::string tokens = std::string("0|2") + (target[5] > '1' ? ",2" : "");
    EXPECT_THAT(verified.out, HasSubstr(tokens)) << target;
  }
}

TEST_F(Outputs, MayBeStreams) {
  const Outcome outcome = heddle({"translate", "m.tts", "--to", "tts", "-o", "/dev/stdout"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("# heddle: target 2|4,4\n"));
  EXPECT_THAT(outcome.out, HasSubstr("# heddle: initial 0/0\n"));
}

TEST_F(Outputs, DoNotWaitForEverForAReader) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  const auto start = std::chrono::steady_clock::now();
  for (const char* command : {"verify", "cutoff"}) {
    const Outcome outcome = heddle({command, "m.tts", "--evidence", "pipe"});
    EXPECT_EQ(outcome.code, 3) << command;
    EXPECT_THAT(outcome.err, HasSubstr("it has no reader")) << command;
  }
  const Outcome limited = heddle({"verify", "m.tts", "--evidence", "pipe", "--timeout", "0.3"});
  EXPECT_NE(limited.code, 10);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

/// The reader sees one text with an end, however long the search is.
TEST_F(Outputs, AreWrittenToAPipeThatIsRead) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  auto text = std::async(std::launch::async, [&] { return read("pipe"); });
  const Outcome outcome = heddle({"verify", "m.tts", "--evidence", "pipe"});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  write("e.json", text.get());
  EXPECT_EQ(heddle({"check", "m.tts", "e.json"}).code, 0);
}

}  // namespace
}  // namespace heddle::cli
