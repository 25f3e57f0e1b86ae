/* Main waits in a loop until the other thread has set a flag.
   With --property termination UNSAFE: without fairness, the other thread never has its turn. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (!flag) {
  }
  pthread_join(thread, 0);
  return 0;
}
