#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(3);
  strcpy(text, "hi");
  printf("%d %.*s %s\n", 3, 1, text, "constant");
  free(text);
  printf("%-5.1f%s\n", 1.0, text);
  return 0;
}
