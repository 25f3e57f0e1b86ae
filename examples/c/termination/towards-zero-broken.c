/* Jumps over 0: from 1 to -1, and back.
   With --property termination UNSAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x != 0) {
    if (x > 0)
      x = x - 2;
    else
      x = x + 2;
  }
  return 0;
}
