/* A thread waits on a condition variable until a flag is set; main sets it and signals.
   SAFE, and nobody waits for ever: the flag is tested before and after every wait. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag, data;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!flag) pthread_cond_wait(&ready, &lock);
  assert(data == 42);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&lock);
  data = 42;
  flag = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
