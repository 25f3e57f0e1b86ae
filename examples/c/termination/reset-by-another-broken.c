/* One thread counts x down, another one counts it up as long as it is positive.
   With --property termination UNSAFE: they can go on like this. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x = 2;

static void count(int by) {
  int goes_on = 1;
  while (goes_on) {
    pthread_mutex_lock(&lock);
    if (x > 0 && x < 4) {
      x = x + by;
    } else {
      goes_on = 0;
    }
    pthread_mutex_unlock(&lock);
  }
}

static void *up(void *unused) {
  count(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, up, 0);
  count(-1);
  pthread_join(thread, 0);
  return 0;
}
