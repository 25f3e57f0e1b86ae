/* The first loop leaves a number behind that the second one counts down.
   With --property termination SAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0;
  for (int i = 0; i < n; i++) x++;
  while (x > 0) x--;
  return 0;
}
