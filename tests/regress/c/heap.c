/* malloc, calloc, realloc and free, shared between threads. SAFE for memory, too. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *value) {
  struct node *n = malloc(sizeof *n);
  n->value = (int)(long)value;
  pthread_mutex_lock(&lock);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, (void *)1);
  pthread_create(&b, 0, push, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int sum = 0;
  while (head) {
    struct node *n = head;
    head = n->next;
    sum += n->value;
    free(n);
  }
  assert(sum == 3);
  int *numbers = calloc(2, sizeof *numbers);
  assert(numbers[1] == 0);
  numbers[1] = 4;
  numbers = realloc(numbers, 4 * sizeof *numbers);
  assert(numbers[1] == 4);
  free(numbers);
  return 0;
}
