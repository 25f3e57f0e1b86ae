/* As nested.c, but i does not grow.
   With --property termination UNSAFE. */
int main(void) {
  int i = 0, j = 0;
  while (i < 10) {
    if (j < 10) {
      j++;
    } else {
      j = 0;
    }
  }
  return 0;
}
