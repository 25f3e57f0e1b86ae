/* One thread counts x down, another sets it to anything, n times.
   With --property termination SAFE: the other one ends by itself, and then x falls. Both need the
   mutex, since x - 1 might be stored late. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *reset(void *unused) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&lock);
    x = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reset, 0);
  int goes_on = 1;
  while (goes_on) {
    pthread_mutex_lock(&lock);
    if (x > 0) {
      x = x - 1;
    } else {
      goes_on = 0;
    }
    pthread_mutex_unlock(&lock);
  }
  pthread_join(thread, 0);
  return 0;
}
