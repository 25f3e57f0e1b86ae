/* A queue with room for two, one producer and one consumer, two condition variables.
   SAFE: elements arrive in order. No data race, no deadlock. */
#include <assert.h>
#include <pthread.h>

#define ROOM 2
#define ELEMENTS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM];
static unsigned first, count;

static void put(int element) {
  pthread_mutex_lock(&lock);
  while (count == ROOM) pthread_cond_wait(&not_full, &lock);
  buffer[(first + count) % ROOM] = element;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  int element;
  pthread_mutex_lock(&lock);
  while (count == 0) pthread_cond_wait(&not_empty, &lock);
  element = buffer[first];
  first = (first + 1) % ROOM;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return element;
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 0; i < ELEMENTS; i++) put(i);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  for (int i = 0; i < ELEMENTS; i++) {
    int element = get();
    assert(element == i);
  }
  pthread_join(thread, 0);
  return 0;
}
