/// Our models of library functions compute what glibc computes. Every program here also runs on a
/// real machine without a failed assertion.

#include "execution.hpp"

namespace heddle::frontend::c::library_test {
namespace {

const std::string kHead =
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <limits.h>\n"
    "#include <pthread.h>\n#include <semaphore.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <threads.h>\n#include <time.h>\n";

void expect_main(const std::string& body, const std::string& before = "") {
  constexpr std::size_t kTurn = 7;
  expect_runs(kHead + before + "\nint main(void) {\n" + body + "\nreturn 0; }\n", {}, kTurn);
}

TEST(CLibrary, NumbersThatDoNotFit) {
  expect_main(R"(
    char *end;
    errno = 0; assert(strtol("99999999999999999999", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
    errno = 0; assert(strtol("-99999999999999999999", 0, 10) == LONG_MIN && errno == ERANGE);
    errno = 0; assert(strtoul("99999999999999999999999", 0, 10) == ULONG_MAX && errno == ERANGE);
    errno = 0; assert(strtoll("-9223372036854775808", 0, 10) == LLONG_MIN && errno == 0);
    errno = 0; assert(strtoull("-1", 0, 10) == ULLONG_MAX && errno == 0);
    errno = 0; assert(strtol("-2147483648", 0, 10) == INT_MIN && strtol("0x7fffffff", 0, 0) == INT_MAX && errno == 0);)");
}

TEST(CLibrary, FormatsOfIntegers) {
  expect_main(R"(
    char b[64]; volatile int n = -5; volatile unsigned long long u = ~0ull;
    assert(sprintf(b, "%d %u %llu %lld", n, n, u, u) == 37 && !strcmp(b, "-5 4294967291 18446744073709551615 -1"));
    sprintf(b, "%d %hhd %hd %zu %i", INT_MIN, 300, 70000, sizeof(int), 7); assert(!strcmp(b, "-2147483648 44 4464 4 7"));
    sprintf(b, "%5d|%-5d|%+d|% d|%05d|%+05d|%-05d|", 42, 42, 42, 42, -42, 7, 7); assert(!strcmp(b, "   42|42   |+42| 42|-0042|+0007|7    |"));
    sprintf(b, "%x %X %#x %#X %o %#o %#x %#o", 255, 255, 255, 255, 8, 8, 0, 0); assert(!strcmp(b, "ff FF 0xff 0XFF 10 010 0 0"));
    sprintf(b, "%.5d|%5.3d|%08.3d|%.0d|%*d|%-*d|%*d", 12, 7, 7, 0, 4, 7, 4, 7, -3, 1); assert(!strcmp(b, "00012|  007|     007||   7|7   |1  "));)");
}

TEST(CLibrary, FormatsOfTexts) {
  expect_main(R"c(
    char b[64]; memset(b, 'z', sizeof b);
    assert(sprintf(b, "%s-%c%%%5s|%-4s|%.2s|%.*s|%3c", "ab", 'q', "x", "y", "xyz", 1, "uv", 'k') == 24);
    assert(!strcmp(b, "ab-q%    x|y   |xy|u|  k"));
    sprintf(b, "[%-6s][%6.2s][%.0s]", "ab", "xyz", "q"); assert(!strcmp(b, "[ab    ][    xy][]"));
    assert(snprintf(b, 4, "hel%s", "lo") == 5 && !strcmp(b, "hel") && b[4] != 0);
    assert(snprintf(0, 0, "%d", 12345) == 5 && snprintf(b, 1, "x") == 1 && b[0] == 0);
    assert(sprintf(b, "%c%c", 65, 0) == 2 && b[0] == 'A' && b[1] == 0 && b[2] == 0);
    sprintf(b, "%s %p", "null:", (void *)0); assert(!strcmp(b, "null: (nil)"));)c");
}

TEST(CLibrary, AnyTextIsWrittenWhereTheFormatIsNotKnown) {
  const model::c::Program program = read(kHead + R"(
    int main(void) { char b[8]; volatile double x = 1; snprintf(b, sizeof b, "%f", x); return 0; })");
  ASSERT_EQ(program.warnings.size(), 1U);
  EXPECT_NE(program.warnings[0].find("'snprintf' writes any text"), std::string::npos);
}

TEST(CLibrary, ReallocToNothingFrees) {
  expect_main("void *p = malloc(4); p = realloc(p, 0); assert(p == 0);");
}

TEST(CLibrary, TimedLocksOfFreeObjectsSucceed) {
  expect_main(R"(
    struct timespec now = {0, 0}; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; sem_t s; mtx_t x; sem_init(&s, 0, 1); mtx_init(&x, mtx_timed);
    assert(pthread_mutex_timedlock(&m, &now) == 0 && pthread_mutex_timedlock(&m, &now) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&e, &now) == 0 && pthread_mutex_timedlock(&e, &now) == EDEADLK);
    assert(sem_timedwait(&s, &now) == 0 && sem_timedwait(&s, &now) == -1 && errno == ETIMEDOUT);
    assert(pthread_rwlock_timedrdlock(&w, &now) == 0 && pthread_rwlock_timedwrlock(&w, &now) == ETIMEDOUT);
    pthread_rwlock_unlock(&w); assert(pthread_rwlock_timedwrlock(&w, &now) == 0);
    assert(pthread_rwlock_timedwrlock(&w, &now) == EDEADLK && pthread_rwlock_timedrdlock(&w, &now) == EDEADLK);
    assert(mtx_timedlock(&x, &now) == thrd_success && mtx_timedlock(&x, &now) == thrd_timedout);)");
}

TEST(CLibrary, AttributesOfThreads) {
  expect_main(R"(
    pthread_attr_t a; int d; size_t z; pthread_t t; sem_init(&s, 0, 0);
    pthread_attr_init(&a); pthread_attr_getdetachstate(&a, &d); assert(d == PTHREAD_CREATE_JOINABLE);
    pthread_create(&t, &a, f, 0); sem_post(&s); assert(pthread_join(t, 0) == 0);
    assert(!pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) && pthread_attr_setdetachstate(&a, 9) == EINVAL);
    pthread_attr_getdetachstate(&a, &d); assert(d == PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&a, 1 << 20); pthread_attr_getstacksize(&a, &z); assert(z == 1 << 20);
    pthread_create(&t, &a, f, 0); assert(pthread_join(t, 0) == EINVAL && pthread_detach(t) == EINVAL); sem_post(&s);)",
              "sem_t s; void *f(void *p) { sem_wait(&s); return 0; }");
}

TEST(CLibrary, ErrorsOfSemaphoresAndMutexAttributes) {
  expect_main(R"(
    sem_t s; pthread_mutexattr_t a; assert(sem_init(&s, 0, ~0u) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0 && sem_post(&s) == -1 && errno == EOVERFLOW);
    pthread_mutexattr_init(&a); assert(pthread_mutexattr_settype(&a, 77) == EINVAL);)");
}

TEST(CLibrary, DestructorsOfThreadSpecificDataInC11) {
  expect_main(R"(
    tss_t other; thrd_t t; int r; assert(tss_create(&k, destroy) == thrd_success && tss_create(&other, destroy) == thrd_success);
    thrd_create(&t, f, &k); thrd_join(t, &r); assert(r == 3 && n == 1);
    thrd_create(&t, f, 0); thrd_join(t, &r); assert(r == 4 && n == 1);
    tss_delete(k); thrd_create(&t, f, &k); thrd_join(t, &r); assert(n == 1);)",
              "tss_t k; int n; void destroy(void *p) { n++; }\n"
              "int f(void *p) { tss_set(k, p); if (!p) thrd_exit(4); return 3; }");
}

