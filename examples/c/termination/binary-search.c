/* Binary search for a number between 0 and a million.
   With --property termination SAFE: the interval shrinks. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, high = 1000000;
  while (low < high) {
    int middle = (low + high) / 2;
    if (__VERIFIER_nondet_int()) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 0;
}
