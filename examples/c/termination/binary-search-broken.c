/* Binary search for a number between 0 and a million, without the + 1.
   With --property termination UNSAFE: an interval of two numbers does not shrink. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, high = 1000000;
  while (low < high) {
    int middle = (low + high) / 2;
    if (__VERIFIER_nondet_int()) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return 0;
}
