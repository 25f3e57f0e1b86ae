// Formatted input. Calls of sscanf with a constant format are translated to calls of these: `at`
// is where the text goes on, 0 after a mismatch.

const char *__heddle_scan_space(const char *at) {
  if (at) {
    while (*at == ' ' || (*at >= 9 && *at <= 13)) ++at;
  }
  return at;
}
const char *__heddle_scan_literal(const char *at, int c) {
  return at && *at == (char)c ? at + 1 : 0;
}
static void __heddle_put(void *to, int size, unsigned long long value) {
  if (size == 1) *(unsigned char *)to = (unsigned char)value;
  if (size == 2) *(unsigned short *)to = (unsigned short)value;
  if (size == 4) *(unsigned *)to = (unsigned)value;
  if (size == 8) *(unsigned long long *)to = value;
}
static int __heddle_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}
// `to` is 0 if the conversion does not store.
const char *__heddle_scan_number(const char *at, void *to, int size, int base, int width) {
  at = __heddle_scan_space(at);
  if (!at) return 0;
  int negative = *at == '-';
  if (*at == '-' || *at == '+') {
    ++at;
    --width;
  }
  if ((base == 0 || base == 16) && width > 1 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    at += 2;
    width -= 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;
  unsigned long long value = 0;
  int digits = 0;
  for (; width > 0 && __heddle_digit(*at) < base; ++at, --width, ++digits) {
    value = value * (unsigned)base + (unsigned)__heddle_digit(*at);
  }
  if (!digits) return 0;
  if (to) __heddle_put(to, size, negative ? 0 - value : value);
  return at;
}
const char *__heddle_scan_characters(const char *at, char *to, int width) {
  if (!at) return 0;
  for (int i = 0; i < width; ++i, ++at) {
    if (!*at) return 0;
    if (to) to[i] = *at;
  }
  return at;
}
const char *__heddle_scan_word(const char *at, char *to, int width) {
  at = __heddle_scan_space(at);
  if (!at || !*at) return 0;
  int i = 0;
  for (; i < width && *at && !(*at == ' ' || (*at >= 9 && *at <= 13)); ++i, ++at) {
    if (to) to[i] = *at;
  }
  if (to) to[i] = 0;
  return at;
}
// Where the text goes on, or where what did not match began.
const char *__heddle_scan_place(const char *at, const char *before) { return at ? at : before; }
// -1 if nothing was stored and the text was at its end there, as glibc counts.
int __heddle_scan_result(int count, const char *at, const char *place) {
  return count > 0 || at || *place ? count : -1;
}

// The same for scanf and fscanf, which read anything: whether the conversion succeeds.
int __heddle_input_number(int goes_on, void *to, int size) {
  if (!goes_on || __VERIFIER_nondet_bool()) return 0;
  if (to) __heddle_put(to, size, __VERIFIER_nondet_ulonglong());
  return 1;
}
int __heddle_input_characters(int goes_on, char *to, int width) {
  if (!goes_on || __VERIFIER_nondet_bool()) return 0;
  for (int i = 0; to && i < width; ++i) to[i] = __VERIFIER_nondet_char();
  return 1;
}
int __heddle_input_word(int goes_on, char *to, int width) {
  if (!goes_on || __VERIFIER_nondet_bool()) return 0;
  if (!to) return 1;
  int i = 0;
  while (i < width) {
    char c = __VERIFIER_nondet_char();
    if (c == 0) break;
    to[i++] = c;
  }
  __heddle_assume(i > 0);
  to[i] = 0;
  return 1;
}
int __heddle_input_result(int count) {
  return count == 0 && __VERIFIER_nondet_bool() ? -1 : count;
}

