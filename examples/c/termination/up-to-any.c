/* Counts up to a number that comes from outside.
   With --property termination SAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
  }
  return 0;
}
