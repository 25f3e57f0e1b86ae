/* Main looks under a mutex whether it may stop; the other thread needs the mutex to say so.
   With --property termination --fairness weak UNSAFE: whenever main holds the mutex, the other
   thread cannot step, so that leaving it out is weakly fair. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *stop(void *unused) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, stop, 0);
  int seen = 0;
  while (!seen) {
    pthread_mutex_lock(&mutex);
    seen = done;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, 0);
  return 0;
}
