/* A timed wait may time out although nobody is late. UNSAFE. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 5;
  pthread_mutex_lock(&lock);
  int result = 0;
  while (!is_ready && result == 0) result = pthread_cond_timedwait(&ready, &lock, &until);
  assert(result != ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
