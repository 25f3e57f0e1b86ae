// All 256 values of each input are tried where no formula helps.
#include <assert.h>

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  assert((x ^ x >> 1) != 0x5a3);
  return 0;
}
