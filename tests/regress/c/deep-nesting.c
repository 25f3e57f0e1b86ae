/* An expression that nests 6000 deep: Clang needs more stack for it than there usually is. */
#include <assert.h>

int x;

#define TWICE_10 -~-~-~-~-~-~-~-~-~-~
#define TWICE_100                                                                                  \
  TWICE_10 TWICE_10 TWICE_10 TWICE_10 TWICE_10 TWICE_10 TWICE_10 TWICE_10 TWICE_10 TWICE_10
#define TWICE_1000                                                                                 \
  TWICE_100 TWICE_100 TWICE_100 TWICE_100 TWICE_100 TWICE_100 TWICE_100 TWICE_100 TWICE_100        \
      TWICE_100

int nested(void) { return TWICE_1000 TWICE_1000 TWICE_1000 x; }

int main(void) {
  assert(x == 0);
  return 0;
}
