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
static long __heddle_count(size_t most) {
  long count = __VERIFIER_nondet_long();
  __heddle_assume(count >= -1 && (count < 0 || (size_t)count <= most));
  if (count < 0) __heddle_errno = __VERIFIER_nondet_int();
  return count;
}
static int __heddle_success(void) {
  if (__VERIFIER_nondet_bool()) return 0;
  __heddle_errno = __VERIFIER_nondet_int();
  return -1;
}
static int __heddle_descriptor(void) {
  int file = __VERIFIER_nondet_int();
  __heddle_assume(file >= -1);
  if (file < 0) __heddle_errno = __VERIFIER_nondet_int();
  return file;
}
static void __heddle_any_bytes(char *to, size_t size) {
  for (size_t i = 0; i < size; ++i) to[i] = __VERIFIER_nondet_char();
}

// ---- Output

int printf(const char *format, ...) { return __VERIFIER_nondet_int(); }
int fprintf(void *file, const char *format, ...) { return __VERIFIER_nondet_int(); }
int dprintf(int file, const char *format, ...) { return __VERIFIER_nondet_int(); }
int vprintf(const char *format, __builtin_va_list list) { return __VERIFIER_nondet_int(); }
int vfprintf(void *file, const char *format, __builtin_va_list list) {
  return __VERIFIER_nondet_int();
}
int puts(const char *text) { return __VERIFIER_nondet_int(); }
int fputs(const char *text, void *file) { return __VERIFIER_nondet_int(); }
int putchar(int c) { return __VERIFIER_nondet_int(); }
int fputc(int c, void *file) { return __VERIFIER_nondet_int(); }
int putc(int c, void *file) { return __VERIFIER_nondet_int(); }
int fflush(void *file) { return __VERIFIER_nondet_int(); }
void perror(const char *text) {}
size_t fwrite(const void *from, size_t size, size_t count, void *file) {
  size_t written = __VERIFIER_nondet_ulong();
  __heddle_assume(written <= count);
  return written;
}
long write(int file, const void *from, size_t size) { return __heddle_count(size); }
long pwrite(int file, const void *from, size_t size, long at) { return __heddle_count(size); }
long send(int file, const void *from, size_t size, int flags) { return __heddle_count(size); }

// ---- Output to memory. Calls of sprintf and snprintf with a constant format are translated to calls
// of these: `written` is the length of the text so far, of which `size - 1` characters are kept.
// Flags: 1 '-', 2 '+', 4 ' ', 8 '#', 16 '0'.

static size_t __heddle_print_one(char *to, size_t size, size_t written, char c) {
  if (size != 0 && written < size - 1) to[written] = c;
  return written + 1;
}
static size_t __heddle_print_padding(char *to, size_t size, size_t written, int count, char c) {
  for (; count > 0; --count) written = __heddle_print_one(to, size, written, c);
  return written;
}
size_t __heddle_print_text(char *to, size_t size, size_t written, const char *text, int width,
                           int precision, int flags) {
  if (!text) text = precision < 0 || precision > 5 ? "(null)" : "";
  int length = 0;
  while ((precision < 0 || length < precision) && text[length]) ++length;
  if (width < 0) flags |= 1, width = -width;
  if (!(flags & 1)) written = __heddle_print_padding(to, size, written, width - length, ' ');
  for (int i = 0; i < length; ++i) written = __heddle_print_one(to, size, written, text[i]);
  if (flags & 1) written = __heddle_print_padding(to, size, written, width - length, ' ');
  return written;
}
size_t __heddle_print_character(char *to, size_t size, size_t written, int c, int width,
                                int flags) {
  if (width < 0) flags |= 1, width = -width;
  if (!(flags & 1)) written = __heddle_print_padding(to, size, written, width - 1, ' ');
  written = __heddle_print_one(to, size, written, (char)c);
  if (flags & 1) written = __heddle_print_padding(to, size, written, width - 1, ' ');
  return written;
}
size_t __heddle_print_number(char *to, size_t size, size_t written, unsigned long long value,
                             int conversion, int width, int precision, int flags) {
  if (conversion == 'p' && value == 0)
    return __heddle_print_text(to, size, written, "(nil)", width, -1, flags);
  int is_negative = conversion == 'd' && (long long)value < 0;
  if (is_negative) value = 0 - value;
  unsigned base = conversion == 'd' || conversion == 'u' ? 10 : conversion == 'o' ? 8 : 16;
  char digits[24];
  int length = 0;
  for (unsigned long long rest = value; rest != 0; rest /= base) {
    int digit = (int)(rest % base);
    digits[length++] = (char)(digit < 10 ? '0' + digit : (conversion == 'X' ? 'A' : 'a') + digit - 10);
  }
  int zeros = (precision < 0 ? 1 : precision) - length;
  if (zeros < 0) zeros = 0;
  if (conversion == 'o' && flags & 8 && zeros == 0 && (length == 0 || digits[length - 1] != '0'))
    zeros = 1;
  char sign = is_negative ? '-' : conversion != 'd' ? 0 : flags & 2 ? '+' : flags & 4 ? ' ' : 0;
  int has_prefix = conversion == 'p' || (base == 16 && flags & 8 && value != 0);
  if (width < 0) flags |= 1, width = -width;
  int padding = width - length - zeros - (sign != 0) - 2 * has_prefix;
  if (flags & 16 && !(flags & 1) && precision < 0 && padding > 0) zeros += padding, padding = 0;
  if (!(flags & 1)) written = __heddle_print_padding(to, size, written, padding, ' ');
  if (sign) written = __heddle_print_one(to, size, written, sign);
  if (has_prefix) {
    written = __heddle_print_one(to, size, written, '0');
    written = __heddle_print_one(to, size, written, conversion == 'X' ? 'X' : 'x');
  }
  written = __heddle_print_padding(to, size, written, zeros, '0');
  while (length > 0) written = __heddle_print_one(to, size, written, digits[--length]);
  if (flags & 1) written = __heddle_print_padding(to, size, written, padding, ' ');
  return written;
}
int __heddle_print_end(char *to, size_t size, size_t written) {
  if (size != 0) to[written < size - 1 ? written : size - 1] = 0;
  return (int)written;
}

