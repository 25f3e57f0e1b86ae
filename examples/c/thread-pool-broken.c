/* As thread-pool.c, but a worker looks at the list and unlinks a job in two critical sections.
   UNSAFE: two workers take the same job. With --property memory: it is freed twice. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 2
#define JOBS 2

struct job {
  int number;
  struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int is_closed;
static int times_done[JOBS];

static struct job *take(void) {
  struct job *job;
  pthread_mutex_lock(&lock);
  while (jobs == NULL && !is_closed) pthread_cond_wait(&changed, &lock);
  job = jobs;
  pthread_mutex_unlock(&lock);
  if (job == NULL) return NULL;
  pthread_mutex_lock(&lock);
  jobs = job->next;
  pthread_mutex_unlock(&lock);
  return job;
}

static void *worker(void *unused) {
  struct job *job;
  (void)unused;
  while ((job = take()) != NULL) {
    times_done[job->number]++;
    free(job);
  }
  return 0;
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, worker, 0);
  for (int i = 0; i < JOBS; i++) {
    struct job *job = malloc(sizeof *job);
    if (job == NULL) abort();
    job->number = i;
    pthread_mutex_lock(&lock);
    job->next = jobs;
    jobs = job;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  is_closed = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  for (int i = 0; i < JOBS; i++) assert(times_done[i] == 1);
  return 0;
}
