/* Waits for an input once, then counts down.
   With --property termination SAFE: first the flag falls, then x. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), waits = 1;
  while (x > 0) {
    if (waits) {
      x = __VERIFIER_nondet_int();
      waits = 0;
    } else {
      x--;
    }
  }
  return 0;
}
