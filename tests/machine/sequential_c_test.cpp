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
      text += "  pthread_create(&t[" + std::to_string(i) + "], 0, thread" + std::to_string(i) +
              ", 0);\n";
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
          text +=
              "  { unsigned char *q = malloc(1); *q = " + v + " + 1; " + w + " = *q; free(q); }\n";
          return;
      }
    }
    switch (below(12)) {
      case 0: text += "  " + v + " = " + number(3) + ";\n"; return;
      case 1: text += "  " + v + " = " + v + " + 1;\n"; return;
      case 2:
        text += "  pthread_mutex_lock(&m); " + v + " = " + w + " + 1; pthread_mutex_unlock(&m);\n";
        return;
      case 3:
        text += "  if (" + v + " == " + number(3) + ") " + w + " = " + number(3) + ";\n";
        return;
      case 4:
        text +=
            "  __VERIFIER_atomic_begin(); " + v + " = " + w + " + 1; __VERIFIER_atomic_end();\n";
        return;
      case 5: text += "  __atomic_fetch_add(&" + v + ", 1, __ATOMIC_SEQ_CST);\n"; return;
      case 6:
        text +=
            "  if (pthread_mutex_trylock(&m) == 0) { " + v + " = 2; pthread_mutex_unlock(&m); }\n";
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
    folder_ =
        std::filesystem::temp_directory_path() / ("heddle_sequential_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty() && !HasFailure()) std::filesystem::remove_all(folder_);
  }

  struct Asked {
    std::uint32_t contexts = 2;
    bool reduces = true;
    model::c::Property property = model::c::Property::Reach;
    std::optional<std::uint32_t> unroll = std::nullopt;
  };

  /// By the oracle, compiled and, if so, explored. What could be decided is counted. The answer is
  /// whether threads can fail, if that is known.
  std::optional<bool> expect_agreement(const std::string& text, const Asked& asked,
                                       bool explores = false) {
    const model::c::Program program = read(text);
    const COracleAnswer truth =
        ContextOracle(program, asked.property, asked.contexts).ask(kMostStates);
    if (!truth.is_complete && !truth.is_violated) return std::nullopt;
    compare(text, program, asked, explores, truth.is_violated);
    return truth.is_violated;
  }

  void compare(const std::string& text, const model::c::Program& program, const Asked& asked,
               bool explores, bool fails) {
    SequentialCOptions options;
    options.contexts = asked.contexts;
    options.unroll = asked.unroll;
    base::Limits limits;
    limits.steps = kMostPairs;
    base::RunContext context(limits);
    transform::sequential_c::QuietAccesses quiet;
    if (asked.reduces) quiet = transform::sequential_c::quiet_accesses(program, context);
    quiet_ += quiet.size();
    options.is_quiet = [&](model::c::FunctionId function, model::c::Location at) {
      return quiet.contains({function, at});
    };
    const auto made = transform::sequentialise(program, asked.property, options);
    ASSERT_TRUE(made) << made.error().why << "\n" << text;
    const auto ran = enumerate(made->text, folder_.string());
    ASSERT_TRUE(ran) << "in " << folder_ << "\n" << text;
    if (*ran != Enumerated::TooMany) {
      EXPECT_EQ(*ran == Enumerated::Fails, fails)
          << asked.contexts << " contexts, compiled, in " << folder_ << "\n"
          << text;
      ++(fails ? failing_ : safe_);
    }
    const auto found = explores ? explored(made->text) : std::nullopt;
    if (!found) return;
    EXPECT_EQ(*found, fails) << asked.contexts << " contexts, explored\n" << text;
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
    Asked asked;
    asked.contexts = 1 + static_cast<std::uint32_t>(seed) % 3;
    asked.reduces = seed % 2 == 0;
    expect_agreement(text, asked, true);
  }
  std::printf("%zu fail, %zu are safe, %zu explored, %zu quiet\n", failing_, safe_, explored_,
              quiet_);
  EXPECT_GT(failing_, static_cast<std::size_t>(programs) / 8);
  EXPECT_GT(safe_, static_cast<std::size_t>(programs) / 8);
  EXPECT_GT(explored_, static_cast<std::size_t>(programs) / 8);
}

/// Programs that fail, or not, by what they are named after; the number says within how many
/// contexts, 0: not within three.
struct Construct {
  const char* name;
  const char* text;
  std::uint32_t fails_within;
  std::optional<std::uint32_t> unroll = std::nullopt;
};

