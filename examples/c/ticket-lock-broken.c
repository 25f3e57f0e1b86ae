/* A ticket lock in which drawing a number is a load and a store.
   UNSAFE: two threads draw the same number. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int inside;

static void *work(void *unused) {
  unsigned mine = atomic_load(&next_ticket);
  (void)unused;
  atomic_store(&next_ticket, mine + 1);
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
