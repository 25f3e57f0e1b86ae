// What LLVM has as intrinsic functions.

int __heddle_popcount(unsigned long long word, int bits) {
  int count = 0;
  for (; word; word &= word - 1) ++count;
  return count;
}

int __heddle_leading_zeros(unsigned long long word, int bits) {
  int count = 0;
  while (count < bits && !(word >> (bits - 1 - count) & 1)) ++count;
  return count;
}

int __heddle_trailing_zeros(unsigned long long word, int bits) {
  int count = 0;
  while (count < bits && !(word >> count & 1)) ++count;
  return count;
}

unsigned long long __heddle_byte_swap(unsigned long long word, int bits) {
  unsigned long long out = 0;
  for (int i = 0; i < bits; i += 8) out = out << 8 | (word >> i & 255);
  return out;
}

int __heddle_umul_overflows(unsigned long long a, unsigned long long b, int bits) {
  unsigned long long most = bits == 64 ? ~0ull : (1ull << bits) - 1;
  return a != 0 && b > most / a;
}

int __heddle_smul_overflows(long long a, long long b, int bits) {
  unsigned long long limit = 1ull << (bits - 1);
  unsigned long long x = a < 0 ? -(unsigned long long)a : (unsigned long long)a;
  unsigned long long y = b < 0 ? -(unsigned long long)b : (unsigned long long)b;
  if (a == 0 || b == 0) return 0;
  if ((a < 0) == (b < 0)) limit = limit - 1;
  return y > limit / x;
}

int ffs(int word) { return word == 0 ? 0 : 1 + __heddle_trailing_zeros((unsigned)word, 32); }
int ffsll(long long word) {
  return word == 0 ? 0 : 1 + __heddle_trailing_zeros((unsigned long long)word, 64);
}
int ffsl(long word) { return ffsll(word); }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
long long imaxabs(long long value) { return value < 0 ? -value : value; }
