/* C11 atomics, __atomic_* and __sync_*. SAFE. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a;
static int b, c;
static _Atomic(unsigned char) d;

static void *worker(void *unused) {
  atomic_fetch_add(&a, 1);
  __atomic_add_fetch(&b, 2, __ATOMIC_SEQ_CST);
  int expected = 0;
  if (!__atomic_compare_exchange_n(&c, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    assert(expected == 1);
  ++d;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(a == 2 && b == 4 && c == 1 && d == 2);
  assert(__sync_bool_compare_and_swap(&c, 1, 9) && __sync_lock_test_and_set(&c, 3) == 9);
  return 0;
}
