/* A thread ends while it holds two mutexes. The next one gets its number, but not its mutexes: it
   waits for ever. SAFE. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *first(void *unused) {
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&checking);
  return unused;
}

static void *second(void *which) {
  pthread_mutex_lock(which ? &recursive : &checking);
  assert(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, second, 0);
  pthread_create(&thread, 0, second, &thread);
  return 0;
}