// Other formats: any text that fits.

int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list list) {
  int length = __VERIFIER_nondet_int();
  __heddle_assume(length >= 0);
  if (size == 0) return length;
  size_t written = (size_t)length < size ? (size_t)length : size - 1;
  for (size_t i = 0; i < written; ++i) {
    char c = __VERIFIER_nondet_char();
    __heddle_assume(c != 0);
    to[i] = c;
  }
  to[written] = 0;
  return length;
}
int snprintf(char *to, size_t size, const char *format, ...) {
  __builtin_va_list none;
  return vsnprintf(to, size, format, none);
}
// A format without conversions is copied. Otherwise a text of at most one character; what is longer
// is not modelled, hence never safe.
static int __heddle_format(char *to, const char *format) {
  int length = 0;
  while (format[length] && format[length] != '%') ++length;
  if (!format[length]) {
    for (int i = 0; i <= length; ++i) to[i] = format[i];
    return length;
  }
  if (__VERIFIER_nondet_bool()) {
    __heddle_unsupported("sprintf with conversions that write more than one character");
  }
  char c = __VERIFIER_nondet_char();
  to[0] = c;
  if (c == 0) return 0;
  to[1] = 0;
  return 1;
}
int sprintf(char *to, const char *format, ...) { return __heddle_format(to, format); }
int vsprintf(char *to, const char *format, __builtin_va_list list) {
  return __heddle_format(to, format);
}

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
int setvbuf(void *file, char *buffer, int mode, size_t size) { return __heddle_success(); }
int open(const char *name, int flags, ...) { return __heddle_descriptor(); }
int close(int file) { return __heddle_success(); }
int unlink(const char *name) { return __heddle_success(); }
int dup(int file) { return __heddle_descriptor(); }
int socket(int domain, int type, int protocol) { return __heddle_descriptor(); }
int bind(int file, const void *address, unsigned size) { return __heddle_success(); }
int listen(int file, int backlog) { return __heddle_success(); }
int connect(int file, const void *address, unsigned size) { return __heddle_success(); }
int setsockopt(int file, int level, int name, const void *value, unsigned size) {
  return __heddle_success();
}

// ---- Input

long read(int file, void *to, size_t size) {
  long count = __heddle_count(size);
  if (count > 0) __heddle_any_bytes(to, (size_t)count);
  return count;
}
long recv(int file, void *to, size_t size, int flags) { return read(file, to, size); }
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

