// Input and output. Output has no effect that a program can see; what is read is anything.

static _Thread_local int __heddle_errno;
int *__errno_location(void) { return &__heddle_errno; }
static _Thread_local int __heddle_h_errno;
int *__h_errno_location(void) { return &__heddle_h_errno; }

struct __heddle_file {
  int unused;
};
static struct __heddle_file __heddle_files[4];
struct __heddle_file *stdin = &__heddle_files[0];
struct __heddle_file *stdout = &__heddle_files[1];
struct __heddle_file *stderr = &__heddle_files[2];

// A count up to `most`, or -1 with an error number.
long __heddle_count(size_t most) {
  long count = __VERIFIER_nondet_long();
  __heddle_assume(count >= -1 && (count < 0 || (size_t)count <= most));
  if (count < 0) __heddle_errno = __VERIFIER_nondet_int();
  return count;
}
int __heddle_success(void) {
  if (__VERIFIER_nondet_bool()) return 0;
  __heddle_errno = __VERIFIER_nondet_int();
  return -1;
}
int __heddle_descriptor(void) {
  int file = __VERIFIER_nondet_int();
  __heddle_assume(file >= -1);
  if (file < 0) __heddle_errno = __VERIFIER_nondet_int();
  return file;
}

// ---- Output

int printf(const char *format, ...) { return __VERIFIER_nondet_int(); }
int fprintf(void *file, const char *format, ...) { return __VERIFIER_nondet_int(); }
int dprintf(int file, const char *format, ...) { return __VERIFIER_nondet_int(); }
int vprintf(const char *format, __builtin_va_list list) { return __VERIFIER_nondet_int(); }
int vfprintf(void *file, const char *format, __builtin_va_list list) {
  return __VERIFIER_nondet_int();
}
int vdprintf(int file, const char *format, __builtin_va_list list) {
  return __VERIFIER_nondet_int();
}
int puts(const char *text) { return __VERIFIER_nondet_int(); }
int fputs(const char *text, void *file) { return __VERIFIER_nondet_int(); }
int putchar(int c) { return __VERIFIER_nondet_int(); }
int fputc(int c, void *file) { return __VERIFIER_nondet_int(); }
int putc(int c, void *file) { return __VERIFIER_nondet_int(); }
int putchar_unlocked(int c) { return __VERIFIER_nondet_int(); }
int putc_unlocked(int c, void *file) { return __VERIFIER_nondet_int(); }
int fflush(void *file) { return __VERIFIER_nondet_int(); }
void perror(const char *text) {}
size_t fwrite(const void *from, size_t size, size_t count, void *file) {
  size_t written = __VERIFIER_nondet_ulong();
  __heddle_assume(written <= count);
  return written;
}
long write(int file, const void *from, size_t size) { return __heddle_count(size); }
long pwrite(int file, const void *from, size_t size, long at) { return __heddle_count(size); }
long sendto(int file, const void *from, size_t size, int flags, const void *to, unsigned length) {
  return __heddle_count(size);
}
long send(int file, const void *from, size_t size, int flags) { return __heddle_count(size); }

// ---- Files

