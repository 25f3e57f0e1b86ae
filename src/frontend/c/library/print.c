// Output to memory. Calls of sprintf and snprintf with a constant format are translated to calls
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
    const int ten = conversion == 'X' ? 'A' : 'a';
    digits[length++] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
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

