/* Two threads meet at a barrier, twice.
   With --property termination SAFE. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void meet(void) {
  for (int i = 0; i < 2; i++) pthread_barrier_wait(&barrier);
}

static void *second(void *unused) {
  meet();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, second, 0);
  meet();
  pthread_join(thread, 0);
  return 0;
}
