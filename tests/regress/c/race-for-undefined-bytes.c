/* The write makes the bytes defined that the other thread reads. */
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *write_it(void *unused) {
  *shared = 8;
  return unused;
}

int main(void) {
  pthread_t thread;
  shared = malloc(sizeof(int));
  pthread_create(&thread, 0, write_it, 0);
  int value = *shared;
  return value == 8;
}
