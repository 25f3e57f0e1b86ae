/* A producer pushes five elements, a consumer pops them; every access holds the lock.
   SAFE: the stack never underflows or overflows. No data race. */
#include <assert.h>
#include <pthread.h>

#define SIZE 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int elements[SIZE];
static int height;

static void push(int element) {
  assert(height < SIZE);
  elements[height] = element;
  height++;
}

static int pop(void) {
  assert(height > 0);
  height--;
  return elements[height];
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
    push(i);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
    if (height > 0) pop();
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, producer, 0);
  pthread_create(&second, 0, consumer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
