// Anything, within bounds.

int __heddle_from_to(int first, int last) {
  int value = __VERIFIER_nondet_int();
  __heddle_assume(value >= first && value <= last);
  return value;
}
void __heddle_any_bytes(void *to, size_t size) {
  for (size_t i = 0; i < size; ++i) ((char *)to)[i] = __VERIFIER_nondet_char();
}
void __heddle_any_text(char *to, size_t size) {
  size_t i = 0;
  for (; i + 1 < size; ++i) {
    char c = __VERIFIER_nondet_char();
    if (c == 0) break;
    to[i] = c;
  }
  if (size != 0) to[i] = 0;
}