// ---- Formatted input. Calls of sscanf with a constant format are translated to calls of these: `at`
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
// `first` is where the first conversion began: -1 if nothing is left there.
int __heddle_scan_result(int count, const char *first) {
  if (count > 0 || !first) return count;
  return *__heddle_scan_space(first) ? 0 : -1;
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

// ---- Time passes, or not.

unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(const void *request, void *remaining) { return 0; }
int sched_yield(void) { return 0; }
static long __heddle_moment(void) {
  long now = __VERIFIER_nondet_long();
  __heddle_assume(now >= 0);
  return now;
}
long time(long *to) {
  long now = __heddle_moment();
  if (to) *to = now;
  return now;
}
long clock(void) { return __heddle_moment(); }
struct __heddle_time {
  long seconds;
  long parts;
};
int gettimeofday(struct __heddle_time *to, void *zone) {
  to->seconds = __heddle_moment();
  long parts = __heddle_moment();
  __heddle_assume(parts < 1000000);
  to->parts = parts;
  return 0;
}
int clock_gettime(int clock, struct __heddle_time *to) {
  to->seconds = __heddle_moment();
  long parts = __heddle_moment();
  __heddle_assume(parts < 1000000000);
  to->parts = parts;
  return 0;
}

struct __heddle_calendar {
  int second, minute, hour, day, month, year, weekday, day_of_year, is_summer;
  long offset;
  const char *zone;
};
static int __heddle_from_to(int first, int last) {
  int value = __VERIFIER_nondet_int();
  __heddle_assume(value >= first && value <= last);
  return value;
}
struct __heddle_calendar *localtime_r(const long *time, struct __heddle_calendar *to) {
  to->second = __heddle_from_to(0, 60);
  to->minute = __heddle_from_to(0, 59);
  to->hour = __heddle_from_to(0, 23);
  to->day = __heddle_from_to(1, 31);
  to->month = __heddle_from_to(0, 11);
  to->year = __VERIFIER_nondet_int();
  to->weekday = __heddle_from_to(0, 6);
  to->day_of_year = __heddle_from_to(0, 365);
  to->is_summer = __heddle_from_to(-1, 1);
  to->offset = __VERIFIER_nondet_long();
  to->zone = "UTC";
  return to;
}
struct __heddle_calendar *gmtime_r(const long *time, struct __heddle_calendar *to) {
  return localtime_r(time, to);
}
static struct __heddle_calendar __heddle_now;
struct __heddle_calendar *localtime(const long *time) { return localtime_r(time, &__heddle_now); }
struct __heddle_calendar *gmtime(const long *time) { return localtime_r(time, &__heddle_now); }
size_t strftime(char *to, size_t size, const char *format, const void *time) {
  __builtin_va_list none;
  int length = vsnprintf(to, size, format, none);
  return (size_t)length < size ? (size_t)length : 0;
}

// ---- Random numbers

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
int rand_r(unsigned *seed) { return rand(); }

// ---- The environment and signals. Sets of signals have no effect, because signals are not
// modelled: handlers that could run are refused.

static char __heddle_variable[4];
char *getenv(const char *name) {
  if (__VERIFIER_nondet_bool()) return 0;
  if (__VERIFIER_nondet_bool()) {
    __heddle_unsupported("a variable of the environment of more than three characters");
  }
  for (int i = 0; i < 3; ++i) __heddle_variable[i] = __VERIFIER_nondet_char();
  __heddle_variable[3] = 0;
  return __heddle_variable;
}
int getpid(void) {
  int id = __VERIFIER_nondet_int();
  __heddle_assume(id > 0);
  return id;
}
int getppid(void) { return getpid(); }
int gettid(void) { return getpid(); }
long sysconf(int name) {
  long value = __VERIFIER_nondet_long();
  __heddle_assume(value >= -1);
  return value;
}
long lrand48(void) { return random(); }
int remove(const char *name) { return __heddle_success(); }
int rename(const char *from, const char *to) { return __heddle_success(); }
int system(const char *command) { return __VERIFIER_nondet_int(); }
long lseek(int file, long offset, int whence) { return __heddle_count(~(size_t)0 >> 1); }
int accept(int file, void *address, unsigned *size) {
  if (address) __heddle_unsupported("accept that tells the address");
  return __heddle_descriptor();
}
int shutdown(int file, int how) { return __heddle_success(); }
unsigned short htons(unsigned short word) { return (unsigned short)(word << 8 | word >> 8); }
unsigned short ntohs(unsigned short word) { return htons(word); }
unsigned htonl(unsigned word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}
unsigned ntohl(unsigned word) { return htonl(word); }
long getline(char **line, size_t *size, void *file) {
  if (__VERIFIER_nondet_bool()) __heddle_unsupported("getline");
  return -1;
}
int isatty(int file) { return __VERIFIER_nondet_bool(); }
int sigemptyset(void *set) { return 0; }
int sigfillset(void *set) { return 0; }
int sigaddset(void *set, int number) { return 0; }
int sigdelset(void *set, int number) { return 0; }
int sigprocmask(int how, const void *set, void *old) { return 0; }
int pthread_sigmask(int how, const void *set, void *old) { return 0; }
// In one run no signal ever comes; the other one says that handlers are not part of the model.
static void __heddle_set_handler(void (*handler)(int)) {
  if ((size_t)handler > 1 && __VERIFIER_nondet_bool()) __heddle_unsupported("signal handlers");
}
void (*signal(int number, void (*handler)(int)))(int) {
  __heddle_set_handler(handler);
  return 0;
}
int sigaction(int number, void (*const *action)(int), void *old) {
  if (action) __heddle_set_handler(*action);
  return 0;
}
unsigned alarm(unsigned seconds) { return 0; }
