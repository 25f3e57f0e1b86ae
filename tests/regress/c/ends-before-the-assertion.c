#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int *number = malloc(sizeof *number);
  free(number);
  memset(number, 1, sizeof *number);
  assert(0);
}
