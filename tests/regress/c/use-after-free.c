/* A thread may read what main has freed. */
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *reader(void *unused) {
  (void)unused;
  return (void *)(long)*shared;
}

int main(void) {
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  free(shared);
  pthread_join(t, 0);
  return 0;
}
