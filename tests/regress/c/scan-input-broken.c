// scanf reads anything, and may fail.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 1, b = 2;
  if (scanf("%d %d", &a, &b) != 2) return 0;
  assert(a != 5 || b != 6);
}
