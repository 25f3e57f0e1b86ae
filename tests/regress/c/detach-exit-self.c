/* A detached thread outlives pthread_exit of main; pthread_self is equal to the handle. UNSAFE:
   the detached thread runs on and fails. */
#include <assert.h>
#include <pthread.h>

static pthread_t handle;
static int is_set;

static void *worker(void *unused) {
  (void)unused;
  if (is_set) assert(!pthread_equal(handle, pthread_self()));
  pthread_exit((void *)7);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  handle = t;
  is_set = 1;
  pthread_detach(t);
  pthread_exit(0);
}
