// Random numbers, which are any.

int rand(void) {
  int value = __VERIFIER_nondet_int();
  __heddle_assume(value >= 0);
  return value;
}
void srand(unsigned seed) {}
long random(void) {
  long value = __VERIFIER_nondet_long();
  __heddle_assume(value >= 0 && value <= 2147483647);
  return value;
}
void srandom(unsigned seed) {}
int rand_r(unsigned *seed) {
  *seed = *seed;  // the next number does not depend on it
  return rand();
}
long lrand48(void) { return random(); }
long mrand48(void) {
  long value = __VERIFIER_nondet_long();
  __heddle_assume(value >= -2147483647 - 1 && value <= 2147483647);
  return value;
}
void srand48(long seed) {}
unsigned arc4random(void) { return __VERIFIER_nondet_uint(); }
unsigned arc4random_uniform(unsigned bound) {
  unsigned value = __VERIFIER_nondet_uint();
  __heddle_assume(bound < 2 ? value == 0 : value < bound);
  return value;
}
void arc4random_buf(void *to, size_t size) { __heddle_any_bytes(to, size); }
long getrandom(void *to, size_t size, unsigned flags) {
  long count = __heddle_count(size);
  if (count > 0) __heddle_any_bytes(to, (size_t)count);
  return count;
}
int getentropy(void *to, size_t size) {
  if (__heddle_success() != 0) return -1;
  __heddle_any_bytes(to, size);
  return 0;
}
