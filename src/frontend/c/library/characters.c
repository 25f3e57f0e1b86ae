// Characters, in the locale "C"

int isdigit(int c) { return c >= '0' && c <= '9'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int isalpha(int c) { return islower(c) || isupper(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }

int strcasecmp(const char *a, const char *b) {
  while (*a && tolower(*a) == tolower(*b)) ++a, ++b;
  return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}
int strncasecmp(const char *a, const char *b, size_t size) {
  for (; size > 0; --size, ++a, ++b) {
    if (tolower(*a) != tolower(*b)) return tolower((unsigned char)*a) - tolower((unsigned char)*b);
    if (!*a) return 0;
  }
  return 0;
}

char *strcasestr(const char *text, const char *part) {
  for (;; ++text) {
    size_t i = 0;
    while (part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) ++i;
    if (!part[i]) return (char *)text;
    if (!*text) return 0;
  }
}

// The tables behind the macros of ctype.h in glibc, filled when they are asked for.
static unsigned short __heddle_classes[384];
static const unsigned short *__heddle_classes_at;
const unsigned short **__ctype_b_loc(void) {
  __heddle_atomic_begin();
  if (!__heddle_classes_at) {
    for (int c = 0; c < 128; ++c)
      __heddle_classes[128 + c] =
          (isupper(c) ? 256 : 0) | (islower(c) ? 512 : 0) | (isalpha(c) ? 1024 : 0) |
          (isdigit(c) ? 2048 : 0) | (isxdigit(c) ? 4096 : 0) | (isspace(c) ? 8192 : 0) |
          (isprint(c) ? 16384 : 0) | (isgraph(c) ? 32768 : 0) | (isblank(c) ? 1 : 0) |
          (iscntrl(c) ? 2 : 0) | (ispunct(c) ? 4 : 0) | (isalnum(c) ? 8 : 0);
    __heddle_classes_at = __heddle_classes + 128;
  }
  __heddle_atomic_end();
  return &__heddle_classes_at;
}
static int __heddle_lower[384], __heddle_upper[384];
static const int *__heddle_lower_at, *__heddle_upper_at;
const int **__ctype_tolower_loc(void) {
  __heddle_atomic_begin();
  if (!__heddle_lower_at) {
    for (int c = -128; c < 256; ++c) __heddle_lower[128 + c] = tolower(c);
    __heddle_lower_at = __heddle_lower + 128;
  }
  __heddle_atomic_end();
  return &__heddle_lower_at;
}
const int **__ctype_toupper_loc(void) {
  __heddle_atomic_begin();
  if (!__heddle_upper_at) {
    for (int c = -128; c < 256; ++c) __heddle_upper[128 + c] = toupper(c);
    __heddle_upper_at = __heddle_upper + 128;
  }
  __heddle_atomic_end();
  return &__heddle_upper_at;
}
