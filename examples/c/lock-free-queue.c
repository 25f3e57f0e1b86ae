/* A ring for one producer and one consumer: each side writes its own index only, and that last.
   SAFE: elements arrive in order. No data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROOM 2
#define ELEMENTS 3

static int ring[ROOM];
static atomic_uint written, taken;

static void *producer(void *unused) {
  (void)unused;
  for (unsigned i = 0; i < ELEMENTS; i++) {
    while (i - atomic_load(&taken) == ROOM) {
    }
    ring[i % ROOM] = (int)i;
    atomic_store(&written, i + 1);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  for (unsigned i = 0; i < ELEMENTS; i++) {
    int element;
    while (atomic_load(&written) == i) {
    }
    element = ring[i % ROOM];
    assert(element == (int)i);
    atomic_store(&taken, i + 1);
  }
  pthread_join(thread, 0);
  return 0;
}
