/* Three philosophers; each takes the left fork first.
   With --property no-deadlock UNSAFE: each holds its left fork and waits for the right one.
   Nobody shares a fork: the assertion holds. */
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
  take(left);
  take(right);
  put_back(right);
  put_back(left);
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
