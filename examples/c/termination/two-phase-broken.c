/* As two-phase.c, but y stops at 0.
   With --property termination UNSAFE: then x stays as it is. */
int main(void) {
  int x = 1, y = 10;
  while (x > 0) {
    x = x + y;
    if (y > 0) y = y - 1;
  }
  return 0;
}
