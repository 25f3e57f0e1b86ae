/* An object whose size is not known, or is large, has no far end. */
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char *large = malloc(1ul << 27);
  large[1ul << 26] = 1;
  unsigned pages = __VERIFIER_nondet_uint();
  if (pages != 30 && pages != 40) return 0;
  char *open = malloc(pages * 4096ul);
  open[90000] = 2;
#ifdef BROKEN
  assert(open[90000] != 2);
#endif
  return large[1ul << 26];
}
