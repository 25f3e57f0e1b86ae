#include <assert.h>
#include <stdio.h>

int main(void) {
  int length = 0;
  printf("%s%n", "four", &length);
  assert(length == 0);
  return 0;
}
