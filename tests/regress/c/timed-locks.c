/* Calls with a time limit give up: nobody waits for ever. What they return is right: SAFE. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t book = PTHREAD_RWLOCK_INITIALIZER;
static sem_t units;
static struct timespec now;
static int written;

static void *worker(void *unused) {
  if (pthread_mutex_timedlock(&lock, &now) == 0) {
    written++;
    pthread_mutex_unlock(&lock);
  }
  sem_timedwait(&units, &now);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&units, 0, 0);
  pthread_rwlock_rdlock(&book);
  assert(pthread_rwlock_timedwrlock(&book, &now) == ETIMEDOUT);
  pthread_mutex_lock(&lock);
  pthread_create(&t, 0, worker, 0);
  assert(pthread_mutex_timedlock(&lock, &now) == ETIMEDOUT);
  int is_late = pthread_tryjoin_np(t, 0);
  assert(written == 0);
  pthread_mutex_unlock(&lock);
  if (is_late) pthread_join(t, 0);
  assert(written <= 1);
  return 0;
}
