/* Seven philosophers. Each reads its number from the stack of main, which waits for it, and takes the
   fork with the smaller number first. */
#include <pthread.h>

#define SEATS 7

static pthread_mutex_t forks[SEATS];
static int meals[SEATS];

static void *dine(void *seat) {
  int left = *(int *)seat;
  int right = (left + 1) % SEATS;
  int first = left < right ? left : right;
  int second = left < right ? right : left;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  meals[left] = 1;
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  pthread_t threads[SEATS];
  int seats[SEATS];
  for (int i = 0; i < SEATS; i++) {
    seats[i] = i;
    pthread_create(&threads[i], 0, dine, &seats[i]);
  }
  for (int i = 0; i < SEATS; i++) pthread_join(threads[i], 0);
  return 0;
}
