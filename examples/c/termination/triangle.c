/* The inner loop runs up to the counter of the outer one.
   With --property termination SAFE. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), work = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j > 0; j--) work++;
  return work;
}
