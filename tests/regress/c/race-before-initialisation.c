// Which of the two accesses comes first decides whether the reader finds an undefined word.
#include <pthread.h>
#include <stdlib.h>

int *cell;

void *writer(void *arg) {
  *cell = 8;
  return NULL;
}

int main(void) {
  pthread_t thread;
  cell = malloc(sizeof(int));
  pthread_create(&thread, NULL, writer, NULL);
  return *cell;
}
