/* _Thread_local and pthread keys: each thread has its own. SAFE. */
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 5;
static pthread_key_t key;
static int destroyed;

static void destroy(void *value) { destroyed += (int)(long)value; }

static void *worker(void *unused) {
  assert(own == 5);
  own = 6;
  pthread_setspecific(key, (void *)3);
  assert(pthread_getspecific(key) == (void *)3);
  return unused;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t t;
  own = 7;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(own == 7);
  assert(pthread_getspecific(key) == 0);
  assert(destroyed == 3);
  return 0;
}
