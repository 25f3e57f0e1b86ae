/* POSIX semaphores, a barrier, a spin lock and pthread_once. SAFE. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static int initialised, ready, sum;

static void initialise(void) { ++initialised; }

static void *worker(void *unused) {
  pthread_once(&once, initialise);
  assert(initialised == 1);
  pthread_barrier_wait(&barrier);
  sem_wait(&items);
  assert(ready);
  pthread_spin_lock(&spin);
  ++sum;
  pthread_spin_unlock(&spin);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&items, 0, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_spin_init(&spin, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_once(&once, initialise);
  pthread_barrier_wait(&barrier);
  ready = 1;
  sem_post(&items);
  pthread_join(t, 0);
  assert(sum == 1 && initialised == 1);
  return 0;
}
