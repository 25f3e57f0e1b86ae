/* Two threads add 1 to a counter without a lock.
   UNSAFE: both read 0 and both write 1. The two accesses are a data race. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *unused) {
  (void)unused;
  counter = counter + 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
  return 0;
}
