/* Two readers and a writer share two numbers that are equal, under a read-write lock.
   The writer takes it for reading.
   UNSAFE: a reader finds them different. Both numbers are data races. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *reader(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  assert(left == right);
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  left++;
  right++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  pthread_create(&threads[2], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
