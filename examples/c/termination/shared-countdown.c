/* Two threads count one number down together, from anything.
   With --property termination SAFE: each round of each thread makes it smaller. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left;

static void *count(void *unused) {
  int goes_on = 1;
  while (goes_on) {
    pthread_mutex_lock(&lock);
    goes_on = left > 0;
    if (goes_on) left = left - 1;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  left = __VERIFIER_nondet_int();
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
