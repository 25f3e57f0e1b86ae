#include "driver/translate.hpp"

#include "driver/pose.hpp"
#include "model/counting.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

/// The text of a file beside the model; empty if there is none of that name.
std::string sibling(const TranslatedFile& translated, const std::string& path) {
  for (const OutputFile& file : translated.siblings)
    if (file.path == path) return file.text;
  return "";
}

TEST_F(Translating, NetsToThreadsWithTheQuestionInComments) {
  const auto translated = run("net.spec", "tts");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->text, "# heddle: initial 0|0/0,2\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "# heddle: target 0|1,1,1\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "2 3\n0 0 -> 1 1\n1 0 -> 0 2\n")) << translated->text;
  EXPECT_TRUE(translated->siblings.empty());
  EXPECT_TRUE(translated->warnings.empty());
}

TEST_F(Translating, TheQuestionGoesBesideTheOutput) {
  const auto translated = run("net.spec", "", "out.tts");
  ASSERT_TRUE(translated.has_value());
  EXPECT_EQ(sibling(*translated, "out.init"), "0|0/0,2\n");
  EXPECT_EQ(sibling(*translated, "out.prop"), "0|1,1,1\n");
  EXPECT_FALSE(has(translated->text, "heddle:"));
  EXPECT_TRUE(has_note(*translated, "out.init"));
  EXPECT_TRUE(has_note(*translated, "out.prop"));
}

TEST_F(Translating, NetFormatsWithoutTargetsGetThemBeside) {
  request.question.initial = "a = 4";
  const auto translated = run("net.spec", "pnml", "out.pnml");
  ASSERT_TRUE(translated.has_value()) << base::render(translated.error());
  EXPECT_EQ(sibling(*translated, "out.prop"), "b>=3\n");
  EXPECT_TRUE(run("net.spec", "lola", "out.lola")->siblings.empty());
}

TEST_F(Translating, AnotherModelsQuestionIsNotOverwritten) {
  const auto translated = run("net.spec", "tts", "lock.ttd");
  ASSERT_TRUE(translated.has_value());
  EXPECT_EQ(sibling(*translated, "lock.ttd.prop"), "0|1,1,1\n") << "lock.prop is there";
  EXPECT_EQ(sibling(*translated, "lock.ttd.init"), "0|0/0,2\n") << "lock.tts would read lock.init";
  disk.files["same.prop"] = "0|1,1,1\n";
  EXPECT_EQ(run("net.spec", "tts", "same.tts")->siblings.size(), 1u) << "it says so already";
  disk.files["old.tts.prop"] = "1|1\n";
  EXPECT_EQ(sibling(*run("net.spec", "tts", "old.tts"), "old.tts.prop"), "0|1,1,1\n");
}

TEST_F(Translating, WhatIsBesideTheOutputDoesNotChangeItsMeaning) {
  disk.files["out.init"] = "1|1\n";
  const auto assumed = run("lock.tts", "tts", "out.tts");
  ASSERT_TRUE(assumed.has_value());
  EXPECT_EQ(sibling(*assumed, "out.tts.init"), "0/0\n");
  disk.files["none.tts"] = kThreads;
  disk.files["out.prop"] = "1|1\n";
  EXPECT_TRUE(has(complaint_about("none.tts", "tts", "out.tts"), "read with another target"));
  EXPECT_TRUE(has(complaint_about("net.spec", "tts", "out.spec"), "would not be read back"));
}

/// Translates, writes and reads again.
struct ReadingAgain : Translating {
  base::Parsed<model::CountingQuestion> again(const std::string& file, const std::string& out) {
    auto posed = read_again(file, out);
    if (!posed) return std::unexpected(std::move(posed.error()));
    return model::counting_task(posed->task).value().question;
  }

  base::Parsed<Posed> read_again(const std::string& file, const std::string& out) {
    const auto translated = run(file, "", out);
    if (!translated) return std::unexpected(translated.error());
    disk.write_all(translated->siblings);
    disk.files[out] = translated->text;
    return pose(disk, out, {});
  }
};

const model::Region kAnything{model::SharedState(0u), {}};

TEST_F(ReadingAgain, ATargetThatIsAlwaysReached) {
  disk.files["any.spec"] =
      "vars p q\nrules\n  p >= 1 -> p' = p - 1;\ninit p = 0, q = 0\ntarget q >= 1 true\n";
  for (const char* out : {"o.pnml", "o.spec", "o.lola", "o.pnet", "o.tts"}) {
    const auto question = again("any.spec", out);
    ASSERT_TRUE(question.has_value()) << out << ": " << base::render(question.error());
    EXPECT_EQ(std::ranges::count(question->targets, kAnything), 1) << out;
    EXPECT_EQ(question->targets.size(), 2u) << out;
  }
}

TEST_F(ReadingAgain, OddNamesAndBounds) {
  disk.files["odd.pnet"] =
      "petri net { places { \"a-b\" \"in\" true1 } transitions { t } arcs { \"a-b\" -> t } initial "
      "{ } }\n"
      "safety property { \"a-b\" >= 1 && \"in\" <= 3 && true1 >= 0 }\n";
  for (const char* out : {"o.pnml", "o.pnet"}) {
    const auto question = again("odd.pnet", out);
    ASSERT_TRUE(question.has_value()) << out << ": " << base::render(question.error());
    const model::CounterBound some{model::Counter(0u), 1, std::nullopt};
    const model::CounterBound few{model::Counter(1u), 0, base::Integer(3)};
    ASSERT_EQ(question->targets.size(), 1u) << out;
    EXPECT_EQ(*question->targets[0].find(model::Counter(0u)), some) << out;
    EXPECT_EQ(*question->targets[0].find(model::Counter(1u)), few) << out;
  }
  disk.files["empty.spec"] = "vars a\nrules\ninit a = 0\ntarget a >= 1\n";
  for (const char* out : {"e.pnml", "e.spec", "e.lola", "e.pnet", "e.tts"})
    EXPECT_TRUE(again("empty.spec", out).has_value()) << out;
}

