/// What the library answers, by its C++ interface, which goes through the C one.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <heddle/heddle.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

using heddle::Answer;
using heddle::Model;
using heddle::Question;
using heddle::Verdict;
using std::chrono::steady_clock;

Model lock() {
  Model model = Model::thread_system(2, 2);
  model.step(0, 0, 1, 1).step(1, 1, 0, 0);
  return model;
}

Question about(const std::string& target) {
  Question question;
  question.set("target", target);
  return question;
}

/// A search that takes for ever, with events all the time.
Model endless_net() {
  Model net = Model::petri_net();
  const auto p = net.place("p"), q = net.place("q", 1);
  net.transition({{q, 1}}, {{q, 1}, {p, 1}});
  return net;
}
Question endless_question() { return std::move(about("p>=2000000000").set("engine", "backward")); }

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

TEST(Library, ProvesWithEvidence) {
  const Answer answer = heddle::verify(lock(), about("1|1,1"));
  EXPECT_EQ(answer.verdict, Verdict::Safe);
  EXPECT_EQ(answer.headline.substr(0, 5), "SAFE:");
  EXPECT_TRUE(answer.evidence.confirmed);
  ASSERT_TRUE(answer.evidence.json);
  EXPECT_FALSE(answer.proof.empty());
  EXPECT_TRUE(answer.trace.empty());
  EXPECT_TRUE(answer.engine);
  EXPECT_NE(answer.json->find("\"verdict\": \"safe\""), std::string::npos);
  EXPECT_TRUE(heddle::check(lock(), *answer.evidence.json, about("1|1,1")).evidence.confirmed);
  // Of a lock that does not lock, it is wrong.
  Model broken = Model::thread_system(2, 2);
  broken.step(0, 0, 1, 1).step(1, 0, 1, 1);
  const Answer refuted = heddle::check(broken, *answer.evidence.json, about("1|1,1"));
  EXPECT_FALSE(refuted.evidence.confirmed);
  EXPECT_EQ(refuted.verdict, Verdict::Unknown);
}

TEST(Library, RunsAreData) {
  const Answer answer = heddle::verify(lock(), about("1|1,0"));
  ASSERT_EQ(answer.verdict, Verdict::Unsafe);
  ASSERT_EQ(answer.trace.size(), 1u);
  EXPECT_EQ(answer.trace[0].first, 1);
  EXPECT_EQ(answer.trace[0].thread, 0);
  EXPECT_EQ(answer.reached, "reaches 1|0,1");
}

TEST(Library, StepsOfProgramsHavePlaces) {
  const Answer answer = heddle::verify(Model::text("one.c",
                                                   "#include <assert.h>\nint x;\n"
                                                   "int main(void) {\n  x = 1;\n"
                                                   "  assert(x == 2);\n}\n"));
  ASSERT_EQ(answer.verdict, Verdict::Unsafe);
  ASSERT_FALSE(answer.trace.empty());
  ASSERT_TRUE(answer.trace[0].place);
  EXPECT_EQ(answer.trace[0].place->file, "one.c");
  EXPECT_EQ(answer.trace[0].place->line, 4);
  ASSERT_FALSE(answer.trace[0].changes.empty());
  EXPECT_EQ(answer.trace[0].changes[0].variable, "x");
  EXPECT_EQ(answer.trace[0].changes[0].value, "1");
  EXPECT_FALSE(answer.trace[0].changes[0].thread);
}

TEST(Library, NetsBuiltInCode) {
  Model net = Model::petri_net();
  const auto slots = net.place("slots", 2), items = net.place("items"),
             workers = net.place("workers", 1, true);
  net.transition({{slots, 1}, {workers, 1}}, {{items, 1}, {workers, 1}});
  EXPECT_EQ(heddle::verify(net, about("items>=3")).verdict, Verdict::Safe);
  EXPECT_EQ(heddle::verify(net, about("items>=2")).verdict, Verdict::Unsafe);
  EXPECT_NE(heddle::translate(net, "lola").find("slots"), std::string::npos);
}

