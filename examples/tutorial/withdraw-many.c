#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *withdraw(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (balance >= 10)
    balance = balance - 10;
  assert(balance >= 0);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t thread;
    pthread_create(&thread, 0, withdraw, 0);
  }
  return 0;
}
