/* A spin lock: an atomic exchange takes it, an atomic store releases it.
   SAFE: one thread at most is in the critical section. No data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int inside;

static void *work(void *unused) {
  (void)unused;
  while (atomic_exchange(&taken, 1)) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&taken, 0);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
