/// Limits hold for whole commands, reading included. The inputs here never end: a pipe that nobody
/// writes to takes all time, /dev/zero takes all memory.

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "cli/binary.hpp"
#include "cli/schema.hpp"
#include "support/sanitized.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kTimeout = "0.3";
/// A tenth of a second is for starting the program; sanitizers need more.
constexpr double kLatest = test::kAddressSanitizer ? 3 : 0.7;

/// The parent of a process; 0 if there is no such process.
int parent_of(int id) {
  std::ifstream in("/proc/" + std::to_string(id) + "/stat");
  std::string stat{std::istreambuf_iterator<char>(in), {}};
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  char state = 0;
  int parent = 0;
  std::istringstream(stat.substr(name_end + 1)) >> state >> parent;
  return parent;
}

std::optional<int> child_of(int id) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const int candidate = std::atoi(entry.path().filename().c_str());
    if (candidate > 1 && parent_of(candidate) == id) return candidate;
  }
  return std::nullopt;
}

/// Waits until the process has a child, and returns it. Never a number that kill(2) would take for
/// more than one process.
int worker_of(int id) {
  for (int i = 0; i < 1000; ++i) {
    if (const auto child = child_of(id)) return *child;
    std::this_thread::sleep_for(milliseconds(5));
  }
  throw std::runtime_error("process " + std::to_string(id) + " should have a child");
}

class LimitsTest : public BinaryTest {
 protected:
  LimitsTest() {
    write("lock.tts", kLock);
    write("endless.spec", kEndlessNet);
    heddle({"verify", "lock.tts", "--target", "2|4,4", "--evidence", "trace.json"});
    EXPECT_EQ(mkfifo((folder() / "pipe.tts").c_str(), 0600), 0);
  }

  /// Runs the command with a time limit and expects it to end soon after, with exit code 20.
  Outcome out_of_time(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--timeout", kTimeout});
    const auto start = steady_clock::now();
    Outcome outcome = heddle(arguments);
    const double seconds = duration<double>(steady_clock::now() - start).count();
    EXPECT_EQ(outcome.code, 20) << arguments[0] << ": " << outcome.err;
    EXPECT_GE(seconds, 0.3) << arguments[0];
    EXPECT_LE(seconds, kLatest) << arguments[0];
    return outcome;
  }

  static json schema(const std::string& name) {
    const char* source = std::getenv("HEDDLE_SOURCE_DIR");
    std::ifstream in(std::string(source ? source : ".") + "/docs/" + name + ".schema.json");
    return json::parse(in);
  }

  /// Processes that have the folder as their own.
  std::vector<std::string> survivors() const {
    std::vector<std::string> out;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc"))
      if (std::filesystem::read_symlink(entry.path() / "cwd", error) ==
          std::filesystem::canonical(folder()))
        out.push_back(entry.path().filename().string());
    return out;
  }

  void expect_no_survivors() const {
    for (int i = 0; i < 1000 && !survivors().empty(); ++i)
      std::this_thread::sleep_for(milliseconds(5));
    EXPECT_THAT(survivors(), IsEmpty());
  }
};

TEST_F(LimitsTest, ReadingTakesTime) {
  EXPECT_THAT(out_of_time({"verify", "pipe.tts"}).out,
              StartsWith("UNKNOWN: the time limit was reached"));
  EXPECT_THAT(out_of_time({"verify", "lock.tts", "--property", "pipe.tts"}).out,
              StartsWith("UNKNOWN: the time limit was reached"));
  EXPECT_THAT(out_of_time({"cutoff", "pipe.tts"}).out,
              StartsWith("UNKNOWN: the time limit was reached"));
  EXPECT_THAT(out_of_time({"check", "pipe.tts", "trace.json"}).out, StartsWith("NOT CHECKED"));
  EXPECT_THAT(out_of_time({"check", "lock.tts", "pipe.tts"}).out, StartsWith("NOT CHECKED"));
}

TEST_F(LimitsTest, CommandsWithoutAnAnswerComplain) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"translate", "pipe.tts", "--to", "spec"},
        {"translate", "pipe.tts", "-o", "out.spec"},
        {"show", "pipe.tts"},
        {"show", "lock.tts", "pipe.tts"},
        {"replay", "pipe.tts", "trace.json"},
        {"replay", "pipe.tts", "trace.json", "--all"},
        {"replay", "lock.tts", "pipe.tts"}}) {
    const Outcome outcome = out_of_time(arguments);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("took too long"));
  }
  EXPECT_FALSE(exists("out.spec"));
}