constexpr const char* kHeaders =
    "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n"
    "#include <string.h>\nextern void __VERIFIER_assume(int);\n";

const Construct kConstructs[] = {
    {"heap objects that are handed over", R"(
struct node { unsigned char value; struct node *next; };
struct node *head;
void *push(void *u) { struct node *n = malloc(sizeof *n); n->value = 1; n->next = head; head = n; return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, push, 0); struct node *n = malloc(sizeof *n);
  n->value = 2; n->next = head; head = n; pthread_join(t, 0); assert(head->next != 0); return 0; })",
     2},
    {"variables on the stack of others", R"(
void *add(void *to) { ++*(unsigned char *)to; return 0; }
int main(void) { unsigned char sum = 0; pthread_t t; pthread_create(&t, 0, add, &sum);
  pthread_join(t, 0); assert(sum == 0); return 0; })",
     2},
    {"results of threads", R"(
void *give(void *what) { return what; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, give, (void *)7); pthread_join(t, &r);
  assert((long)r != 7); return 0; })",
     2},
    {"threads that create threads", R"(
unsigned char x;
void *second(void *u) { x = x + 1; return u; }
void *first(void *u) { pthread_t t; pthread_create(&t, 0, second, 0); x = x + 1; return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, first, 0); assert(x != 2); return 0; })",
     2},
    {"loops that create threads", R"(
unsigned char x;
void *add(void *u) { __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST); return u; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0); assert(x == 2); return 0; })",
     0, 2},
    {"mutexes that others release", R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; unsigned char x;
void *release(void *u) { x = 1; pthread_mutex_unlock(&m); return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, release, 0); __VERIFIER_assume(x == 1);
  pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(x == 0); return 0; })",
     3},
    {"recursive mutexes", R"(
pthread_mutex_t m; unsigned char x;
void *work(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); ++x; pthread_mutex_unlock(&m);
  --x; pthread_mutex_unlock(&m); return u; }
int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a); pthread_t t;
  pthread_create(&t, 0, work, 0); pthread_mutex_lock(&m); assert(x == 0); return 0; })",
     0},
    {"semaphores", R"(
sem_t s; unsigned char x;
void *post(void *u) { x = 1; sem_post(&s); return u; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, post, 0); sem_wait(&s);
  assert(x == 0); return 0; })",
     2},
    {"thread-local variables", R"(
_Thread_local unsigned char own = 3; unsigned char seen;
void *work(void *u) { own = own + 1; seen = own; return u; }
int main(void) { pthread_t t; own = 9; pthread_create(&t, 0, work, 0); pthread_join(t, 0);
  assert(seen != 4); assert(own == 9); return 0; })",
     2},
    {"calls through pointers", R"(
unsigned char x;
void one(void) { x = 1; }
void two(void) { x = 2; }
void (*volatile f)(void) = one;
void *change(void *u) { f = two; return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, change, 0); pthread_join(t, 0); f(); assert(x != 2); return 0; })",
     2},
    {"casts and unions", R"(
union { unsigned short whole; unsigned char half[2]; } u;
void *set(void *w) { u.half[1] = 1; return w; }
int main(void) { pthread_t t; pthread_create(&t, 0, set, 0); u.half[0] = 2; pthread_join(t, 0);
  assert(u.whole != 258); return 0; })",
     2},
    {"assumptions of threads that others do not need", R"(
unsigned char x;
void *stuck(void *u) { x = 1; __VERIFIER_assume(0); return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, stuck, 0); assert(x == 0); return 0; })",
     2},
    {"detached threads", R"(
unsigned char x;
void *work(void *u) { x = 1; return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_detach(t);
  if (x == 1) assert(pthread_join(t, 0) != 22); return 0; })",
     2},
    {"recursion", R"(
unsigned char x;
unsigned sum(unsigned n) { return n == 0 ? x : 1 + sum(n - 1); }
void *work(void *u) { x = 1; return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(sum(3) != 4);
  return 0; })",
     2, 4},
};

