/* A producer pushes five elements, two consumers pop them. A consumer looks at the height in one
   critical section and pops in the next.
   UNSAFE: both consumers see the same last element, and the second pop underflows. */
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

static int is_filled(void) {
  int filled;
  pthread_mutex_lock(&lock);
  filled = height > 0;
  pthread_mutex_unlock(&lock);
  return filled;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 0; i < SIZE; i++) {
    if (is_filled()) {
      pthread_mutex_lock(&lock);
      pop();
      pthread_mutex_unlock(&lock);
    }
  }
  return 0;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, 0, producer, 0);
  pthread_create(&second, 0, consumer, 0);
  pthread_create(&third, 0, consumer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_join(third, 0);
  return 0;
}
