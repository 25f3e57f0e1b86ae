// Strings.

size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n]) ++n;
  return n;
}
size_t strnlen(const char *text, size_t most) {
  size_t n = 0;
  while (n < most && text[n]) ++n;
  return n;
}
char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++]);
  return to;
}
char *stpcpy(char *to, const char *from) {
  while ((*to = *from)) ++to, ++from;
  return to;
}
char *strncpy(char *to, const char *from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i]; ++i) to[i] = from[i];
  for (; i < size; ++i) to[i] = 0;
  return to;
}
char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
char *strncat(char *to, const char *from, size_t size) {
  char *end = to + strlen(to);
  size_t i = 0;
  for (; i < size && from[i]; ++i) end[i] = from[i];
  end[i] = 0;
  return to;
}
int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}
int strncmp(const char *a, const char *b, size_t size) {
  for (; size > 0; --size, ++a, ++b) {
    if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
    if (!*a) return 0;
  }
  return 0;
}
int strcoll(const char *a, const char *b) { return strcmp(a, b); }
char *strchr(const char *text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return (char *)text;
    if (!*text) return 0;
  }
}
char *index(const char *text, int c) { return strchr(text, c); }
char *strchrnul(const char *text, int c) {
  while (*text && *text != (char)c) ++text;
  return (char *)text;
}
char *strrchr(const char *text, int c) {
  const char *last = 0;
  for (;; ++text) {
    if (*text == (char)c) last = text;
    if (!*text) return (char *)last;
  }
}
char *rindex(const char *text, int c) { return strrchr(text, c); }
char *strstr(const char *text, const char *part) {
  for (;; ++text) {
    size_t i = 0;
    while (part[i] && text[i] == part[i]) ++i;
    if (!part[i]) return (char *)text;
    if (!*text) return 0;
  }
}
size_t strspn(const char *text, const char *set) {
  size_t n = 0;
  while (text[n] && strchr(set, text[n])) ++n;
  return n;
}
size_t strcspn(const char *text, const char *set) {
  size_t n = 0;
  while (text[n] && !strchr(set, text[n])) ++n;
  return n;
}
char *strpbrk(const char *text, const char *set) {
  text += strcspn(text, set);
  return *text ? (char *)text : 0;
}
char *strtok_r(char *text, const char *set, char **rest) {
  if (!text) text = *rest;
  if (!text) return 0;
  text += strspn(text, set);
  if (!*text) {
    *rest = 0;
    return 0;
  }
  char *end = text + strcspn(text, set);
  if (*end) *end++ = 0;
  else end = 0;
  *rest = end;
  return text;
}
static char *__heddle_strtok_rest;
char *strtok(char *text, const char *set) { return strtok_r(text, set, &__heddle_strtok_rest); }
char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  return __heddle_copy(__heddle_allocate(size), text, size);
}
char *__strdup(const char *text) { return strdup(text); }
char *strndup(const char *text, size_t most) {
  size_t size = strnlen(text, most);
  char *copy = __heddle_copy(__heddle_allocate(size + 1), text, size);
  copy[size] = 0;
  return copy;
}
static char __heddle_message[] = "error";
char *strerror(int number) { return __heddle_message; }

// ---- Characters, in the locale "C"

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

// ---- Numbers. What does not fit is the number nearest to it, and an error.

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
enum { HEDDLE_ERANGE = 34 };
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
int atoi(const char *text) { return (int)strtol(text, 0, 10); }
long atol(const char *text) { return strtol(text, 0, 10); }
long long atoll(const char *text) { return strtoll(text, 0, 10); }

// ---- Sorting and searching

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *bytes = array;
  for (size_t i = 1; i < count; ++i)
    for (size_t k = i; k > 0 && compare(bytes + (k - 1) * size, bytes + k * size) > 0; --k)
      for (size_t b = 0; b < size; ++b) {
        char c = bytes[(k - 1) * size + b];
        bytes[(k - 1) * size + b] = bytes[k * size + b];
        bytes[k * size + b] = c;
      }
}
void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *at = (const char *)array + middle * size;
    int order = compare(key, at);
    if (order == 0) return (void *)at;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return 0;
}

// ---- The rest of string.h and stdlib.h that threads use

char *strsep(char **text, const char *set) {
  char *begin = *text;
  if (!begin) return 0;
  char *end = begin + strcspn(begin, set);
  *text = *end ? end + 1 : 0;
  *end = 0;
  return begin;
}
void *memccpy(void *to, const void *from, int byte, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    ((char *)to)[i] = ((const char *)from)[i];
    if (((char *)to)[i] == (char)byte) return (char *)to + i + 1;
  }
  return 0;
}
void *memrchr(const void *in, int byte, size_t size) {
  while (size-- > 0) {
    if (((const char *)in)[size] == (char)byte) return (char *)in + size;
  }
  return 0;
}
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
