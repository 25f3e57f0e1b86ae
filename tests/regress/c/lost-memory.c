// Every access is valid, but an object is lost.
#include <stdlib.h>

int main(void) {
  char *text = malloc(3);
  if (text) text[2] = 0;
  text = 0;
  return 0;
}