TEST_F(SequentialC, KeepsWhatProgramsAreMadeOf) {
  for (const Construct& one : kConstructs) {
    SCOPED_TRACE(one.name);
    const std::string text = std::string(kHeaders) + one.text;
    for (std::uint32_t contexts = 1; contexts <= 3; ++contexts) {
      if (one.fails_within != 0 && contexts + 1 < one.fails_within) continue;
      if (contexts > std::max(one.fails_within, 2u)) continue;
      Asked asked;
      asked.contexts = contexts;
      asked.unroll = one.unroll;
      asked.reduces = contexts == 2;
      const std::size_t decided = failing_ + safe_;
      const auto fails = expect_agreement(text, asked);
      ASSERT_TRUE(fails);
      EXPECT_EQ(*fails, one.fails_within != 0 && contexts >= one.fails_within) << contexts;
      EXPECT_EQ(failing_ + safe_, decided + 1) << "too many runs";
    }
  }
}

TEST_F(SequentialC, InvalidAccessesFailIfThatIsAsked) {
  const std::string text = std::string(kHeaders) + R"(
unsigned char *p;
void *release(void *u) { free(p); return u; }
int main(void) { pthread_t t; p = malloc(1); pthread_create(&t, 0, release, 0); *p = 1; return 0; })";
  Asked asked;
  asked.property = model::c::Property::Memory;
  EXPECT_EQ(expect_agreement(text, asked), true);
  asked.contexts = 1;
  EXPECT_EQ(expect_agreement(text, asked), false);
  asked.property = model::c::Property::Reach;
  asked.contexts = 2;
  EXPECT_EQ(expect_agreement(text, asked), false);
}

std::string refusal(const std::string& text) {
  const auto made = transform::sequentialise(read(kHeaders + text), model::c::Property::Reach, {});
  if (made) return "";
  return made.error().why + ", line " + std::to_string(made.error().position.line);
}

TEST_F(SequentialC, RefusesByNameAndLine) {
  const std::string worker = "void *w(void *u) { return u; }\n";  // line 7
  EXPECT_EQ(
      refusal(worker + "int main(void) { pthread_t t;\nfor (;;)\npthread_create(&t, 0, w, 0); }"),
      "threads are created in a loop, or in a recursive function, without --unroll, line 10");
  EXPECT_EQ(refusal("char *p; int main(int n, char **v) {\np = malloc(n); return *p; }"),
            "an object whose size is not constant, line 8");
  EXPECT_EQ(refusal("char *p; int main(void) { for (;;)\np = malloc(1); }"),
            "an allocation in a loop, or in a recursive function, without --unroll, line 8");
  EXPECT_EQ(refusal("double d; int main(void) {\nd = d * 2; return 0; }"),
            "floating point, line 8");
  EXPECT_EQ(refusal("int f(int *p) { int x = 0;\nif (!p) return x; return f(&x); }\n"
                    "int main(void) { return f(0); }"),
            "a variable of a recursive function whose address is used, line 7");
}

/// How often a turn may end in the function.
std::size_t turns(const std::string& text, const std::string& function) {
  const std::size_t begin =
      text.find("\nstatic unsigned long long " + function + "(unsigned long long u) {");
  const std::size_t end = text.find("\n}\n", begin);
  std::size_t count = 0;
  for (std::size_t at = text.find("turn()", begin); at < end; at = text.find("turn()", at + 1))
    ++count;
  return begin == std::string::npos ? 999 : count;
}

TEST_F(SequentialC, TurnsEndBeforeStepsThatOthersNotice) {
  const model::c::Program program = read(std::string(kHeaders) + R"(
int protected, racing; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *u) { pthread_mutex_lock(&m); protected = protected + 1; pthread_mutex_unlock(&m);
  racing = racing + 1; return u; }
int main(void) { pthread_t t, s; protected = 0; pthread_create(&t, 0, work, 0); pthread_create(&s, 0, work, 0);
  pthread_join(t, 0); pthread_join(s, 0); assert(protected == 2); return racing; })");
  SequentialCOptions options;
  const auto all = transform::sequentialise(program, model::c::Property::Reach, options);
  ASSERT_TRUE(all);
  EXPECT_EQ(turns(all->text, "work"), 5u);
  base::RunContext context;
  const auto quiet = transform::sequential_c::quiet_accesses(program, context);
  options.is_quiet = [&](model::c::FunctionId f, model::c::Location at) {
    return quiet.contains({f, at});
  };
  const auto some = transform::sequentialise(program, model::c::Property::Reach, options);
  ASSERT_TRUE(some);
  EXPECT_EQ(turns(some->text, "work"), 3u);  // the mutex, and both accesses that race
}

}  // namespace
}  // namespace heddle::testing::c
