/* x falls, or y falls, or x becomes anything.
   With --property termination UNSAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0 && y > 0) {
    int what = __VERIFIER_nondet_int();
    if (what == 0) {
      x = x - 1;
    } else if (what == 1) {
      y = y - 1;
    } else {
      x = __VERIFIER_nondet_int();
    }
  }
  return 0;
}
