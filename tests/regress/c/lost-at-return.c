// A variable of main ends before the process does.
#include <stdlib.h>

int main(void) {
  char *text = malloc(5);
  text[0] = 'a';
  return 0;
}
