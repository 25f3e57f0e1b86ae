/* As two-phase.c, from any two numbers. In the last round y may wrap; nobody reads it any more.
   With --property termination SAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0) {
    x = x + y;
    y = y - 1;
  }
  return 0;
}
