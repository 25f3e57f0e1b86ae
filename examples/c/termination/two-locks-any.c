/* Two threads take two mutexes in the same order, as often as an input says.
   With --property termination SAFE. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused) {
  int n = __VERIFIER_nondet_int();
  while (n > 0) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    done = 1;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    n--;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
