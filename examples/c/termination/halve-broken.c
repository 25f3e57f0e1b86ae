/* Halves a number, rounded up.
   With --property termination UNSAFE: half of 1 is 1. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  while (n > 0) n = n / 2 + n % 2;
  return 0;
}
