/* x stays even, and wraps around to 0 in the end. */
int main(void) {
  int x = 2;
  while (x != 0) x = x + 2;
  return 0;
}
