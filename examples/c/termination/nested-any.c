/* A loop in a loop, with bounds that come from outside.
   With --property termination SAFE: either j grows, or i grows and j begins anew. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
    }
  return 0;
}
