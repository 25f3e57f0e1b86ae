/* Proved without looking at all executions: the answer says that some of them end before. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;
static unsigned *total;

static void *add(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    count++;
    *total = count;
    assert(*total == count);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  total = malloc(sizeof *total);
  pthread_create(&thread, 0, add, 0);
  pthread_create(&thread, 0, add, 0);
  free(total);
  pthread_join(thread, 0);
  return 0;
}
