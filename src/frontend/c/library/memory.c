// Memory: copies go by words where both ends allow it, because every access is a step.

void *__heddle_copy(void *to, const void *from, size_t size) {
  size_t i = 0;
  if ((((size_t)to | (size_t)from) & 7) == 0)
    for (; i + 8 <= size; i += 8)
      *(unsigned long long *)((char *)to + i) = *(const unsigned long long *)((const char *)from + i);
  for (; i < size; ++i) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *__heddle_move(void *to, const void *from, size_t size) {
  if ((size_t)to <= (size_t)from) return __heddle_copy(to, from, size);
  for (size_t i = size; i > 0; --i) ((char *)to)[i - 1] = ((const char *)from)[i - 1];
  return to;
}

void *__heddle_fill(void *to, int byte, size_t size) {
  size_t i = 0;
  unsigned long long word = (unsigned char)byte * 0x0101010101010101ull;
  if (((size_t)to & 7) == 0)
    for (; i + 8 <= size; i += 8) *(unsigned long long *)((char *)to + i) = word;
  for (; i < size; ++i) ((char *)to)[i] = (char)byte;
  return to;
}

// What functions of output read. (A null text is printed as "(null)".)
void __heddle_read_bytes(const void *from, size_t size) {
  for (size_t i = 0; i < size; ++i) (void)((const volatile char *)from)[i];
}
void __heddle_read_text(const char *text, int most) {
  for (int i = 0; (most < 0 || i < most) && text[i]; ++i) {}
}
void __heddle_read_printed(const char *text, int most) {
  if (text) __heddle_read_text(text, most);
}
// A number of `size` bytes, of which we know nothing (%n).
void __heddle_put_any(void *to, int size) {
  if (size == 1) *(signed char *)to = __VERIFIER_nondet_char();
  if (size == 2) *(short *)to = (short)__VERIFIER_nondet_int();
  if (size == 4) *(int *)to = __VERIFIER_nondet_int();
  if (size == 8) *(long long *)to = (long long)__VERIFIER_nondet_ulonglong();
}

void *memcpy(void *to, const void *from, size_t size) { return __heddle_copy(to, from, size); }
void *memmove(void *to, const void *from, size_t size) { return __heddle_move(to, from, size); }
void *memset(void *to, int byte, size_t size) { return __heddle_fill(to, byte, size); }
void bzero(void *to, size_t size) { __heddle_fill(to, 0, size); }
void *mempcpy(void *to, const void *from, size_t size) {
  return (char *)__heddle_copy(to, from, size) + size;
}

int memcmp(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    unsigned char x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}
int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

void *memchr(const void *in, int byte, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (((const unsigned char *)in)[i] == (unsigned char)byte) return (char *)in + i;
  return 0;
}

void *malloc(size_t size) { return __heddle_allocate(size); }
void free(void *object) { __heddle_free(object); }

void *calloc(size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) return 0;
  return __heddle_allocate_zeroed(count * size);
}

void *realloc(void *object, size_t size) {
  if (!object) return __heddle_allocate(size);
  if (size == 0) {  // as glibc does it
    __heddle_free(object);
    return 0;
  }
  size_t old = __heddle_object_size(object);
  void *moved = __heddle_allocate(size);
  __heddle_copy(moved, object, old < size ? old : size);
  __heddle_free(object);
  return moved;
}

void *reallocarray(void *object, size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) return 0;
  return realloc(object, count * size);
}

// Objects of their own lie at multiples of large powers of two already.
static void *__heddle_allocate_at(size_t alignment, size_t size) {
  void *object = __heddle_allocate(size);
  if (((size_t)object & (alignment - 1)) != 0)
    __heddle_unsupported("memory with an alignment as large as this");
  return object;
}
void *memalign(size_t alignment, size_t size) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    *__errno_location() = HEDDLE_EINVAL;
    return 0;
  }
  return __heddle_allocate_at(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void *valloc(size_t size) { return __heddle_allocate_at(4096, size); }
void *pvalloc(size_t size) { return valloc((size + 4095) & ~(size_t)4095); }
int posix_memalign(void **to, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return HEDDLE_EINVAL;
  *to = __heddle_allocate_at(alignment, size);
  return 0;
}
size_t malloc_usable_size(void *object) { return object ? __heddle_object_size(object) : 0; }

// Memory of its own that is all zero (MAP_ANONYMOUS), and given back whole; it cannot be lost.
void *mmap(void *at, size_t size, int protection, int flags, int file, long offset) {
  if (size == 0) {
    *__errno_location() = HEDDLE_EINVAL;
    return (void *)-1;
  }
  if (!(flags & 0x20) || flags & 0x10) __heddle_unsupported("mmap of files, or at an address");
  void *object = __heddle_allocate_hidden(size);
  return __heddle_fill(object, 0, size);
}
int munmap(void *at, size_t size) {
  if (size != __heddle_object_size(at)) __heddle_unsupported("munmap of a part");
  __heddle_free(at);
  return 0;
}
int mprotect(void *at, size_t size, int protection) { return 0; }
int madvise(void *at, size_t size, int advice) { return 0; }
int mlock(const void *at, size_t size) { return __heddle_success(); }
int munlock(const void *at, size_t size) { return __heddle_success(); }
