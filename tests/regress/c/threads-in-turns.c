#include <assert.h>
#include <pthread.h>

/* Two threads add 1 in turn: the number becomes 3 in two rounds, and main sees it in the third. */
int number;

void *even(void *unused) {
  for (int i = 0; i < 2; i++)
    if (number % 2 == 0) number = number + 1;
  return 0;
}

void *odd(void *unused) {
  if (number % 2 == 1) number = number + 1;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, even, 0);
  pthread_create(&b, 0, odd, 0);
  assert(number != 3);
  return 0;
}
