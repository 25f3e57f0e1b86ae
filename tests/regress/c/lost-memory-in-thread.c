// A thread overwrites the only pointer to what another one has allocated, if it comes second.
#include <pthread.h>
#include <stdlib.h>

int *last;

void *work(void *unused) {
  int *mine = malloc(sizeof *mine);
  *mine = 1;
  last = mine;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  last = malloc(8);
  pthread_join(thread, 0);
  free(last);
  return 0;
}
