// Any number of threads count under a lock that the program makes for itself.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
unsigned value, lock;

void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(lock == 0);
  lock = 1;
}

void __VERIFIER_atomic_release(void) {
  __VERIFIER_assume(lock == 1);
  lock = 0;
}

void *count(void *unused) {
  __VERIFIER_atomic_acquire();
  unsigned seen = value;
  if (seen < 1000) value = seen + 1;
  assert(value > seen || seen == 1000);
  __VERIFIER_atomic_release();
  return unused;
}

int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, 0, count, 0);
}