TEST(CLibrary, JoiningIfAThreadHasEnded) {
  expect_main(R"(
    pthread_t t; void *v = 0; pthread_create(&t, 0, f, &n); int r = pthread_tryjoin_np(t, &v);
    if (r == EBUSY) pthread_join(t, &v); assert(v == &n && n == 1);)",
              "int n; void *f(void *p) { n = 1; return p; }");
  // Choice 1: it counts as not ended.
  const model::c::Program program = read(kHead + R"(
    int n; void *f(void *p) { n = 1; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
      if (pthread_tryjoin_np(t, 0) == EBUSY) assert(n == 1); return 0; })");
  EXPECT_EQ(execute(program, {1}).outcome, model::c::Outcome::Violated);
}

TEST(CLibrary, FunctionsBeforeAndAfterMain) {
  const std::string functions = R"(
    int x; __attribute__((constructor(200))) void b(void) { x = x * 10 + 2; }
    __attribute__((constructor(101))) void a(void) { x = x * 10 + 1; }
    __attribute__((constructor)) void c(void) { x = x * 10 + 3; }
    void first(void) { assert(x == 2); x = 3; } void second(void) { assert(x == 1); x = 2; }
    __attribute__((destructor)) void d(void) { assert(x == 3); })";
  const std::string body = "assert(x == 123); atexit(first); atexit(second); x = 1;";
  expect_main(body, functions);
  expect_main(body + "exit(0);", functions);
  const std::string head = kHead + functions + "int main(void) {" + body;
  EXPECT_EQ(execute(read(head + "x = 5; return 0; }")).what, "x == 1");
  EXPECT_EQ(execute(read(head + "x = 5; exit(0); }")).what, "x == 1");
  EXPECT_EQ(execute(read(head + "x = 5; _exit(0); }")).outcome, model::c::Outcome::ProcessEnded);
  EXPECT_NE(execute(read(head + "pthread_exit(0); }")).what.find("run at exit"), std::string::npos);
}

