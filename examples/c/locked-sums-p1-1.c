/* Written by generate-locked-sums p1 1.
   SAFE: x is not 11 at the end. */
#include <assert.h>
#include <pthread.h>

static int x = 2, y = 2;
static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER, my = PTHREAD_MUTEX_INITIALIZER;

static void *thread1(void *unused) {
  int a;
  (void)unused;
  pthread_mutex_lock(&mx);
  a = x;
  pthread_mutex_lock(&my);
  y = y + a;
  pthread_mutex_unlock(&my);
  a = a + 1;
  pthread_mutex_lock(&my);
  y = y + a;
  pthread_mutex_unlock(&my);
  x = 2 * x + a;
  pthread_mutex_unlock(&mx);
  return 0;
}

static void *thread2(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mx);
  x = x + 2;
  pthread_mutex_unlock(&mx);
  return 0;
}

static void *thread3(void *unused) {
  (void)unused;
  pthread_mutex_lock(&my);
  y = y + 2;
  pthread_mutex_unlock(&my);
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_create(&t3, 0, thread3, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  assert(x != 11);
  return 0;
}