TEST_F(ReadingAgain, RangesOfThreadsHaveANotation) {
  request.question.initial = "a in [1, 3]";
  const auto question = again("net.spec", "o.tts");
  ASSERT_TRUE(question.has_value()) << base::render(question.error());
  const model::CounterBound range{model::Counter(0u), 1, base::Integer(3)};
  EXPECT_EQ(*question->initial.at(0).find(model::Counter(0u)), range);
}

TEST_F(ReadingAgain, OneMarkingMakesTheOthers) {
  const auto any = again("net.spec", "o.pnml");
  ASSERT_TRUE(any.has_value()) << base::render(any.error());
  EXPECT_TRUE(has(disk.files["o.pnml"], "id=\"more_a\"")) << disk.files["o.pnml"];
  request.question.initial = "a = 2; b = 1";
  for (const char* out : {"s.spec", "s.lola", "s.pnet", "s.pnml"}) {
    const auto several = again("net.spec", out);
    ASSERT_TRUE(several.has_value()) << out << ": " << base::render(several.error());
    EXPECT_TRUE(has(disk.files[out], "running")) << disk.files[out];
  }
}

TEST_F(ReadingAgain, NumbersOfThreadsOfPrograms) {
  disk.files["p.bp"] = "void main() begin assert(0); end";
  disk.files["o.init"] = "0|0\n";  // of a pushdown system
  request.question.any_threads = true;
  const auto any = read_again("p.bp", "o.bp");
  ASSERT_TRUE(any.has_value()) << base::render(any.error());
  EXPECT_EQ(disk.files["o.bp.init"], "any\n");
  EXPECT_FALSE(std::get<model::ProgramTask>(any->task).question.initial.at(0).most.has_value());
  EXPECT_TRUE(has(run("p.bp", "bp")->text, "// heddle: initial any\n"));
}

TEST_F(Translating, ThreadsToNetsWithTheQuestionInTheFile) {
  const auto translated = run("lock.tts", "spec");
  ASSERT_TRUE(translated.has_value());
  disk.files["back.spec"] = translated->text;
  const auto posed = pose(disk, "back.spec", {});
  ASSERT_TRUE(posed.has_value()) << base::render(posed.error());
  const auto& task = std::get<model::NetTask>(posed->task);
  EXPECT_EQ(task.model.places.size(), 4u);
  EXPECT_EQ(task.question.targets.size(), 1u);
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
  EXPECT_TRUE(has(translated->text, "# heddle: initial 0|0^7/2\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "# heddle: target 0|1\n"));
}

TEST_F(Translating, ContextsOfThreadsWithStacksBecomeOneThread) {
  disk.files["two.pds"] = "2\nPDA 0 0\n0 0 -> 1 0\nPDA 0 0\n1 0 -> 0 -\n";
  disk.files["two.init"] = "0|0,0\n";
  disk.files["two.spec"] = "0|0,-\n";
  request.question.contexts = 2;
  const auto translated = run("two.pds", "pds", "one.pds");
  ASSERT_TRUE(translated.has_value());
  EXPECT_TRUE(has(translated->notes.at(0), "2 threads and 2 rules became")) << translated->notes[0];
  EXPECT_EQ(sibling(*translated, "one.init"), "0|0\n");
  EXPECT_EQ(sibling(*translated, "one.prop"), "1|*\n");
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
  EXPECT_TRUE(has(translated->text, "# shared state 1: x=0\n")) << translated->text;
  EXPECT_TRUE(has(translated->text, "# symbol 1: thread1:2\n")) << translated->text;
  EXPECT_EQ(sibling(*translated, "deep.init"), "1|0,0\n");
  EXPECT_EQ(sibling(*translated, "deep.prop"), "0|*,*\n");
  request.question.contexts = 1;
  EXPECT_TRUE(
      has(run("deep.bp", "pds", "deep.pds")->notes.at(0), "a pushdown system with 1 thread"));
  request.question.contexts.reset();
  disk.files["wait.bp"] = "void thread1() begin wait; end";
  EXPECT_TRUE(has(complaint_about("wait.bp", "pds"), "its threads wait for each other"));
  EXPECT_TRUE(has(complaint_about("lock.tts", "pds"), "the model has no calls"));
}

TEST_F(Translating, SaysWhatCannotBeTranslated) {
  disk.files["zero.spec"] = "vars a b\nrules\n  a = 0 -> b' = b + 1;\ninit a = 1\ntarget b >= 1\n";
  EXPECT_TRUE(has(complaint_about("zero.spec", "tts"), "rule 0 (line 3): its guard has an upper"));
  EXPECT_EQ(complaint_about("zero.spec", "spec"), "");
  EXPECT_TRUE(has(complaint_about("net.spec", "", "out.xyz"), "belongs to no format"));
  request.question.contexts = 2;
  EXPECT_TRUE(has(complaint_about("net.spec", "tts"), "a Petri net has no contexts"));
}

}  // namespace
}  // namespace heddle::driver
