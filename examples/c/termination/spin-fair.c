/* Two threads add to a number under a spin lock.
   With --property termination --fairness weak SAFE: who holds the lock has its turn. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int number;

static void *add(void *unused) {
  while (atomic_flag_test_and_set(&lock)) {
  }
  number++;
  atomic_flag_clear(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(number == 2);
  return 0;
}
