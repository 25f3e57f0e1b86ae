/* Both threads get the address of the same loop variable. UNSAFE: both may see 1. */
#include <assert.h>
#include <pthread.h>

static int count[3];

static void *worker(void *argument) {
  __sync_fetch_and_add(&count[*(int *)argument], 1);
  return 0;
}

int main(void) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; ++i) pthread_create(&t[i], 0, worker, &i);
  for (int j = 0; j < 2; ++j) pthread_join(t[j], 0);
  assert(count[0] == 1);
  return 0;
}