TEST(Library, FilesLieBesideTexts) {
  Model model = Model::text("x.tts", "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n");
  model.add_text("x.prop", "1|1,1\n");
  EXPECT_EQ(heddle::verify(model).verdict, Verdict::Safe);
  Model program = Model::text("main.c", "#include \"f.h\"\nint main(void) { return f(1); }\n");
  program.add_text("f.h", "int f(int);\n")
      .add_text("f.c", "#include <assert.h>\nint f(int x) { assert(x == 2); return 0; }\n");
  Question here;
  here.set("I", ".");
  EXPECT_EQ(heddle::verify(program, here).verdict, Verdict::Unsafe);
  const std::string source = std::getenv("HEDDLE_SOURCE_DIR");
  EXPECT_EQ(heddle::verify(Model::file(source + "/examples/tutorial/lock.tts")).verdict,
            Verdict::Safe);
}

/// Nothing is passed over in silence: without its property, the question would be another one.
TEST(Library, NothingIsPutBesideFilesOfOthers) {
  const std::string source = std::getenv("HEDDLE_SOURCE_DIR");
  Model lock = Model::file(source + "/examples/tutorial/lock.tts");
  EXPECT_THROW(lock.add_text("lock.prop", "1|0\n"), std::invalid_argument);
  EXPECT_THROW(lock.add_file("/lock.prop"), std::invalid_argument);
  EXPECT_NO_THROW(lock.add_file("other.c"));
}

TEST(Library, BadEvidenceIsNamedAsSuch) {
  try {
    heddle::check(lock(), "{", about("1|1,1"));
    FAIL() << "a text that is no evidence was accepted";
  } catch (const heddle::Error& error) {
    EXPECT_EQ(error.kind(), HEDDLE_BAD_INPUT);
    EXPECT_EQ(std::string(error.what()).substr(0, 9), "evidence:");
  }
}

TEST(Library, Cutoffs) {
  const Answer answer = heddle::cutoff(lock());
  EXPECT_EQ(answer.verdict, Verdict::Cutoff);
  EXPECT_EQ(answer.cutoff, 2);
  EXPECT_EQ(answer.headline.substr(0, 9), "CUTOFF 2:");
}

TEST(Library, BoundsAreSaid) {
  const std::string source = std::getenv("HEDDLE_SOURCE_DIR");
  const Answer answer = heddle::verify(Model::file(source + "/examples/context/ping-pong.bp"),
                                       Question().set("contexts", "2"));
  EXPECT_EQ(answer.verdict, Verdict::SafeUpTo);
  EXPECT_EQ(answer.bound, "2 contexts");
}

TEST(Library, MistakesAreNamed) {
  try {
    heddle::verify(Model::text("bad.tts", "2 2\n0 0 -> 7 1\n"));
    FAIL() << "a text with a mistake was accepted";
  } catch (const heddle::Error& error) {
    EXPECT_EQ(error.kind(), HEDDLE_BAD_INPUT);
    EXPECT_EQ(std::string(error.what()).substr(0, 10), "bad.tts:2:");
  }
  try {
    heddle::verify(lock(), Question().set("targt", "1|1"));
    FAIL() << "an option that does not exist was accepted";
  } catch (const heddle::Error& error) {
    EXPECT_EQ(error.kind(), HEDDLE_WRONG_USAGE);
    EXPECT_NE(std::string(error.what()).find("did you mean '--target'"), std::string::npos);
  }
  EXPECT_THROW(Question().set("json"), std::invalid_argument);
  EXPECT_THROW(lock().step(0, 0, 2, 0), std::invalid_argument);
  EXPECT_THROW(lock().step(0, 2, 0, 0), std::invalid_argument);
  EXPECT_THROW(lock().place("p"), std::invalid_argument);
  EXPECT_THROW(Model::petri_net().place("two words"), std::invalid_argument);
  EXPECT_THROW(Model::petri_net().transition({{0, 1}}, {}), std::invalid_argument);
  EXPECT_THROW(heddle::verify(Model::text("../x.tts", "")), heddle::Error);
}