void *fopen(const char *name, const char *mode) {
  if (__VERIFIER_nondet_bool()) return &__heddle_files[3];
  __heddle_errno = __VERIFIER_nondet_int();
  return 0;
}
void *fdopen(int file, const char *mode) { return fopen("", mode); }
int fclose(void *file) { return __heddle_success(); }
int feof(void *file) { return __VERIFIER_nondet_int(); }
int ferror(void *file) { return __VERIFIER_nondet_int(); }
int fileno(void *file) { return __heddle_descriptor(); }
int fseek(void *file, long offset, int whence) { return __heddle_success(); }
int fseeko(void *file, long offset, int whence) { return __heddle_success(); }
void rewind(void *file) {}
long ftell(void *file) { return __heddle_count(~(size_t)0 >> 1); }
long ftello(void *file) { return __heddle_count(~(size_t)0 >> 1); }
void clearerr(void *file) {}
void *freopen(const char *name, const char *mode, void *file) {
  if (__VERIFIER_nondet_bool()) return file;
  __heddle_errno = __VERIFIER_nondet_int();
  return 0;
}
void *tmpfile(void) { return fopen("", ""); }
void *popen(const char *command, const char *mode) { return fopen("", ""); }
int pclose(void *file) { return __VERIFIER_nondet_int(); }
void setbuf(void *file, char *buffer) {}
void setlinebuf(void *file) {}
int setvbuf(void *file, char *buffer, int mode, size_t size) { return __heddle_success(); }
int open(const char *name, int flags, ...) { return __heddle_descriptor(); }
int close(int file) { return __heddle_success(); }
int unlink(const char *name) { return __heddle_success(); }
int dup(int file) { return __heddle_descriptor(); }
int dup2(int file, int to) { return __heddle_success() == 0 ? to : -1; }
int pipe(int *ends) {
  if (__heddle_success() != 0) return -1;
  ends[0] = __heddle_from_to(0, 1 << 20);
  ends[1] = __heddle_from_to(0, 1 << 20);
  __heddle_assume(ends[0] != ends[1]);
  return 0;
}
int fcntl(int file, int command, ...) {
  if (command >= 5 && command <= 7) __heddle_unsupported("fcntl with locks");
  return __heddle_descriptor();
}
int creat(const char *name, unsigned mode) { return __heddle_descriptor(); }
int mkstemp(char *name) {
  __heddle_any_bytes(name + strlen(name) - 6, 6);
  return __heddle_descriptor();
}
int access(const char *name, int mode) { return __heddle_success(); }
int chdir(const char *name) { return __heddle_success(); }
int chmod(const char *name, unsigned mode) { return __heddle_success(); }
int mkdir(const char *name, unsigned mode) { return __heddle_success(); }
int rmdir(const char *name) { return __heddle_success(); }
int link(const char *from, const char *to) { return __heddle_success(); }
int symlink(const char *from, const char *to) { return __heddle_success(); }
int truncate(const char *name, long size) { return __heddle_success(); }
int ftruncate(int file, long size) { return __heddle_success(); }
int fsync(int file) { return __heddle_success(); }
int fdatasync(int file) { return __heddle_success(); }
void sync(void) {}
int flock(int file, int operation) { return __heddle_success(); }
// What the system knows about a file. Where the structure has another size than with 8-byte
// pointers, it is not modelled.
static int __heddle_about_file(void *to) {
  if (sizeof(void *) != 8) __heddle_unsupported("stat with 4-byte pointers");
  if (__heddle_success() != 0) return -1;
  unsigned long long *words = to;
  for (int i = 0; i < 15; ++i) words[i] = __VERIFIER_nondet_ulonglong();
  // st_size, st_blksize, st_blocks
  __heddle_assume((long long)words[6] >= 0 && (long long)words[7] > 0 && (long long)words[8] >= 0);
  return 0;
}
int __xstat(int version, const char *name, void *to) { return __heddle_about_file(to); }
int __lxstat(int version, const char *name, void *to) { return __heddle_about_file(to); }
int __fxstat(int version, int file, void *to) { return __heddle_about_file(to); }
int stat(const char *name, void *to) { return __heddle_about_file(to); }
int lstat(const char *name, void *to) { return __heddle_about_file(to); }
int fstat(int file, void *to) { return __heddle_about_file(to); }
char *getcwd(char *to, size_t size) {
  if (!to) __heddle_unsupported("getcwd that allocates");
  if (__heddle_success() != 0) return 0;
  __heddle_any_text(to, size);
  return to;
}
// ---- Input

long read(int file, void *to, size_t size) {
  long count = __heddle_count(size);
  if (count > 0) __heddle_any_bytes(to, (size_t)count);
  return count;
}
long recv(int file, void *to, size_t size, int flags) { return read(file, to, size); }
long recvfrom(int file, void *to, size_t size, int flags, void *address, unsigned *length) {
  if (address) __heddle_unsupported("recvfrom that tells the address");
  return read(file, to, size);
}
long pread(int file, void *to, size_t size, long at) { return read(file, to, size); }
size_t fread(void *to, size_t size, size_t count, void *file) {
  size_t got = __VERIFIER_nondet_ulong();
  __heddle_assume(got <= count);
  __heddle_any_bytes(to, got * size);
  return got;
}
int fgetc(void *file) {
  int c = __VERIFIER_nondet_int();
  __heddle_assume(c >= -1 && c <= 255);
  return c;
}
int getc(void *file) { return fgetc(file); }
int getchar(void) { return fgetc(stdin); }
int getc_unlocked(void *file) { return fgetc(file); }
int getchar_unlocked(void) { return fgetc(stdin); }
int ungetc(int c, void *file) {
  // What is read next may be anything, hence this character as well.
  return c == -1 || __VERIFIER_nondet_bool() ? -1 : (unsigned char)c;
}
char *fgets(char *to, int size, void *file) {
  if (size <= 0 || __VERIFIER_nondet_bool()) return 0;
  int i = 0;
  for (; i + 1 < size; ++i) {
    char c = __VERIFIER_nondet_char();
    if (c == 0) break;
    to[i] = c;
    if (c == '\n') {
      ++i;
      break;
    }
  }
  to[i] = 0;
  return to;
}

// ---- Trees of files

int ftw(const char *name, int (*visit)(const char *, const void *, int), int descriptors) {
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) __heddle_unsupported("ftw with names of four characters or more");
    char found[4];
    unsigned long long about[18];
    __heddle_any_text(found, sizeof found);
    for (int i = 0; i < 18; ++i) about[i] = __VERIFIER_nondet_ulonglong();
    int result = visit(found, about, __heddle_from_to(0, 3));
    if (result != 0) return result;
  }
  return __heddle_success();
}

// ---- Terminals

int tcgetattr(int file, void *to) {
  if (__heddle_success() != 0) return -1;
  unsigned *words = to;
  for (int i = 0; i < 15; ++i) words[i] = __VERIFIER_nondet_uint();
  return 0;
}
int tcsetattr(int file, int when, const void *from) { return __heddle_success(); }
