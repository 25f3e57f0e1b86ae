#include <assert.h>
#include <err.h>
#include <stdlib.h>

static void leave(void) { assert(0); }

int main(void) {
  atexit(leave);
  errx(1, "no");
}
