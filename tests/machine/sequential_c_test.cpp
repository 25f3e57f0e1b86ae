/// C programs with threads as sequential ones: within the same contexts both fail or neither does.
/// The truth is that of a naive oracle; the sequential program is compiled and executed for all its
/// choices, and read by our own front end and explored.

#include "transform/sequential_c/sequential_c.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "engine/explore/explore.hpp"
#include "frontend/c/read.hpp"
#include "sequential_driver.hpp"
#include "support/c_context_oracle.hpp"
#include "transform/sequential_c/quiet.hpp"

namespace heddle::testing::c {
namespace {

using transform::SequentialCOptions;

/// Two threads beside main, over two small numbers, a mutex, and maybe pointers and objects.
class SmallThreads {
 public:
  explicit SmallThreads(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    uses_pointers_ = below(3) == 0;
    std::string text =
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
        "extern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\n"
        "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n"
        "unsigned char x, y, a[2];\nunsigned char *p = &x;\n"
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t c;\n";
    const int threads = 1 + below(2);
    for (int i = 0; i < threads; ++i) {
      text += "void *thread" + std::to_string(i) + "(void *unused) {\n";
      for (int j = 1 + below(threads == 1 ? 3 : 2); j > 0; --j) statement(text);
      text += "  return unused;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[2];\n";
    for (int i = 0; i < threads; ++i)
      text += "  pthread_create(&t[" + std::to_string(i) + "], 0, thread" + std::to_string(i) + ", 0);\n";
    if (below(2) == 0) statement(text);
    for (int i = 0; i < threads; ++i)
      if (below(3) != 0) text += "  pthread_join(t[" + std::to_string(i) + "], 0);\n";
    return text + "  assert(!(x == " + number(4) + (below(2) == 0 ? " && y == " + number(3) : "") +
           "));\n  return 0;\n}\n";
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  std::string variable() { return below(2) == 0 ? "x" : "y"; }
  std::string number(int bound) { return std::to_string(below(bound)); }
  void statement(std::string& text) {
    const std::string v = variable();
    const std::string w = variable();
    if (uses_pointers_ && below(2) == 0) {
      switch (below(4)) {
        case 0: text += "  *p = *p + 1;\n"; return;
        case 1: text += "  p = &y;\n"; return;
        case 2: text += "  a[" + v + " & 1] = 1; " + w + " = a[0];\n"; return;
        default:
          text += "  { unsigned char *q = malloc(1); *q = " + v + " + 1; " + w + " = *q; free(q); }\n";
          return;
      }
    }
    switch (below(12)) {
      case 0: text += "  " + v + " = " + number(3) + ";\n"; return;
      case 1: text += "  " + v + " = " + v + " + 1;\n"; return;
      case 2:
        text += "  pthread_mutex_lock(&m); " + v + " = " + w + " + 1; pthread_mutex_unlock(&m);\n";
        return;
      case 3: text += "  if (" + v + " == " + number(3) + ") " + w + " = " + number(3) + ";\n"; return;
      case 4:
        text += "  __VERIFIER_atomic_begin(); " + v + " = " + w + " + 1; __VERIFIER_atomic_end();\n";
        return;
      case 5: text += "  __atomic_fetch_add(&" + v + ", 1, __ATOMIC_SEQ_CST);\n"; return;
      case 6:
        text += "  if (pthread_mutex_trylock(&m) == 0) { " + v + " = 2; pthread_mutex_unlock(&m); }\n";
        return;
      case 8: text += "  __VERIFIER_assume(" + v + " == " + number(2) + ");\n"; return;
      case 9: text += "  pthread_mutex_unlock(&m);\n"; return;
      case 10: text += "  pthread_mutex_lock(&m); " + v + " = 3;\n"; return;
      case 7: text += "  if (__VERIFIER_nondet_bool()) " + v + " = 1;\n"; return;
      default:
        text += "  pthread_mutex_lock(&m); if (" + v + " == 0) pthread_cond_wait(&c, &m); " + w +
                " = 3; pthread_mutex_unlock(&m);\n";
    }
  }
  std::mt19937 random_;
  bool uses_pointers_ = false;
};

constexpr std::uint64_t kMostStates = 300'000;
constexpr std::uint64_t kMostExplored = 2'000;
constexpr std::uint64_t kMostPairs = 10'000;

model::c::Program read(const std::string& text) {
  const frontend::SourceText source{"program.c", text};
  auto program = frontend::c::read_c({&source, 1}, {});
  if (!program) throw std::runtime_error(base::render(program.error()));
  return std::move(*program);
}

/// What our own exploration says about a sequential program; none if it does not know.
std::optional<bool> explored(const std::string& text) {
  const model::c::Program program = read(text);
  base::Limits limits;
  limits.steps = kMostExplored;
  base::RunContext context(limits);
  engine::explore::ExploreOptions options;
  const auto result =
      engine::explore::explore(program, model::c::Property::Reach, options, context);
  if (result.verdict == engine::explore::ExploreVerdict::Safe) return false;
  if (result.verdict == engine::explore::ExploreVerdict::Unsafe) return true;
  return std::nullopt;
}

class SequentialC : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!frontend::c::can_read_c()) GTEST_SKIP() << "this build does not read C";
    folder_ = std::filesystem::temp_directory_path() / ("heddle_sequential_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty() && !HasFailure()) std::filesystem::remove_all(folder_);
  }

