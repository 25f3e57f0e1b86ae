// Nothing is lost: a list in a global, what a thread returns, what only a local variable knows when
// the process ends by exit, a pointer just behind an object, and one that is taken apart.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  struct node *next;
} *head;

void *work(void *unused) {
  struct node *n = malloc(sizeof *n);
  n->next = head;
  head = n;
  return malloc(4);
}

int main(void) {
  pthread_t thread;
  void *result;
  for (int i = 0; i < 2; ++i) {
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    free(result);
  }
  int *end = malloc(4);
  end = end + 1;
  end = end - 1;
  uintptr_t number = (uintptr_t)end;
  end = 0;
  free((void *)number);
  char *kept = malloc(1);
  exit(0);
}
