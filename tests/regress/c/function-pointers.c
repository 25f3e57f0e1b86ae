/* A table of functions, indexed by a variable, called by threads. SAFE. */
#include <assert.h>
#include <pthread.h>

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*const table[2])(int) = {twice, square};
static int result[2];

static void *worker(void *argument) {
  int i = *(int *)argument;
  result[i] = table[i](5);
  return 0;
}

int main(void) {
  pthread_t t[2];
  int index[2];
  for (int i = 0; i < 2; ++i) {
    index[i] = i;
    pthread_create(&t[i], 0, worker, &index[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  assert(result[0] == 10 && result[1] == 25);
  return 0;
}
