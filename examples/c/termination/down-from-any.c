/* Counts down from a number that comes from outside, by steps that come from outside, too.
   With --property termination SAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 0) {
    int step = __VERIFIER_nondet_int();
    if (step < 1 || step > 100) step = 1;
    x = x - step;
  }
  return 0;
}
