// The environment and signals. Sets of signals have no effect, because signals are not
// modelled: handlers that could run are refused.

// The text is chosen where it is read.
char *getenv(const char *name) {
  if (__VERIFIER_nondet_bool()) return 0;
  if (__VERIFIER_nondet_bool()) {
    __heddle_unsupported("a variable of the environment of more than three characters");
  }
  char *text = __heddle_allocate_hidden(4);
  text[3] = 0;
  return text;
}
int getpid(void) {
  int id = __VERIFIER_nondet_int();
  __heddle_assume(id > 0);
  return id;
}
int getppid(void) { return getpid(); }
int gettid(void) { return getpid(); }
long sysconf(int name) {
  long value = __VERIFIER_nondet_long();
  __heddle_assume(value >= -1);
  return value;
}
int remove(const char *name) { return __heddle_success(); }
int rename(const char *from, const char *to) { return __heddle_success(); }
int system(const char *command) { return __VERIFIER_nondet_int(); }
long lseek(int file, long offset, int whence) { return __heddle_count(~(size_t)0 >> 1); }
long getline(char **line, size_t *size, void *file) {
  if (__VERIFIER_nondet_bool()) __heddle_unsupported("getline");
  return -1;
}
int isatty(int file) { return __VERIFIER_nondet_bool(); }
int sigemptyset(void *set) { return 0; }
int sigfillset(void *set) { return 0; }
int sigaddset(void *set, int number) { return 0; }
int sigdelset(void *set, int number) { return 0; }
int sigprocmask(int how, const void *set, void *old) { return 0; }
int pthread_sigmask(int how, const void *set, void *old) { return 0; }
// In one run no signal ever comes; the other one says that handlers are not part of the model.
typedef void (*__heddle_handler)(int);
static __heddle_handler __heddle_handlers[65];
static __heddle_handler __heddle_exchange_handler(int number, const __heddle_handler *handler) {
  if (handler && (size_t)*handler > 1 && __VERIFIER_nondet_bool())
    __heddle_unsupported("signal handlers");
  __heddle_atomic_begin();
  __heddle_handler old = __heddle_handlers[number];
  if (handler) __heddle_handlers[number] = *handler;
  __heddle_atomic_end();
  return old;
}
static int __heddle_may_set(int number, int sets) {
  if (number >= 1 && number <= 64 && !(sets && (number == 9 || number == 19))) return 1;
  *__errno_location() = HEDDLE_EINVAL;  // SIGKILL and SIGSTOP stay as they are
  return 0;
}
__heddle_handler signal(int number, __heddle_handler handler) {
  if (!__heddle_may_set(number, 1)) return (__heddle_handler)-1;
  return __heddle_exchange_handler(number, &handler);
}
// Structures begin with the handler; what else is asked for is not told.
int sigaction(int number, const __heddle_handler *action, __heddle_handler *old) {
  if (!__heddle_may_set(number, action != 0)) return -1;
  __heddle_handler before = __heddle_exchange_handler(number, action);
  if (old) *old = before;
  return 0;
}
unsigned alarm(unsigned seconds) { return 0; }
// A signal that is waited for may come from anywhere.
int sigwait(const void *set, int *number) {
  *number = __heddle_from_to(1, 64);
  return 0;
}
int sigismember(const void *set, int number) { return __heddle_from_to(0, 1); }
int raise(int number) {
  if (number == 6) __heddle_abort();
  __heddle_unsupported("signals");
  return 0;
}
int kill(int process, int number) {
  if (number != 0) __heddle_unsupported("signals");
  return __heddle_success();
}
int fork(void) {
  __heddle_unsupported("fork");
  return -1;
}
int vfork(void) { return fork(); }
unsigned getuid(void) { return __VERIFIER_nondet_uint(); }
unsigned geteuid(void) { return __VERIFIER_nondet_uint(); }
unsigned getgid(void) { return __VERIFIER_nondet_uint(); }
unsigned getegid(void) { return __VERIFIER_nondet_uint(); }
unsigned umask(unsigned mode) { return mode & (unsigned)__heddle_from_to(0, 0777); }
int getpagesize(void) { return 4096; }
int gethostname(char *to, size_t size) {
  if (__heddle_success() != 0) return -1;
  __heddle_any_text(to, size);
  return 0;
}
int getrlimit(int resource, unsigned long *to) {
  to[0] = __VERIFIER_nondet_ulong();
  to[1] = __VERIFIER_nondet_ulong();
  __heddle_assume(to[0] <= to[1]);
  return 0;
}
int setrlimit(int resource, const unsigned long *limits) { return __heddle_success(); }
int sched_getcpu(void) { return __heddle_from_to(0, 1023); }
int sched_get_priority_min(int policy) { return policy == 0 ? 0 : 1; }
int sched_get_priority_max(int policy) { return policy == 0 ? 0 : 99; }
int get_nprocs(void) { return __heddle_from_to(1, 1024); }
int get_nprocs_conf(void) { return __heddle_from_to(1, 1024); }
char *setlocale(int category, const char *name) { return "C"; }
void openlog(const char *name, int option, int facility) {}
void syslog(int priority, const char *format, ...) {}
void closelog(void) {}
void warn(const char *format, ...) {}
void warnx(const char *format, ...) {}
void err(int status, const char *format, ...) { exit(status); }
void errx(int status, const char *format, ...) { exit(status); }
void error(int status, int number, const char *format, ...) {
  if (status != 0) exit(status);
}
