/* A recursive mutex is locked twice by its owner, an error-checking one refuses that. SAFE. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive, checking, fast = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *worker(void *unused) {
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  int seen = shared;
  shared = seen + 1;
  pthread_mutex_unlock(&recursive);
  assert(shared == seen + 1);
  pthread_mutex_unlock(&recursive);
  return unused;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &kind);
  pthread_mutexattr_destroy(&kind);
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_unlock(&checking) == EPERM);
  assert(pthread_mutex_trylock(&fast) == 0);
  assert(pthread_mutex_trylock(&fast) == EBUSY);
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(shared == 2);
  return 0;
}
