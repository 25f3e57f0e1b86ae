/* Double-checked initialisation with an atomic flag that is set last.
   SAFE: whoever sees the flag sees the value. No data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_ready;
static int value;

static int get(void) {
  if (!atomic_load(&is_ready)) {
    pthread_mutex_lock(&lock);
    if (!atomic_load(&is_ready)) {
      value = 42;
      atomic_store(&is_ready, 1);
    }
    pthread_mutex_unlock(&lock);
  }
  return value;
}

static void *work(void *unused) {
  int seen = get();
  (void)unused;
  assert(seen == 42);
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
