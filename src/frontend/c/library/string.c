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

char *strsep(char **text, const char *set) {
  char *begin = *text;
  if (!begin) return 0;
  char *end = begin + strcspn(begin, set);
  if (*end) {
    *end = 0;
    *text = end + 1;
  } else {
    *text = 0;
  }
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
void *memmem(const void *text, size_t length, const void *part, size_t size) {
  for (size_t at = 0; size <= length && at <= length - size; ++at) {
    size_t i = 0;
    while (i < size && ((const char *)text)[at + i] == ((const char *)part)[i]) ++i;
    if (i == size) return (char *)text + at;
  }
  return 0;
}
void *rawmemchr(const void *in, int byte) {
  const unsigned char *at = in;
  while (*at != (unsigned char)byte) ++at;
  return (void *)at;
}
char *stpncpy(char *to, const char *from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i]; ++i) to[i] = from[i];
  for (size_t rest = i; rest < size; ++rest) to[rest] = 0;
  return to + i;
}
size_t strlcpy(char *to, const char *from, size_t size) {
  size_t i = 0;
  for (; i + 1 < size && from[i]; ++i) to[i] = from[i];
  if (size != 0) to[i] = 0;
  return strlen(from);
}
size_t strlcat(char *to, const char *from, size_t size) {
  size_t length = strnlen(to, size);
  return length + strlcpy(to + length, from, size - length);
}
size_t strxfrm(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size != 0) strncpy(to, from, size);
  return length;
}
void explicit_bzero(void *to, size_t size) { __heddle_fill(to, 0, size); }
char *strsignal(int number) { return __heddle_message; }
int __xpg_strerror_r(int number, char *to, size_t size) {
  if (size < sizeof __heddle_message) return HEDDLE_ERANGE;
  strcpy(to, __heddle_message);
  return 0;
}
char *strerror_r(int number, char *to, size_t size) { return __heddle_message; }
