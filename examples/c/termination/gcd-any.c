/* Euclid's algorithm by subtraction, for any two positive numbers.
   With --property termination SAFE: a + b falls. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 1 || b < 1) return 0;
  while (a != b) {
    if (a > b) {
      a = a - b;
    } else {
      b = b - a;
    }
  }
  return 0;
}
