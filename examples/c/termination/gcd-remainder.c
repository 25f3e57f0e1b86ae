/* Euclid's algorithm with remainders, for any two numbers.
   With --property termination SAFE: b falls, since a remainder is less than its divisor. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  while (b != 0) {
    unsigned r = a;
    while (r >= b) r = r - b;
    a = b;
    b = r;
  }
  return 0;
}