TEST_F(LimitsTest, TheAnswerWithoutAModelFitsTheSchema) {
  const json verified = json::parse(out_of_time({"verify", "pipe.tts", "--json"}).out);
  EXPECT_EQ(violation(schema("answer"), verified), "");
  EXPECT_EQ(verified["reason"], "time_limit");
  EXPECT_EQ(verified["question"]["file"], "pipe.tts");
  EXPECT_EQ(verified["question"]["model"], nullptr);
  const json cutoff = json::parse(out_of_time({"cutoff", "pipe.tts", "--json"}).out);
  EXPECT_EQ(violation(schema("cutoff"), cutoff), "");
  EXPECT_EQ(cutoff["reason"], "time_limit");
  const json checked = json::parse(out_of_time({"check", "lock.tts", "pipe.tts", "--json"}).out);
  EXPECT_EQ(violation(schema("answer"), checked), "");
  EXPECT_EQ(checked["evidence"]["status"], "not_checked");
}

TEST_F(LimitsTest, ReadingTakesMemory) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "data limits do not go with address sanitizing";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"verify", "/dev/zero", "--format", "tts", "--json"},
        {"cutoff", "/dev/zero", "--format", "tts", "--json"},
        {"check", "lock.tts", "/dev/zero", "--json"}}) {
    std::vector<std::string> limited = arguments;
    limited.insert(limited.end(), {"--memory", "60"});
    const Outcome outcome = heddle(limited);
    EXPECT_EQ(outcome.code, 20) << arguments[0];
    const json answer = json::parse(outcome.out);
    EXPECT_EQ(answer["reason"], "memory_limit") << arguments[0];
    EXPECT_LT(answer["peak_memory_mb"], 80) << arguments[0];
  }
}

TEST_F(LimitsTest, ThePreprocessorOfCTakesMemory) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "data limits do not go with address sanitizing";
  std::string text = "#define A0 x + x\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "A" + std::to_string(i - 1);
    text += "#define A" + std::to_string(i) + " " + last + " + " + last + "\n";
  }
  write("macros.c", text + "int x;\nint main(void) { return A39; }\n");
  for (const char* megabytes : {"150", "200", "300"}) {  // allocations of different parts fail
    const Outcome outcome = heddle({"verify", "macros.c", "--json", "--memory", megabytes});
    EXPECT_EQ(outcome.code, 20) << megabytes;
    EXPECT_EQ(json::parse(outcome.out)["reason"], "memory_limit") << megabytes;
  }
}

TEST_F(LimitsTest, AHeaderIsNoReasonToTakeMemory) {
  write("huge.tts", "4294967295 4294967295\n0 0 -> 1 1\n");
  EXPECT_EQ(heddle({"translate", "huge.tts", "--to", "tts", "--memory", "60"}).code, 0);
  if (test::kAddressSanitizer) GTEST_SKIP() << "data limits do not go with address sanitizing";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"verify", "huge.tts", "--target", "1|1", "--json"},
        {"verify", "huge.tts", "--target", "1|1", "--via", "net", "--json"},
        {"cutoff", "huge.tts", "--json"}}) {
    std::vector<std::string> limited = arguments;
    limited.insert(limited.end(), {"--memory", "60"});
    const Outcome outcome = heddle(limited);
    EXPECT_EQ(outcome.code, 20) << outcome.out;
    EXPECT_EQ(json::parse(outcome.out)["reason"], "memory_limit");
  }
}

TEST_F(LimitsTest, ATableOfCutoffsHasARowForAFileThatCannotBeRead) {
  write("published.tsv", "pipe.tts\t1\t2\t3\t4\t5\t6\t7.5\nlock.tts\t1\t2\t3\t4\t5\t6\t7.5\n");
  const Outcome outcome =
      heddle({"bench", ".", "--cutoffs", "published.tsv", "--timeout", kTimeout});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("| | translated | | | | – | – | – | time_limit |\n"));
  EXPECT_THAT(outcome.out, HasSubstr("| | net itself | 3 | 5 | 5 | "));
}

