/* More than an object may have here: nothing is claimed, whichever engine is asked. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(1ul << 40);
  p[5] = 1;
  assert(p[5] == 1);
  return 0;
}