TEST(CLibrary, PaddingOfParametersAndResultsIsNeitherReadNorWritten) {
  // Any uninitialised byte that is read takes the choice, here -1; none is.
  const std::string types = R"(
    struct A { int a; char b; }; struct B { char c; long long l; }; struct C { short s; int i[2]; };
    struct A fa(struct A x, int k) { x.a += k; x.b--; return x; } struct B fb(struct B b) { b.l++; return b; }
    struct C fc(struct C *p) { return *p; } struct A g;)";
  const std::string body = R"(
    struct A *p = malloc(sizeof *p); p->a = 1; p->b = 2; *p = fa(*p, 4); assert(p->a == 5 && p->b == 1);
    g = fa(*p, 1); struct A arr[2]; arr[1] = fa(g, 0); assert(arr[1].a == 6 && arr[1].b == -1);
    struct B b; b.c = 1; b.l = 2; b = fb(fb(b)); assert(b.c == 1 && b.l == 4);
    struct C c; c.s = 1; c.i[0] = 2; c.i[1] = 3; struct C d = fc(&c); assert(d.s == 1 && d.i[0] == 2 && d.i[1] == 3);)";
  expect_main(body, types);
  const auto program = [&](const std::string& tail) {
    return read(kHead + types + "int main(void) {" + body + tail + "return 0; }");
  };
  EXPECT_EQ(execute(program("")).outcome, model::c::Outcome::ProcessEnded);
  // Padding stays undefined: whoever reads it through a pointer may find anything.
  const std::string peek = "struct A q = fa(arr[1], 0); assert(((char *)&q)[6] == 0);";
  EXPECT_EQ(execute(program(peek), {0}).outcome, model::c::Outcome::ProcessEnded);
  EXPECT_EQ(execute(program(peek), {1}).outcome, model::c::Outcome::Violated);
}

}  // namespace
}  // namespace heddle::frontend::c::library_test
