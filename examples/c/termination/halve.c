/* Halves a number until it is 0.
   With --property termination SAFE. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  while (n > 0) n = n / 2;
  return 0;
}
