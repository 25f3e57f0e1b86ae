/* Two files. UNSAFE: an increment is lost. */
#include <assert.h>
#include <pthread.h>
#include "counter.h"

static void *worker(void *unused) {
  increment();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  TWICE(increment());
  pthread_join(t, 0);
  assert(read_counter() == START + 3);
  return 0;
}
