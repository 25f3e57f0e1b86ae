/* Three philosophers; each takes the fork with the smaller number first.
   SAFE: nobody shares a fork, and there is no deadlock. */
#include <assert.h>
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};
static int used[SEATS];

static void take(int fork) {
  pthread_mutex_lock(&forks[fork]);
  assert(!used[fork]);
  used[fork] = 1;
}

static void put_back(int fork) {
  used[fork] = 0;
  pthread_mutex_unlock(&forks[fork]);
}

static void *dine(void *seat) {
  int left = *(int *)seat;
  int right = (left + 1) % SEATS;
  int first = left < right ? left : right;
  int second = left < right ? right : left;
  take(first);
  take(second);
  put_back(second);
  put_back(first);
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
