/// Random programs with threads, explored with and without reduction and executed many times: what
/// the machine does is among what the exploration sees.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>

#include "engine/explore/explore.hpp"
#include "frontend/c/read.hpp"
#include "support/c_oracle.hpp"

namespace heddle::testing::c {
namespace {

using namespace heddle::model::c;

/// Two or three threads over atomic variables x, y, z, two mutexes and a condition variable.
class ThreadsGenerator {
 public:
  explicit ThreadsGenerator(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    std::string text = R"(
#include <pthread.h>
#ifdef HEDDLE_NATIVE
#include <stdio.h>
#include <sched.h>
#else
#define sched_yield() ((void)0)
#endif
int x, y, z, flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#define LOAD(v) __atomic_load_n(&v, __ATOMIC_SEQ_CST)
#define STORE(v, e) __atomic_store_n(&v, e, __ATOMIC_SEQ_CST)
)";
    const int threads = 2 + below(2);
    for (int i = 0; i < threads; ++i) {
      text += "void *thread" + std::to_string(i) + "(void *unused) {\n  int a = 0;\n";
      const int statements = threads == 2 ? 4 : 2;
      for (int j = 0; j < statements; ++j) statement(text);
      if (i == 0)
        text +=
            "  pthread_mutex_lock(&m); flag = 1; pthread_cond_broadcast(&c); "
            "pthread_mutex_unlock(&m);\n";
      text += "  return 0;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[3];\n";
    for (int i = 0; i < threads; ++i) {
      const std::string number = std::to_string(i);
      text += "  pthread_create(&t[" + number + "], 0, thread" + number + ", 0);\n";
    }
    text +=
        "  pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m); "
        "x += 100; pthread_mutex_unlock(&m);\n";
    for (int i = 0; i < threads; ++i) {
      text += "  pthread_join(t[" + std::to_string(i) + "], 0);\n";
    }
    return text +
           "#ifdef HEDDLE_NATIVE\n  printf(\"%d %d %d\\n\", x, y, z);\n#endif\n"
           "  return 0;\n}\n";
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  std::string variable() { return std::string(1, static_cast<char>('x' + below(3))); }
  void statement(std::string& text) {
    const std::string v = variable();
    const std::string w = variable();
    switch (below(7)) {
      case 0: text += "  a = LOAD(" + v + ");\n"; break;
      case 1: text += "  STORE(" + v + ", a + " + std::to_string(below(3)) + ");\n"; break;
      case 2: text += "  a += __atomic_fetch_add(&" + v + ", 1, __ATOMIC_SEQ_CST);\n"; break;
      case 3:
        text += "  pthread_mutex_lock(&n); STORE(" + v + ", LOAD(" + v +
                ") + 1); pthread_mutex_unlock(&n);\n";
        break;
      case 4: text += "  if (LOAD(" + v + ") > a) STORE(" + w + ", 7);\n"; break;
      case 5:
        text += "  for (int i = 0; i < 2; ++i) { sched_yield(); STORE(" + v + ", LOAD(" + w +
                ") + 1); }\n";
        break;
      default:
        text += "  { int expected = a; __atomic_compare_exchange_n(&" + v +
                ", &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); a = expected; }\n";
    }
  }
  std::mt19937 random_;
};

constexpr std::uint64_t kMostOracleStates = 60'000;

using Outcomes = std::set<std::array<std::int32_t, 3>>;

/// What x, y and z are in a final state; none if it is not the end of the program.
std::optional<std::array<std::int32_t, 3>> outcome_of(const Interpreter& interpreter,
                                                      const State& state) {
  const ThreadId entry(0u);
  if (!state.thread(entry).is_live() ||
      !std::holds_alternative<Exit>(interpreter.next(state, entry).effect)) {
    return std::nullopt;
  }
  std::array<std::int32_t, 3> outcome{};
  const Program& program = interpreter.program();
  for (std::size_t i = 0; i < program.globals.size(); ++i) {
    const std::string& name = program.globals[i].name;
    if (name.size() != 1 || name[0] < 'x') continue;
    const std::uint64_t address = interpreter.addresses().of_global(GlobalId(i));
    outcome[static_cast<std::size_t>(name[0] - 'x')] =
        static_cast<std::int32_t>(state.memory.load(address, 4).value);
  }
  return outcome;
}

Outcomes explored(const Program& program, bool reduces) {
  Outcomes seen;
  const Interpreter interpreter(program);
  engine::explore::ExploreOptions options;
  options.reduces = reduces;
  options.on_final = [&](const State& state) {
    if (const auto outcome = outcome_of(interpreter, state)) seen.insert(*outcome);
  };
  base::RunContext context;
  const auto result = engine::explore::explore(program, Property::NoOverflow, options, context);
  EXPECT_EQ(result.verdict, engine::explore::ExploreVerdict::Safe) << result.why;
  return seen;
}

/// By the oracle, if the program is small enough for it.
std::optional<Outcomes> true_outcomes(const Program& program) {
  Outcomes seen;
  const Interpreter interpreter(program);
  const COracleAnswer answer =
      COracle(program, Property::NoOverflow).ask(kMostOracleStates, [&](const State& state) {
        if (const auto outcome = outcome_of(interpreter, state)) seen.insert(*outcome);
      });
  return answer.is_complete ? std::optional(seen) : std::nullopt;
}

Outcomes executed(const std::string& text, int times) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("heddle_threads_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string source = (folder / "program.c").string();
  const std::string binary = (folder / "program").string();
  std::ofstream(source) << text;
  EXPECT_EQ(
      std::system(("gcc -w -O1 -pthread -DHEDDLE_NATIVE -o " + binary + " " + source).c_str()), 0);
  const std::string loop = "for i in $(seq " + std::to_string(times) + "); do " + binary + "; done";
  Outcomes seen;
  FILE* pipe = popen(loop.c_str(), "r");
  std::array<std::int32_t, 3> outcome{};
  while (pipe != nullptr &&
         std::fscanf(pipe, "%d %d %d", &outcome[0], &outcome[1], &outcome[2]) == 3) {
    seen.insert(outcome);
  }
  EXPECT_TRUE(pipe != nullptr && pclose(pipe) == 0);
  std::filesystem::remove_all(folder);
  return seen;
}

TEST(CMachine, ThreadsDoWhatTheExplorationSees) {
  if (!frontend::c::can_read_c()) GTEST_SKIP() << "this build does not read C";
  const char* more = std::getenv("HEDDLE_THREAD_PROGRAMS");
  const int programs = more != nullptr ? std::atoi(more) : 6;
  std::size_t native = 0;
  std::size_t several = 0;
  std::size_t decided = 0;
  for (int seed = 0; seed < programs; ++seed) {
    const std::string text = ThreadsGenerator(static_cast<std::uint32_t>(seed)).program();
    const frontend::SourceText source{"program.c", text};
    const auto program = frontend::c::read_c({&source, 1}, {});
    ASSERT_TRUE(program) << program.error().front().message;
    const Outcomes all = explored(*program, true);
    EXPECT_EQ(all, explored(*program, false)) << "seed " << seed << "\n" << text;
    if (const auto truth = true_outcomes(*program)) {
      EXPECT_EQ(all, *truth) << "seed " << seed << "\n" << text;
      ++decided;
    }
    several += all.size() > 1 ? 1 : 0;
    for (const auto& outcome : executed(text, 40)) {
      EXPECT_TRUE(all.contains(outcome))
          << "seed " << seed << ": the machine ends with x = " << outcome[0]
          << ", y = " << outcome[1] << ", z = " << outcome[2] << "\n"
          << text;
      ++native;
    }
  }
  EXPECT_GE(native, static_cast<std::size_t>(programs));
  EXPECT_GT(decided, 0u);
  EXPECT_GT(several, static_cast<std::size_t>(programs) / 2);
}

}  // namespace
}  // namespace heddle::testing::c
