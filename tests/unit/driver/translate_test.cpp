#include "driver/translate.hpp"

#include <gtest/gtest.h>

#include "unit/driver/fixtures.hpp"

namespace heddle::driver {
namespace {

const char* const kNet =
    "vars a b\nrules\n  a >= 2 -> a' = a - 2, b' = b + 1;\ninit a >= 1, b = 0\ntarget b >= 3\n";
const char* const kThreads = "2 2\n0 0 -> 1 1\n";

struct Translating : testing::Test {
  FakeDisk disk;
  TranslateRequest request;

  Translating() {
    disk.files["net.spec"] = kNet;
    disk.files["lock.tts"] = kThreads;
    disk.files["lock.prop"] = "1|1\n";
  }

  base::Parsed<TranslatedFile> run(const std::string& file, const std::string& to,
                                   std::optional<std::string> out = std::nullopt) {
    request.file = file;
    request.to = to;
    request.out = std::move(out);
    return translate(disk, request);
  }

  std::string complaint_about(const std::string& file, const std::string& to,
                              std::optional<std::string> out = std::nullopt) {
    const auto translated = run(file, to, std::move(out));
    return translated ? "" : translated.error().at(0).message;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool has_note(const TranslatedFile& translated, const std::string& part) {
  for (const std::string& note : translated.notes)
    if (has(note, part)) return true;
  return false;
}

TEST_F(Translating, NetsToThreadsWithTheQuestionInComments) {
  const auto translated = run("net.spec", "tts");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->text, "# initial states: 0|0/0,2\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "# target: 0|1,1,1\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "2 3\n0 0 -> 1 1\n1 0 -> 0 2\n")) << translated->text;
  EXPECT_TRUE(has_note(*translated, "--initial '0|0/0,2'"));
  EXPECT_FALSE(translated->property.has_value());
}

TEST_F(Translating, TheTargetGoesBesideTheOutput) {
  const auto translated = run("net.spec", "", "out.tts");
  ASSERT_TRUE(translated.has_value());
  ASSERT_TRUE(translated->property.has_value());
  EXPECT_EQ(translated->property->path, "out.prop");
  EXPECT_EQ(translated->property->text, "0|1,1,1\n");
  EXPECT_FALSE(has(translated->text, "# target"));
  EXPECT_TRUE(has_note(*translated, "out.prop"));
}

TEST_F(Translating, NetFormatsWithoutTargetsGetThemBeside) {
  request.question.initial = "a = 4";
  const auto translated = run("net.spec", "pnml", "out.pnml");
  ASSERT_TRUE(translated.has_value()) << base::render(translated.error());
  ASSERT_TRUE(translated->property.has_value());
  EXPECT_EQ(translated->property->text, "b>=3\n");
  EXPECT_FALSE(run("net.spec", "lola", "out.lola")->property.has_value());
}

TEST_F(Translating, AnotherPropertyIsNotOverwritten) {
  EXPECT_TRUE(has(complaint_about("net.spec", "tts", "lock.tts"), "this file exists"));
  disk.files["same.prop"] = "0|1,1,1\n";
  EXPECT_TRUE(run("net.spec", "tts", "same.tts").has_value());
}

TEST_F(Translating, ThreadsToNetsWithTheQuestionInTheFile) {
  const auto translated = run("lock.tts", "spec");
  ASSERT_TRUE(translated.has_value());
  disk.files["back.spec"] = translated->text;
  const auto loaded = load_model(disk, "back.spec", "");
  ASSERT_TRUE(loaded.has_value()) << base::render(loaded.error());
  EXPECT_EQ(std::get<model::PetriNet>(loaded->file.model).places.size(), 4u);
  EXPECT_EQ(loaded->file.targets.size(), 1u);
  EXPECT_TRUE(has_note(*translated, "assumed"));
}

TEST_F(Translating, TheSameKindIsPrintedAsItIs) {
  const auto translated = run("lock.tts", "tts");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->text, kThreads)) << translated->text;
}

TEST_F(Translating, TheCommandLineMayPutTheQuestion) {
  request.question.targets = {"b >= 1"};
  request.question.initial = "a = 7";
  const auto translated = run("net.spec", "tts");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->text, "# initial states: 0|0^7/2\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "# target: 0|1\n"));
}

TEST_F(Translating, ContextsOfThreadsWithStacksBecomeOneThread) {
  disk.files["two.pds"] = "2\nPDA 0 0\n0 0 -> 1 0\nPDA 0 0\n1 0 -> 0 -\n";
  disk.files["two.init"] = "0|0,0\n";
  disk.files["two.spec"] = "0|0,-\n";
  request.question.contexts = 2;
  const auto translated = run("two.pds", "pds", "one.pds");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->notes.at(0), "2 threads and 2 rules became")) << translated->notes[0];
  EXPECT_TRUE(has(translated->text, "# initial states: 0|0\n")) << translated->text;
  ASSERT_TRUE(translated->property.has_value());
  EXPECT_EQ(translated->property->text, "1|*\n");
  request.question.contexts = 200;
  EXPECT_TRUE(has(complaint_about("two.pds", "pds"), "there is no sequential system"));
  request.question.contexts.reset();
  EXPECT_TRUE(has(run("two.pds", "pds")->text, "2\nPDA 0 0\n0 0 -> 1 0\nPDA"));
}

