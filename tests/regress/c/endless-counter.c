/* x stays odd, so that the loop does not end; no state comes twice within billions of rounds. */
int main(void) {
  int x = 1;
  unsigned long rounds = 0;
  while (x != 0) {
    x = x + 2;
    rounds++;
  }
  return rounds != 0;
}
