/// Our models of library functions against the library of the machine, where it leaves no choice.

#include <gtest/gtest.h>

#include <sstream>

#include "both_machines.hpp"
#include "frontend/c/read.hpp"

namespace heddle::testing::c {
namespace {

const std::string kLibraryPrelude = R"(
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char text[32], *end, *rest, literal[] = "none", *mapped;
static void *memory;
static int n;
static size_t size;
static clockid_t clock_of;
static pthread_mutexattr_t mutex;
static pthread_condattr_t condition;
static pthread_rwlockattr_t rwlock;
static pthread_barrierattr_t barrier;
static pthread_attr_t attributes;
static pthread_barrier_t meeting;
static struct sigaction action;
static struct sched_param parameters;

/* One number for all that a program can see of it. */
static unsigned long sum;
static void see(unsigned long word) { sum = sum * 1000003 + word; }
static void see_text(const char *seen) {
  if (!seen) see(77);
  else
    while (*seen) see((unsigned char)*seen++);
}
static int arguments_from(char **list, const char *a, const char *b, const char *c, const char *d) {
  int count = 1;
  list[0] = "program";
  if (a) list[count++] = (char *)a;
  if (b) list[count++] = (char *)b;
  if (c) list[count++] = (char *)c;
  if (d) list[count++] = (char *)d;
  list[count] = 0;
  sum = 0;
  optind = 0;
  opterr = 0;
  return count;
}
static unsigned long seen_after(int count, char **list) {
  see(optind);
  for (int i = 1; i < count; ++i) see_text(list[i]);
  return sum;
}
static unsigned long options(const char *a, const char *b, const char *c, const char *d) {
  char *list[6];
  int letter, count = arguments_from(list, a, b, c, d);
  while ((letter = getopt(count, list, "ab:c::")) != -1) {
    see(letter);
    see(optind);
    if (letter == '?') see(optopt);
    else see_text(optarg);
  }
  return seen_after(count, list);
}
static unsigned long long_options(const char *a, const char *b, const char *c, const char *d) {
  static int flag;
  static const struct option table[] = {{"all", no_argument, 0, 'a'},
                                        {"value", required_argument, 0, 'v'},
                                        {"flag", no_argument, &flag, 5},
                                        {"maybe", optional_argument, 0, 'm'},
                                        {0, 0, 0, 0}};
  char *list[6];
  int letter, which = -1, count = arguments_from(list, a, b, c, d);
  flag = 0;
  while ((letter = getopt_long(count, list, "ab:c::", table, &which)) != -1) {
    see(letter);
    see(which);
    if (letter != '?') see_text(optarg);
  }
  see(flag);
  return seen_after(count, list);
}
static int at_of(const char *found) { return found ? *found : -1; }
)";

/// One call in each line, in this order.
const std::string kCalls = R"(
ffs(0x50)
ffsl(0)
ffsl(1l << 40)
ffsll(-1ll << 63)
imaxabs(-5)
lldiv(17, -5).rem
ldiv(-17, 5).quot
strtoimax("-9223372036854775808x", &end, 10)
*end
strtoumax("0x7fz", &end, 0)
*end
atoll(" -12 3")
strlen(stpncpy(text, "xy", 5) - 2)
text[4]
strxfrm(text, "hello", 3)
text[2]
bcmp("abc", "abd", 3) != 0
toascii(200)
isascii(200) != 0
isascii(65) != 0
at_of(strcasestr("Hello World", "o wOR"))
strcasestr("abc", "d") == 0
(strcpy(text, "a,b,,c"), rest = text, (unsigned char)*strsep(&rest, ","))
rest - text
(strsep(&rest, ","), *strsep(&rest, ","))
strcmp(strsep(&rest, ","), "c")
rest == 0
strsep(&rest, ",") == 0
(rest = literal, strcmp(strsep(&rest, ","), "none"))
rest == 0
posix_memalign(&memory, 3, 8)
posix_memalign(&memory, 64, 100)
(unsigned long)memory % 64
aligned_alloc(4096, 4096) != 0
(unsigned long)aligned_alloc(256, 512) % 256
(unsigned long)memalign(1024, 5) % 1024
malloc_usable_size(0)
(mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), mapped != MAP_FAILED)
mapped[4095]
(mapped[7] = 9, mapped[7])
munmap(mapped, 4096)
pthread_mutexattr_init(&mutex)
pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE)
pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED)
pthread_mutexattr_getpshared(&mutex, &n)
n
pthread_mutexattr_gettype(&mutex, &n)
n == PTHREAD_MUTEX_RECURSIVE
pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT)
pthread_mutexattr_getprotocol(&mutex, &n)
n
pthread_mutexattr_settype(&mutex, 17)
pthread_mutexattr_setpshared(&mutex, 5)
pthread_mutexattr_getrobust(&mutex, &n)
n
pthread_mutexattr_gettype(&mutex, &n)
n
pthread_condattr_init(&condition)
pthread_condattr_setclock(&condition, CLOCK_MONOTONIC)
pthread_condattr_getclock(&condition, &clock_of)
clock_of == CLOCK_MONOTONIC
pthread_condattr_getpshared(&condition, &n)
n
pthread_rwlockattr_init(&rwlock)
pthread_rwlockattr_getpshared(&rwlock, &n)
n
pthread_rwlockattr_setkind_np(&rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
pthread_rwlockattr_getkind_np(&rwlock, &n)
n
pthread_barrierattr_init(&barrier)
pthread_barrierattr_setpshared(&barrier, 1)
pthread_barrierattr_getpshared(&barrier, &n)
n
pthread_attr_init(&attributes)
pthread_attr_setschedpolicy(&attributes, SCHED_RR)
pthread_attr_getschedpolicy(&attributes, &n)
n
pthread_attr_setguardsize(&attributes, 8192)
(pthread_attr_getguardsize(&attributes, &size), size)
(parameters.sched_priority = 7, pthread_attr_setschedparam(&attributes, &parameters))
(parameters.sched_priority = 0, pthread_attr_getschedparam(&attributes, &parameters))
parameters.sched_priority
pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED)
(pthread_attr_getinheritsched(&attributes, &n), n)
pthread_attr_setschedpolicy(&attributes, 77)
sscanf("+0\t", "%*d%d", &n)
sscanf("", "a%d", &n)
sscanf(" ", "a%d", &n)
sscanf("a", "a%d", &n)
sscanf("a b", "a%d", &n)
sscanf(" ", "%c", text)
sscanf("x", "x ")
sscanf("5", "%*d")
sscanf("-", "%d", &n)
sscanf("7", "%d%d", &n, &n)
pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &n)
n == PTHREAD_CANCEL_ENABLE
pthread_setcancelstate(9, &n)
pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &n)
n == PTHREAD_CANCEL_DISABLE
pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &n)
n == PTHREAD_CANCEL_DEFERRED
(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &n), n == PTHREAD_CANCEL_ASYNCHRONOUS)
signal(SIGUSR1, SIG_IGN) == SIG_DFL
signal(SIGUSR1, SIG_DFL) == SIG_IGN
(errno = 0, signal(SIGKILL, SIG_IGN) == SIG_ERR)
errno == EINVAL
signal(99, SIG_IGN) == SIG_ERR
(signal(SIGUSR2, SIG_IGN), sigaction(SIGUSR2, 0, &action))
action.sa_handler == SIG_IGN
sigaction(SIGSTOP, &action, 0)
pthread_barrier_init(&meeting, 0, 0) == EINVAL
pthread_barrier_init(&meeting, 0, 1)
pthread_barrier_wait(&meeting)
pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD
pthread_barrier_destroy(&meeting)
options("-a", "-bvalue", "file", 0)
options("file", "-b", "value", "-a")
options("-ab", "x", "-c", 0)
options("--", "-a", 0, 0)
options("-z", "-b", 0, 0)
options("x", "--", "-a", 0)
options("-", "-a", "y", "-b")
options("x", "-ac", "-b", "y")
long_options("--all", "--value=7", "rest", 0)
long_options("rest", "--value", "9", "-a")
long_options("--al", "--other", 0, 0)
long_options("--a", "--value", 0, 0)
long_options("--all=3", "--flag", "--", "--all")
long_options("r", "--val", "v", "-cx")
long_options("--maybe", "--maybe=1", "-ca", 0)
)";

TEST(CMachine, LibraryFunctionsDoWhatThoseOfTheMachineDo) {
  if (!frontend::c::can_read_c()) GTEST_SKIP() << "this build does not read C";
  std::string calls;
  int cases = 0;
  std::istringstream lines(kCalls);
  for (std::string call; std::getline(lines, call);) {
    if (call.empty()) continue;
    const std::string number = std::to_string(cases++);
    calls += "  results[" + number + "] = (unsigned long)(" + call + ");\n";
  }
  const std::string count = std::to_string(cases);
  const std::string text = kLibraryPrelude + "unsigned long results[" + count +
                           "];\nint main(void) {\n" + calls +
                           "#ifdef HEDDLE_NATIVE\n  for (int i = 0; i < " + count +
                           "; ++i) printf(\"%lu\\n\", results[i]);\n#endif\n  return 0;\n}\n";
  std::uint64_t instructions = 0;
  expect_same(text, cases, "call", instructions);
}

}  // namespace
}  // namespace heddle::testing::c
