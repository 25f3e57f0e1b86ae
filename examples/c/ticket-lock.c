/* A ticket lock: a thread draws a number and waits until it is served.
   SAFE: one thread at most is in the critical section. No data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int inside;

static void *work(void *unused) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  (void)unused;
  while (atomic_load(&now_serving) != mine) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_fetch_add(&now_serving, 1);
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
