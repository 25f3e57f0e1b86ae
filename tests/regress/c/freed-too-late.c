// Everything is freed, unless the process ends before the thread does.
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

  return 0;
}