TEST_F(Translating, ContextsOfProgramsBecomeOneThread) {
  disk.files["two.bp"] =
      "decl x := 0; void thread1() begin x := 1; end void thread2() begin assert(!x); end";
  request.question.contexts = 2;
  const auto translated = run("two.bp", "bp", "one.bp");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->text, "decl x__2c;\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "void run_thread1__() begin")) << translated->text;
  EXPECT_TRUE(has(translated->text, "assume(x__1 = x__2c);")) << translated->text;
  disk.files["wait.bp"] = "void thread1() begin wait; end";
  EXPECT_TRUE(has(complaint_about("wait.bp", "bp"), "its threads wait for each other"));
}

TEST_F(Translating, ProgramsBecomePushdownSystems) {
  disk.files["deep.bp"] =
      "decl x := 0; void f() begin if * then f(); fi; x := 1; end\n"
      "void thread1() begin f(); end void thread2() begin assert(!x); end";
  const auto translated = run("deep.bp", "pds", "deep.pds");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->text, "# initial states: 1|0,0\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "# shared state 1: x=0\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "# symbol 1: thread1:2\n")) << translated->text;
  EXPECT_TRUE(has_note(*translated, "--initial '1|0,0'"));
  ASSERT_TRUE(translated->property.has_value());
  EXPECT_EQ(translated->property->text, "0|*,*\n");
  request.question.contexts = 1;
  EXPECT_TRUE(
      has(run("deep.bp", "pds", "deep.pds")->notes.at(0), "a pushdown system with 1 thread"));
  request.question.contexts.reset();
  disk.files["wait.bp"] = "void thread1() begin wait; end";
  EXPECT_TRUE(has(complaint_about("wait.bp", "pds"), "its threads wait for each other"));
  EXPECT_TRUE(has(complaint_about("lock.tts", "pds"), "no calls that could become stacks"));
}

TEST_F(Translating, SaysWhatCannotBeTranslated) {
  disk.files["zero.spec"] = "vars a b\nrules\n  a = 0 -> b' = b + 1;\ninit a = 1\ntarget b >= 1\n";
  EXPECT_TRUE(has(complaint_about("zero.spec", "tts"), "rule 1 (line 3): its guard has an upper"));
  EXPECT_EQ(complaint_about("zero.spec", "spec"), "");
  EXPECT_TRUE(has(complaint_about("net.spec", "", "out.xyz"), "belongs to no format"));
  request.question.initial = "a in [1, 2]";
  EXPECT_TRUE(has(complaint_about("net.spec", "tts"), "a range of initial tokens"));
}

}  // namespace
}  // namespace heddle::driver
