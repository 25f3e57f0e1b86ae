// Returns, breaks and gotos out of blocks with variables: every path has its result.
#include <assert.h>
#include <pthread.h>

int a[4] = {1, 2, 3, 0};

int find(int x) {
  for (int i = 0; i < 4; ++i) {
    int y = a[i];
    if (y == x) return i;
    if (y > 7) break;
  }
  return -1;
}

int nested(int x) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      int sum = a[i] + a[j];
      if (sum == x) return 10 * i + j;
      if (sum > x) goto next;
    }
  next:;
  }
  return -1;
}

void *work(void *unused) {
  assert(find(2) == 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  assert(find(9) == -1);
  assert(nested(5) == 12 && nested(9) == -1);
  pthread_join(thread, 0);
}
