/* `keep` leaves a pointer to its variable, which is gone when the thread of `use` has one in its
   place. UNSAFE. */
#include <pthread.h>

static int *kept, seen;

static void *keep(void *unused) {
  int gone = 1;
  kept = &gone;
  return unused;
}

static void *use(void *unused) {
  int present = 2;
  int *own = &present;
  *kept = 3;
  seen = *own;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, keep, 0);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, use, 0);
  pthread_join(thread, 0);
  return 0;
}
