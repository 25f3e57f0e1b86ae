#include <pthread.h>

static int divisor = 2;
static int result;

static void *change(void *unused) {
  divisor = DIVISOR;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  result = 7 / divisor;
  pthread_join(thread, 0);
  return 0;
}
