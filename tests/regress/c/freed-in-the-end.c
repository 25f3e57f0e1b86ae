// Everything is freed before the process ends.
#include <pthread.h>
#include <stdlib.h>

void *work(void *unused) {
  char *mine = malloc(6);
  mine[0] = 1;
  free(mine);
  return 0;
}

int main(void) {
  pthread_t thread;
  char *own = malloc(2);
  pthread_create(&thread, 0, work, 0);
  free(own);
  pthread_join(thread, 0);
  return 0;
}
