/* Two threads take two mutexes in different orders, as often as an input says.
   With --property termination UNSAFE: each may hold the one that the other waits for. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;

static void work(pthread_mutex_t *first, pthread_mutex_t *second) {
  int n = __VERIFIER_nondet_int();
  while (n > 0) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    n--;
  }
}

static void *other(void *unused) {
  work(&inner, &outer);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  work(&outer, &inner);
  pthread_join(thread, 0);
  return 0;
}
