/* The same, but a step may be 0.
   With --property termination UNSAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 0) {
    int step = __VERIFIER_nondet_int();
    if (step < 0 || step > 100) step = 1;
    x = x - step;
  }
  return 0;
}
