/* Two threads over two numbers: one takes 1 from x and gives y the old x, the other one exchanges
   them and takes 1 from their sum. x falls, or y does, or their sum; the greater one of 2x and
   2y - 3 always does.
   With --property termination SAFE. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *copy(void *unused) {
  for (int on = 1; on;) {
    pthread_mutex_lock(&m);
    if (x > 0 && y > 0) {
      y = x;
      x = x - 1;
    } else {
      on = 0;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}

static void *exchange(void *unused) {
  for (int on = 1; on;) {
    pthread_mutex_lock(&m);
    if (x > 0 && y > 0) {
      int old = x;
      x = y - 2;
      y = old + 1;
    } else {
      on = 0;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  x = __VERIFIER_nondet_int();
  y = __VERIFIER_nondet_int();
  pthread_create(&a, 0, copy, 0);
  pthread_create(&b, 0, exchange, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
