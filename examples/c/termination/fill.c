/* Fills a part of an array that an input chooses.
   With --property termination SAFE: every access is inside the array. */
extern int __VERIFIER_nondet_int(void);

static int places[32];

int main(void) {
  int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
  if (from < 0 || to > 32) return 0;
  for (int i = from; i < to; i++) places[i] = 1;
  return 0;
}
