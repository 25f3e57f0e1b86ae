/* Floating point is reached: the answer is UNKNOWN with the line. */
#include <assert.h>

extern double input(void);

int main(void) {
  double x = input();
  assert(x * 2.0 > x);
  return 0;
}
