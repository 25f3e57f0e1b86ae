/* The thread is called after its own function although our library starts it (there is a key), and
   what our library stores is not shown. UNSAFE: x is 1. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t key;
static sem_t none;
static int x;

static void destroy(void *value) { (void)value; }

static void *worker(void *value) {
  pthread_setspecific(key, value);
  if (sem_trywait(&none) != 0) x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&none, 0, 0);
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, worker, &x);
  pthread_join(t, 0);
  assert(x == 0);
  return 0;
}
