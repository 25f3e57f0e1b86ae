/* scanf stores: the thread and main race for x. */
#include <pthread.h>
#include <stdio.h>

int x;
char c;

static void *work(void *unused) {
  x = 3;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  scanf("%c %*d %d", &c, &x);
  return 0;
}