  /// Both ways, within so many contexts. Counts what could be decided.
  void expect_agreement(const std::string& text, std::uint32_t contexts, bool reduces) {
    const model::c::Program program = read(text);
    const COracleAnswer truth =
        ContextOracle(program, model::c::Property::Reach, contexts).ask(kMostStates);
    if (!truth.is_complete) return;
    SequentialCOptions options;
    options.contexts = contexts;
    base::Limits limits;
    limits.steps = kMostPairs;
    base::RunContext context(limits);
    transform::sequential_c::QuietAccesses quiet;
    if (reduces) quiet = transform::sequential_c::quiet_accesses(program, context);
    quiet_ += quiet.size();
    options.is_quiet = [&](model::c::FunctionId function, model::c::Location at) {
      return quiet.contains({function, at});
    };
    const auto made = transform::sequentialise(program, model::c::Property::Reach, options);
    ASSERT_TRUE(made) << made.error().why << "\n" << text;
    const auto ran = enumerate(made->text, folder_.string());
    ASSERT_TRUE(ran) << "in " << folder_ << "\n" << text;
    if (*ran != Enumerated::TooMany) {
      EXPECT_EQ(*ran == Enumerated::Fails, truth.is_violated)
          << contexts << " contexts, compiled, in " << folder_ << "\n" << text;
      ++(truth.is_violated ? failing_ : safe_);
    }
    const auto found = explored(made->text);
    if (!found) return;
    EXPECT_EQ(*found, truth.is_violated) << contexts << " contexts, explored\n" << text;
    ++explored_;
  }

  std::filesystem::path folder_;
  std::size_t failing_ = 0, safe_ = 0, explored_ = 0, quiet_ = 0;
};

TEST_F(SequentialC, FailsExactlyIfThreadsCanFailWithinTheContexts) {
  const char* more = std::getenv("HEDDLE_SEQUENTIAL_PROGRAMS");
  const int programs = more != nullptr ? std::atoi(more) : 24;
  for (int seed = 0; seed < programs && !HasFailure(); ++seed) {
    const std::string text = SmallThreads(static_cast<std::uint32_t>(seed)).program();
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_agreement(text, 1 + static_cast<std::uint32_t>(seed) % 3, seed % 2 == 0);
  }
  std::printf("%zu fail, %zu are safe, %zu explored, %zu quiet\n", failing_, safe_, explored_, quiet_);
  EXPECT_GT(failing_, static_cast<std::size_t>(programs) / 8);
  EXPECT_GT(safe_, static_cast<std::size_t>(programs) / 8);
  EXPECT_GT(explored_, static_cast<std::size_t>(programs) / 8);
}

}  // namespace
}  // namespace heddle::testing::c
