/* Threads are created for ever, each of which ends. */
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, 0, work, 0);
}
