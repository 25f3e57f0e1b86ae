/// Values: every integer type and operator, conversions, order of evaluation where C fixes it.

#include "execution.hpp"

namespace heddle::frontend::c {
namespace {

TEST(CExpressions, IntegersOfAllWidthsWrapOrKeepTheirSign) {
  expect_holds(R"(
    signed char c = input(); unsigned char u = input(); short s = input(); unsigned short t = input();
    assert(c == -1); assert(u == 255); assert(s == -1); assert(t == 65535);
    unsigned n = 0; n--; assert(n == 4294967295u);
    unsigned long long w = 0; w--; assert(w == 18446744073709551615ull);
    c = 127; c++; assert(c == -128);
    long long big = -9000000000ll; assert(big / 1000000000 == -9); assert(big % 7 == -(9000000000ll % 7));
  )",
               "", {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff});
}

TEST(CExpressions, OperatorsOnUnknownValues) {
  expect_holds(R"(
    int a = input(), b = input(); unsigned x = a, y = b;
    assert(a == -7 && b == 3);
    assert(a + b == -4); assert(a - b == -10); assert(a * b == -21); assert(a / b == -2);
    assert(a % b == -1); assert(x / y == 1431655763u); assert(x % y == 0);
    assert((a & b) == 1); assert((a | b) == -5); assert((a ^ b) == -6); assert(~a == 6);
    assert(-a == 7); assert(!a == 0); assert(!!b == 1);
    assert(a >> 1 == -4); assert(x >> 1 == 2147483644u); assert(b << 4 == 48);
    assert(a < b); assert(!(x < y)); assert(a <= b); assert(a != b); assert(b > a); assert(b >= a);
    assert(x > y); assert((a < b) + (x > y) == 2);
  )",
               "", {static_cast<std::uint32_t>(-7), 3});
}

TEST(CExpressions, ConversionsBetweenTypes) {
  expect_holds(R"(
    int i = input(); assert(i == -2);
    assert((unsigned char)i == 254); assert((long long)i == -2); assert((unsigned long long)i > 1ull << 40);
    _Bool t = i; assert(t == 1); t = 0; assert(!t); t = 256; assert(t == 1);
    char big = 300; assert(big == 44);
    enum e { A = 3, B } x = B; assert(x == 4);
    assert(sizeof(long) == sizeof(void *)); assert(sizeof(long long) == 8);
  )",
               "", {static_cast<std::uint32_t>(-2)});
}

TEST(CExpressions, LogicalOperatorsStopEarly) {
  expect_holds(R"(
    int n = 0;
    int a = touch(&n, 0) && touch(&n, 1); assert(a == 0 && n == 1);
    int b = touch(&n, 1) || touch(&n, 1); assert(b == 1 && n == 2);
    int c = input() ? touch(&n, 5) : touch(&n, 6); assert(c == 6 && n == 3);
    int d = (n = 7, n + 1); assert(d == 8);
    int e = input() && n == 7 || n == 8; assert(e == 0);
  )",
               "static int touch(int *n, int result) { ++*n; return result; }");
}

TEST(CExpressions, VariablesKeepTheirOldValueWhereItIsUsedLater) {
  expect_holds(R"(
    int i = 3; int j = i++; assert(j == 3 && i == 4);
    j = i++ + 10; assert(j == 14 && i == 5);
    int k = i; i = 9; assert(k == 5);
    i = i + (j = i); assert(i == 18 && j == 9);
    int a = 1, b = 2; int t = a; a = b; b = t; assert(a == 2 && b == 1);
    int s = 0; for (int n = 0; n < 5; n++) s += n * n; assert(s == 30);
    int *p = &s; int **q = &p; **q += 1; assert(s == 31);
    int x = 5; x = x++ + 0; int y = x-- - --x; assert(y == 2 || y != 2);
  )");
}

TEST(CExpressions, BuiltinFunctions) {
  expect_holds(R"(
    unsigned x = input(); assert(x == 0x00f01234u);
    assert(__builtin_popcount(x) == 9); assert(__builtin_clz(x) == 8); assert(__builtin_ctz(x) == 2);
    assert(__builtin_bswap32(x) == 0x3412f000u); assert(__builtin_bswap64(1) == 1ull << 56);
    int r; assert(__builtin_add_overflow(2147483647, input(), &r)); assert(r == -2147483647 - 1);
    assert(!__builtin_sub_overflow(5, 7, &r) && r == -2);
    assert(__builtin_mul_overflow(70000, 70000, &r)); assert(!__builtin_mul_overflow(-7, 9, &r) && r == -63);
    unsigned long long w; assert(__builtin_mul_overflow(1ull << 33, 1ull << 31, &w)); assert(w == 0);
    long long v; assert(__builtin_mul_overflow(-9223372036854775807ll - 1, -1ll, &v));
    assert(!__builtin_mul_overflow(-9223372036854775807ll - 1, 1ll, &v));
    unsigned u; assert(__builtin_sub_overflow(3u, 4u, &u)); assert(__builtin_add_overflow(~0u, 1u, &u));
    assert(abs(-4) == 4); assert(__builtin_expect(x != 0, 1));
  )",
               "int abs(int);", {0x00f01234, 1});
}

TEST(CExpressions, SignedArithmeticIsMarkedAsSuch) {
  const std::string text = R"(
    int __VERIFIER_nondet_int(void);
    int main(void) { int i = __VERIFIER_nondet_int(); unsigned u = i; u = u + 1; SIGNED; return i; })";
  const auto overflows = [&](const std::string& statement, std::uint64_t input) {
    ReadOptions options;
    options.definitions = {"SIGNED=" + statement};
    return execute(read(text, options), {input}).overflowed;
  };
  EXPECT_TRUE(overflows("i = i + 1", 0x7fffffff));
  EXPECT_FALSE(overflows("i = i + 1", 0x7ffffffe));
  EXPECT_FALSE(overflows("u = u * 2", 0xffffffff));
  EXPECT_TRUE(overflows("i = -i", 0x80000000));
  EXPECT_TRUE(overflows("i = i / (i - i - 1)", 0x80000000));
  EXPECT_TRUE(overflows("i *= i", 0x10000));
}

TEST(CExpressions, FloatingPointMovesButIsNotComputed) {
  expect_holds(R"(
    double d = 1.5; double e = d; union { double d; unsigned long long u; } v; v.d = e;
    assert(v.u == 0x3ff8000000000000ull); float f[2] = {0.5f, 2.0f}; f[0] = f[1];
    assert(*(unsigned *)f == 0x40000000u);
    int folded = (int)(2.5 * 2); assert(folded == 5);
  )");
  const Execution ran =
      execute(read("int main(void) { volatile double d = 1; d = d + 1; return 0; }"));
  EXPECT_EQ(ran.outcome, model::c::Outcome::Violated);
  EXPECT_NE(ran.what.find("floating point"), std::string::npos) << ran.what;
}

}  // namespace
}  // namespace heddle::frontend::c
