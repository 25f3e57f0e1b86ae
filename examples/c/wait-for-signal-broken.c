/* A thread waits on a condition variable without testing a flag; main signals once.
   With --property no-deadlock UNSAFE: if main signals first, the signal is lost, and the thread
   waits for ever. The assertion, too, can fail: a wake-up may be spurious. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int data;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&ready, &lock);
  assert(data == 42);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&lock);
  data = 42;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
