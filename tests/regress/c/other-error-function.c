// A property may be about any function: then the usual ones are functions like others.
#include <assert.h>

void forbidden(void) {}
void reach_error(void) {}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  reach_error();
  if (x * x == 15625) forbidden();
  assert(x != 1);
  return 0;
}
