/* Two-stage access: writers set a value under one lock and a number derived from it under another;
   readers take them in the opposite order.
   SAFE: a reader that has seen the second value set finds the first set too. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER;
static int value, derived;

static void *writer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock1);
  value = 1;
  pthread_mutex_unlock(&lock1);

  pthread_mutex_lock(&lock2);
  derived = 2;
  pthread_mutex_unlock(&lock2);
  return 0;
}

static void *reader(void *unused) {
  int seen_derived, seen_value;
  (void)unused;
  pthread_mutex_lock(&lock2);
  seen_derived = derived;
  pthread_mutex_unlock(&lock2);
  if (seen_derived == 0) return 0;

  pthread_mutex_lock(&lock1);
  seen_value = value;
  pthread_mutex_unlock(&lock1);
  assert(seen_derived == seen_value + 1);
  return 0;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0);
  pthread_join(r, 0);
  return 0;
}
