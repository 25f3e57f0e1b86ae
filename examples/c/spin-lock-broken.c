/* A spin lock that tests and sets in two steps.
   UNSAFE: both threads see the lock free, and both enter. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int inside;

static void *work(void *unused) {
  (void)unused;
  while (atomic_load(&taken)) {
  }
  atomic_store(&taken, 1);
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
