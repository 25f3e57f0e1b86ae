// The ends of runs.

void abort(void) { __heddle_abort(); }
void exit(int status) { __heddle_exit(); }
void _exit(int status) { __heddle_exit(); }
void _Exit(int status) { __heddle_exit(); }
void quick_exit(int status) { __heddle_exit(); }

// Functions that run when main returns or `exit` is called, the last one first.
enum { HEDDLE_MOST_AT_EXIT = 32 };
static void (*__heddle_at_exit[HEDDLE_MOST_AT_EXIT])(void);
static unsigned __heddle_at_exit_count;
int atexit(void (*function)(void)) {
  __heddle_atomic_begin();
  unsigned next = __heddle_at_exit_count;
  if (next < HEDDLE_MOST_AT_EXIT) {
    __heddle_at_exit[next] = function;
    __heddle_at_exit_count = next + 1;
  }
  __heddle_atomic_end();
  if (next >= HEDDLE_MOST_AT_EXIT) __heddle_unsupported("more than 32 functions that run at exit");
  return 0;
}
void __heddle_run_at_exit(void) {
  for (;;) {
    __heddle_atomic_begin();
    void (*function)(void) = 0;
    if (__heddle_at_exit_count != 0) function = __heddle_at_exit[--__heddle_at_exit_count];
    __heddle_atomic_end();
    if (!function) return;
    function();
  }
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  __heddle_fail(text);
}
void __assert(const char *text, const char *file, int line) { __heddle_fail(text); }
void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
  __heddle_fail("assert_perror");
}
// A program that does not include assert.h calls a function.
void assert(int condition) {
  if (!condition) __heddle_fail("assert");
}

void __VERIFIER_assume(int condition) { __heddle_assume(condition); }

// The name of the program and up to two arguments, each of up to three characters, which are chosen
// where they are read. That there are more or longer ones is not modelled.
int __heddle_argument_count(void) {
  if (__VERIFIER_nondet_bool()) return 1;
  if (__VERIFIER_nondet_bool()) return 2;
  if (__VERIFIER_nondet_bool()) return 3;
  __heddle_unsupported("more than two arguments of main, or longer ones than three characters");
  return 1;
}

// Where only their number matters.
int __heddle_any_argument_count(void) {
  int count = __VERIFIER_nondet_int();
  __heddle_assume(count >= 0);
  return count;
}

char **__heddle_argument_vector(int count) {
  char **vector = __heddle_allocate_hidden((count + 1) * sizeof(char *));
  for (int i = 0; i < count; ++i) {
    vector[i] = __heddle_allocate_hidden(4);
    vector[i][3] = 0;
  }
  vector[count] = 0;
  return vector;
}
