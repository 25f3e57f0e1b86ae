/* x falls, or y falls and x becomes anything.
   With --property termination SAFE: the pair (y, x) falls. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0 && y > 0) {
    if (__VERIFIER_nondet_int()) {
      x = x - 1;
    } else {
      x = __VERIFIER_nondet_int();
      y = y - 1;
    }
  }
  return 0;
}
