/* Whoever gets PTHREAD_BARRIER_SERIAL_THREAD may destroy the barrier: destroying waits for others. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *meet(void *unused) {
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(barrier);
    pthread_barrier_init(barrier, 0, 1);
    pthread_barrier_destroy(barrier);
    free(barrier);
  }
  return unused;
}

int main(void) {
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, 0, 2);
  pthread_t first, second;
  pthread_create(&first, 0, meet, 0);
  pthread_create(&second, 0, meet, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
