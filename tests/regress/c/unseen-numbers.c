/* No execution shows the program what it computes in floating point. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  const clock_t begin = clock();
  double sum = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], 0, work, 0);
    sum = sum + i * 0.5;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  printf("%f s, %.2f\n", -seconds, sum / 2 * 3 + 1);
#ifdef SEEN
  if (sum > 0.4) count = 0;
#endif
  assert(count == 2);
  return 0;
}
