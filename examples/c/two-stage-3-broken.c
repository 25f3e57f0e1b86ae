/* Two writers store a value and then one that is derived from it, each under its own lock. A reader
   takes them in the same order.
   UNSAFE: the reader runs between the two stores of a writer, and finds 1 and 0. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define WRITERS 2
#define READERS 1

static pthread_mutex_t *lock1, *lock2;
static int value, derived;

static pthread_mutex_t *new_lock(void) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (lock == NULL || pthread_mutex_init(lock, NULL) != 0) {
    fprintf(stderr, "no lock\n");
    exit(1);
  }
  return lock;
}

static void *writer(void *unused) {
  (void)unused;
  pthread_mutex_lock(lock1);
  value = 1;
  pthread_mutex_unlock(lock1);

  pthread_mutex_lock(lock2);
  derived = value + 1;
  pthread_mutex_unlock(lock2);
  return 0;
}

static void *reader(void *unused) {
  int seen_value, seen_derived;
  (void)unused;
  pthread_mutex_lock(lock1);
  if (value == 0) {
    pthread_mutex_unlock(lock1);
    return 0;
  }
  seen_value = value;
  pthread_mutex_unlock(lock1);

  pthread_mutex_lock(lock2);
  seen_derived = derived;
  pthread_mutex_unlock(lock2);
  assert(seen_derived == seen_value + 1);
  return 0;
}

int main(void) {
  pthread_t threads[WRITERS + READERS];
  lock1 = new_lock();
  lock2 = new_lock();
  for (int i = 0; i < WRITERS + READERS; i++) {
    if (pthread_create(&threads[i], NULL, i < WRITERS ? writer : reader, NULL) != 0) {
      fprintf(stderr, "no thread\n");
      exit(1);
    }
  }
  for (int i = 0; i < WRITERS + READERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
