/* First x grows, then it falls: no single number falls in every round, but y does until it is
   negative, and then x does.
   With --property termination SAFE. */
int main(void) {
  int x = 1, y = 10;
  while (x > 0) {
    x = x + y;
    y = y - 1;
  }
  return 0;
}
