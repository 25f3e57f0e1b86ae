/* Thread 1 holds mx and takes my for each round of a loop that counts to 5; threads 2 and 3 take
   one lock each. With --property termination SAFE: the loop counts up, and the locks are always
   taken in the same order. */
#include <pthread.h>

static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER, my = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *first(void *unused) {
  pthread_mutex_lock(&mx);
  int a = x;
  while (a <= 4) {
    a = a + 1;
    pthread_mutex_lock(&my);
    y = y + a;
    pthread_mutex_unlock(&my);
  }
  x = 2 * x + a;
  pthread_mutex_unlock(&mx);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&mx);
  x = x + 2;
  pthread_mutex_unlock(&mx);
  return unused;
}

static void *third(void *unused) {
  pthread_mutex_lock(&my);
  y = y + 2;
  pthread_mutex_unlock(&my);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_create(&threads[2], 0, third, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
