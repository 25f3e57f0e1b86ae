/* Falls from above or rises from below: the absolute value falls.
   With --property termination SAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x != 0) {
    if (x > 0)
      x = x - 1;
    else
      x = x + 1;
  }
  return 0;
}