TEST_F(LimitsTest, NothingIsWrittenWithoutAnAnswer) {
  write("e.json", "as it was");
  out_of_time({"verify", "pipe.tts", "--evidence", "e.json"});
  EXPECT_EQ(read("e.json"), "as it was");
  EXPECT_EQ(file_count(), 5u);
}

TEST_F(LimitsTest, APausedWorkerIsNoExcuse) {
  const auto pause_worker = [](int id) { kill(worker_of(id), SIGSTOP); };
  const Outcome outcome = heddle(
      {"verify", "endless.spec", "--engine", "backward", "--timeout", kTimeout}, pause_worker);
  EXPECT_EQ(outcome.code, 20);
  EXPECT_THAT(outcome.out, StartsWith("UNKNOWN: the time limit was reached"));
  expect_no_survivors();
}

TEST_F(LimitsTest, APausedEngineIsNoExcuse) {
  const auto pause_engine = [](int id) { kill(worker_of(worker_of(id)), SIGSTOP); };
  const Outcome outcome = heddle(
      {"verify", "endless.spec", "--engine", "backward", "--timeout", kTimeout}, pause_engine);
  EXPECT_EQ(outcome.code, 20);
  EXPECT_THAT(outcome.out, HasSubstr("(backward, "));
  expect_no_survivors();
}

TEST_F(LimitsTest, AnInterruptEndsTheReading) {
  const auto interrupt = [](int id) {
    worker_of(id);
    kill(id, SIGTERM);
  };
  const Outcome verified = heddle({"verify", "pipe.tts"}, interrupt);
  EXPECT_EQ(verified.code, 128 + SIGTERM);
  EXPECT_THAT(verified.out, StartsWith("UNKNOWN: the run was stopped"));
  EXPECT_EQ(heddle({"translate", "pipe.tts", "--to", "spec"}, interrupt).code, 128 + SIGTERM);
  EXPECT_EQ(heddle({"replay", "pipe.tts", "trace.json"}, interrupt).code, 128 + SIGTERM);
  expect_no_survivors();
}

TEST_F(LimitsTest, ASecondInterruptEndsAPausedWorkerAtOnce) {
  // Shells start jobs in the background with interrupts ignored, which programs inherit and
  // respect.
  signal(SIGINT, SIG_DFL);
  const auto interrupt_twice = [](int id) {
    kill(worker_of(id), SIGSTOP);
    kill(id, SIGINT);
    std::this_thread::sleep_for(milliseconds(20));
    kill(id, SIGINT);
  };
  const Outcome outcome =
      heddle({"verify", "endless.spec", "--engine", "backward", "--json"}, interrupt_twice);
  EXPECT_EQ(outcome.code, 128 + SIGINT);
  EXPECT_EQ(json::parse(outcome.out)["reason"], "cancelled");
  expect_no_survivors();
}

TEST_F(LimitsTest, AWorkerThatCrashesIsAnInternalError) {
  const auto crash = [](int id) { kill(worker_of(id), SIGSEGV); };
  const Outcome outcome = heddle({"verify", "pipe.tts", "--json"}, crash);
  EXPECT_EQ(outcome.code, 70);
  EXPECT_THAT(outcome.err, HasSubstr("internal error: killed by signal 11 (SIGSEGV)"));
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(violation(schema("answer"), answer), "");
  EXPECT_EQ(answer["reason"], "engine_failed");
}

TEST_F(LimitsTest, NobodySurvivesHeddle) {
  const auto kill_it = [](int id) {
    worker_of(worker_of(id));
    kill(id, SIGKILL);
  };
  EXPECT_EQ(heddle({"verify", "endless.spec", "--engine", "backward"}, kill_it).code,
            128 + SIGKILL);
  expect_no_survivors();
  const auto kill_worker = [](int id) {
    worker_of(worker_of(id));
    kill(worker_of(id), SIGKILL);
  };
  EXPECT_EQ(heddle({"verify", "endless.spec", "--engine", "backward"}, kill_worker).code, 20);
  EXPECT_THAT(survivors(), IsEmpty()) << "all are reaped before the end";
}

}  // namespace
}  // namespace heddle::cli
