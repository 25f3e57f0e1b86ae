/* setjmp, signals and pthread_cancel are in the program, and no run gets there. SAFE. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf place;

static void never(int how) {
  if (how == 1) longjmp(place, 1);
  if (how == 2) pthread_cancel(pthread_self());
  if (how == 3) raise(SIGTERM);
  if (setjmp(place)) abort();
}

int main(void) {
  int x = 1;
  if (x != 1) never(x);
  assert(x == 1);
  return 0;
}
