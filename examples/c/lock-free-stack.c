/* Treiber's stack: nodes are pushed and popped with compare-and-swap; memory is never reused.
   SAFE: each of the two elements is popped once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int element;
  struct node *next;
};

static struct node nodes[2];
static _Atomic(struct node *) top;
static atomic_int popped[2];

static void push(struct node *node) {
  struct node *seen = atomic_load(&top);
  do {
    node->next = seen;
  } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static struct node *pop(void) {
  struct node *seen = atomic_load(&top);
  while (seen != NULL && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {
  }
  return seen;
}

static void *work(void *which) {
  struct node *mine = which;
  struct node *taken;
  push(mine);
  taken = pop();
  assert(taken != NULL);
  assert(atomic_fetch_add(&popped[taken->element], 1) == 0);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    nodes[i].element = i;
    pthread_create(&threads[i], 0, work, &nodes[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