TEST(Library, NothingIsSaidAboutEvidenceThatNobodyAskedFor) {
  const Answer answer = heddle::verify(endless_net(), endless_question().set("timeout", "0.3s"));
  EXPECT_EQ(answer.verdict, Verdict::Unknown);
  EXPECT_FALSE(answer.evidence.json);
  EXPECT_EQ(answer.warnings, "");
  EXPECT_EQ(answer.json->find("is not written"), std::string::npos);
}

TEST(Library, LimitsEndInUnknown) {
  const auto start = steady_clock::now();
  const Answer answer = heddle::verify(endless_net(), endless_question().set("timeout", "0.5s"));
  EXPECT_EQ(answer.verdict, Verdict::Unknown);
  EXPECT_EQ(answer.reason, "time_limit");
  EXPECT_LT(seconds_since(start), 20);  // a loaded machine; without the limit it takes minutes
}

TEST(Library, ProgressIsHeardAndCancels) {
  int events = 0;
  bool named = false;
  Question question = endless_question();
  question.on_progress([&](const heddle::Event* event) {
    if (!event) return true;
    named = named || (!event->engine.empty() && !event->phase.empty());
    return ++events < 3;
  });
  const Answer answer = heddle::verify(endless_net(), question);
  EXPECT_EQ(answer.reason, "cancelled");
  EXPECT_EQ(events, 3);
  EXPECT_TRUE(named);
}

TEST(Library, AnExceptionOfTheListenerIsThrown) {
  Question question = endless_question();
  question.on_progress([](const heddle::Event*) -> bool { throw std::runtime_error("enough"); });
  EXPECT_THROW(heddle::verify(endless_net(), question), std::runtime_error);
}

TEST(Library, AnotherThreadCancels) {
  Question question = endless_question();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    question.cancel();
  });
  const Answer answer = heddle::verify(endless_net(), question);
  other.join();
  EXPECT_EQ(answer.verdict, Verdict::Unknown);
  EXPECT_EQ(answer.reason, "cancelled");
  EXPECT_TRUE(answer.json) << "the program should have reported by itself";
  // The next question is a new one.
  EXPECT_EQ(heddle::verify(endless_net(), question.set("timeout", "0.2s")).reason, "time_limit");
}

/// However fast the answer would have been.
TEST(Library, CancelledBeforeItIsAsked) {
  for (int i = 0; i < 20; ++i) {
    Question question = about("1|1,1");
    question.cancel();
    const Answer answer = heddle::verify(lock(), question);
    EXPECT_EQ(answer.verdict, Verdict::Unknown);
    EXPECT_EQ(answer.reason, "cancelled");
    EXPECT_EQ(heddle::verify(lock(), question).verdict, Verdict::Safe) << "only once";
  }
  Question unwilling = about("1|1,1");
  unwilling.on_progress([](const heddle::Event*) { return false; });
  EXPECT_EQ(heddle::verify(lock(), unwilling).reason, "cancelled");
}

TEST(Library, ThreadsAskAtTheSameTime) {
  std::vector<Verdict> verdicts(4, Verdict::Unknown);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    threads.emplace_back([&verdicts, i] {
      verdicts[i] = heddle::verify(lock(), about(i % 2 == 0 ? "1|1,1" : "1|1")).verdict;
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    EXPECT_EQ(verdicts[i], i % 2 == 0 ? Verdict::Safe : Verdict::Unsafe);
}

TEST(Library, WithoutTheProgramItSaysSo) {
  setenv("HEDDLE_PROGRAM", "/nowhere/heddle", 1);
  try {
    heddle::verify(lock());
    ADD_FAILURE() << "answered without a program";
  } catch (const heddle::Error& error) {
    EXPECT_EQ(error.kind(), HEDDLE_NO_PROGRAM);
  }
  unsetenv("HEDDLE_PROGRAM");
}

TEST(Library, Pictures) {
  EXPECT_NE(heddle::show(lock()).find("<svg"), std::string::npos);
  const Answer answer = heddle::verify(lock(), about("1|1,0"));
  EXPECT_NE(heddle::show(lock(), *answer.evidence.json, about("1|1,0")).find("<svg"),
            std::string::npos);
}

}  // namespace
