/* As lock-free-queue.c, but the producer announces an element before it has written it.
   UNSAFE: the consumer reads an old element. The ring is a data race, too. */
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
    atomic_store(&written, i + 1);
    ring[i % ROOM] = (int)i;
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
