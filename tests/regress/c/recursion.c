/* A recursive function in two threads. SAFE. */
#include <assert.h>
#include <pthread.h>

static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }

static void *worker(void *argument) { return (void *)(long)sum((int)(long)argument); }

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, worker, (void *)4);
  assert(sum(3) == 6);
  pthread_join(t, &result);
  assert((long)result == 10);
  return 0;
}
