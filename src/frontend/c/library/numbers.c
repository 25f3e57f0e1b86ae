// Texts as numbers. What does not fit is the number nearest to it, and an error.

struct __heddle_number {
  unsigned long long value;
  _Bool is_negative;
  _Bool is_too_large;  // for 64 bits
};
static struct __heddle_number __heddle_parse(const char *text, char **end, int base) {
  struct __heddle_number number = {0, 0, 0};
  const char *at = text;
  while (isspace((unsigned char)*at)) ++at;
  number.is_negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') &&
      isxdigit((unsigned char)at[2])) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  const char *first = at;
  for (;; ++at) {
    int digit = isdigit((unsigned char)*at)   ? *at - '0'
                : isalpha((unsigned char)*at) ? tolower((unsigned char)*at) - 'a' + 10
                                              : 99;
    if (digit >= base) break;
    if (number.value > (~0ull - (unsigned)digit) / (unsigned)base) number.is_too_large = 1;
    number.value = number.value * (unsigned)base + (unsigned)digit;
  }
  if (end) *end = (char *)(at == first ? text : at);
  return number;
}
static long long __heddle_signed(struct __heddle_number number, unsigned long long most) {
  unsigned long long limit = number.is_negative ? most + 1 : most;
  if (number.is_too_large || number.value > limit) {
    *__errno_location() = HEDDLE_ERANGE;
    number.value = limit;
  }
  return (long long)(number.is_negative ? -number.value : number.value);
}
static unsigned long long __heddle_unsigned(struct __heddle_number number,
                                            unsigned long long most) {
  if (number.is_too_large || number.value > most) {
    *__errno_location() = HEDDLE_ERANGE;
    return most;
  }
  return number.is_negative ? -number.value : number.value;
}
long strtol(const char *text, char **end, int base) {
  return (long)__heddle_signed(__heddle_parse(text, end, base), ~0ul >> 1);
}
unsigned long strtoul(const char *text, char **end, int base) {
  return (unsigned long)__heddle_unsigned(__heddle_parse(text, end, base), ~0ul);
}
long long strtoll(const char *text, char **end, int base) {
  return __heddle_signed(__heddle_parse(text, end, base), ~0ull >> 1);
}
unsigned long long strtoull(const char *text, char **end, int base) {
  return __heddle_unsigned(__heddle_parse(text, end, base), ~0ull);
}
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}
long long strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtoumax(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}
long long __isoc23_strtoll(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}
int atoi(const char *text) { return (int)strtol(text, 0, 10); }
long atol(const char *text) { return strtol(text, 0, 10); }
long long atoll(const char *text) { return strtoll(text, 0, 10); }

// ---- Division

struct __heddle_int_division {
  int quotient, remainder;
};
struct __heddle_int_division div(int a, int b) {
  struct __heddle_int_division result = {a / b, a % b};
  return result;
}
struct __heddle_long_division {
  long quotient, remainder;
};
struct __heddle_long_division ldiv(long a, long b) {
  struct __heddle_long_division result = {a / b, a % b};
  return result;
}
struct __heddle_long_long_division {
  long long quotient, remainder;
};
struct __heddle_long_long_division lldiv(long long a, long long b) {
  struct __heddle_long_long_division result = {a / b, a % b};
  return result;
}
