#include "c_generator.hpp"

namespace heddle::testing::c {

namespace {

const std::string kPrelude = R"(
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#ifdef HEDDLE_NATIVE
#include <stdio.h>
#endif
typedef unsigned long u64;
struct pair { signed char a; short b; long c; unsigned f : 3; int g : 5; unsigned h : 11; };
union mix { unsigned long l; unsigned int i[2]; unsigned short s[4]; unsigned char c[8]; int z; };
struct small { int x; char y; };
struct node { struct node *next; int value; };
enum colour { RED = -2, GREEN = 5, BLUE };
static int table[8] = {3, -1, 4, 1, -5, 9, -2, 6};
static const char text[] = "heddle";
static int *walk = table + 3;
static struct pair shared_pair = {-3, 1000, -70000, 5, -9, 2000};
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int (*const operations[3])(int, int) = {add, subtract, multiply};
static struct small swap(struct small s) { struct small r = {s.y, (char)s.x}; return r; }
static struct pair bump(struct pair p, int by) { p.a += by; p.c -= by; p.g ^= by; p.h += 1; return p; }
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }
static int counter(void) { static int count = 7; return count += 3; }
static long sum_list(const struct node *n) { long s = 0; for (; n; n = n->next) s = 3 * s + n->value; return s; }
)";

}  // namespace

std::string CGenerator::type() {
  static const std::vector<std::string> types = {
      "char",     "signed char", "unsigned char", "short",     "unsigned short", "int",
      "unsigned", "long",        "unsigned long", "long long", "_Bool",          "enum colour"};
  return any(types);
}

std::string CGenerator::constant() {
  static const std::vector<std::string> constants = {"0",
                                                     "1",
                                                     "-1",
                                                     "2",
                                                     "7",
                                                     "127",
                                                     "128",
                                                     "255",
                                                     "-128",
                                                     "32767",
                                                     "-32768",
                                                     "65535",
                                                     "2147483647",
                                                     "(-2147483647 - 1)",
                                                     "4294967295u",
                                                     "9223372036854775807l",
                                                     "0x1234567890abl",
                                                     "'x'",
                                                     "RED",
                                                     "BLUE",
                                                     "sizeof(struct pair)",
                                                     "1ul",
                                                     "3u"};
  return below(3) == 0 ? any(constants) : std::to_string(below(200) - 100);
}

/// Something that can be assigned to, of an integer type.
std::string CGenerator::place() {
  switch (below(8)) {
    case 0: return "m.i[" + std::to_string(below(2)) + "]";
    case 1: return "m.s[" + std::to_string(below(4)) + "]";
    case 2: return "m.c[" + std::to_string(below(8)) + "]";
    case 3: {
      static const std::vector<std::string> members = {"p.a", "p.b", "p.c",  "p.f",
                                                       "p.g", "p.h", "q->c", "q->g"};
      return any(members);
    }
    case 4: return "array[(unsigned)" + any(variables_).name + " % 5]";
    default: return any(variables_).name;
  }
}

std::string CGenerator::expression(int depth) {
  if (depth == 0) return below(3) == 0 ? constant() : place();
  const std::string a = expression(depth - 1);
  const auto b = [&] { return expression(below(depth)); };
  static const std::vector<std::string> plain = {"+",  "-", "*",  "&",  "|",  "^",  "<",
                                                 "<=", ">", ">=", "==", "!=", "&&", "||"};
  switch (below(16)) {
    case 0: return "(" + a + " << (" + b() + " & 7))";
    case 1: return "(" + a + " >> (" + b() + " & 7))";
    case 2:
    case 3: {  // neither by 0 nor by -1
      const std::string divisor = "((long)(" + b() + ") & 1023 | 2)";
      return "(" + a + (below(2) == 0 ? " / " : " % ") + divisor + ")";
    }
    case 4: return "(" + a + (below(2) == 0 ? " / " : " % ") + "((" + b() + ") & 63 | 1u))";
    case 5: return "((" + type() + ")" + a + ")";
    case 6: return "(- " + a + ")";
    case 7: return "(~(int)" + a + ")";
    case 8: return "(!" + a + ")";
    case 9: return "(" + condition(below(depth)) + " ? " + a + " : " + b() + ")";
    case 10: return "operations[(unsigned)(" + b() + ") % 3]((int)" + a + ", (int)" + b() + ")";
    case 11: return "(*(walk + (" + b() + " & 3)))";
    default: return "(" + a + " " + any(plain) + " " + b() + ")";
  }
}

std::string CGenerator::condition(int depth) {
  static const std::vector<std::string> comparisons = {"<", "<=", "==", "!=", ">", ">="};
  return "(" + expression(depth) + " " + any(comparisons) + " " + expression(depth) + ")";
}

void CGenerator::statement(std::string& text, int depth, int indent) {
  const std::string space(static_cast<std::size_t>(2 * indent), ' ');
  static const std::vector<std::string> assignments = {"=", "+=", "-=", "*=", "&=", "|=", "^="};
  const auto block = [&](int length) {
    text += " {\n";
    for (int i = 0; i < length; ++i) statement(text, depth - 1, indent + 1);
    text += space + "}\n";
  };
  const int kind = depth > 0 ? below(15) : below(8);
  switch (kind) {
    case 5: text += space + place() + (below(2) == 0 ? "++;\n" : "--;\n"); return;
    case 6: text += space + "p = bump(p, (int)" + expression(1) + ");\n"; return;
    case 7:
      text += space + (below(2) == 0 ? "memcpy(&m.c[1], &p.b, 2);\n"
                                     : "memcpy((char *)array + 3, &m, 5);\n");
      return;
    case 8:
    case 9: {
      const std::string i = "i" + std::to_string(loops_++);
      text += space + "for (int " + i + " = 0; " + i + " < " + std::to_string(1 + below(4)) + "; " +
              i + "++)";
      block(1 + below(2));
      return;
    }
    case 10:
    case 11:
      text += space + "if " + condition(2);
      block(1 + below(2));
      return;
    case 12: {
      text += space + "switch (" + expression(1) + " & 3) {\n";
      for (int i = 0; i < 3; ++i) {
        text += space + "case " + std::to_string(i) + ":\n";
        statement(text, 0, indent + 1);
        if (below(2) == 0) text += space + "  break;\n";
      }
      text += space + "default:\n";
      statement(text, 0, indent + 1);
      text += space + "}\n";
      return;
    }
    case 13:
      text += space + "acc += counter() + factorial((int)(" + expression(1) + " & 7));\n";
      return;
    case 14:
      text += space + "acc ^= gcd((unsigned)" + expression(1) + " | 1, " +
              std::to_string(1 + below(500)) + ");\n";
      return;
    default: text += space + place() + " " + any(assignments) + " " + expression(2) + ";\n";
  }
}

std::string CGenerator::function(int number) {
  variables_.clear();
  std::string text = "static u64 case_" + std::to_string(number) + "(void) {\n";
  for (int i = 0; i < 5; ++i) {
    variables_.push_back({"v" + std::to_string(i), type()});
    text += "  " + variables_.back().type + " v" + std::to_string(i) + " = " + constant() + ";\n";
  }
  text += "  struct pair p = shared_pair, *q = malloc(sizeof *q);\n  *q = p;\n";
  text += "  union mix m = {0x0123456789abcdefu};\n  int array[5] = {1, -2, 3};\n  u64 acc = 0;\n";
  for (int i = 0; i < 6; ++i) statement(text, 2, 1);
  text += "  struct small s = swap((struct small){v0, (char)v1});\n";
  text += "  struct node n2 = {0, (int)v2}, n1 = {&n2, (int)v3};\n";
  text +=
      "  int *end = array + 5;\n  for (int *at = array; at != end; ++at) acc = acc * 31 + *at;\n";
  text +=
      "  acc = acc * 31 + p.a + p.b * 3 + p.c * 5 + p.f * 7 + p.g * 11 + p.h * 13 + q->c + q->g;\n";
  text += "  acc = acc * 31 + m.l + s.x + s.y + sum_list(&n1) + (end - array);\n";
  text += "  acc += strlen(text) + text[(unsigned)v4 % sizeof text] + offsetof(struct pair, c);\n";
  for (const Variable& variable : variables_) text += "  acc = acc * 31 + " + variable.name + ";\n";
  return text + "  free(q);\n  return acc;\n}\n";
}

std::string CGenerator::program(int cases) {
  std::string text = kPrelude + "u64 results[" + std::to_string(cases) + "];\n";
  for (int i = 0; i < cases; ++i) text += function(i);
  text += "int main(void) {\n";
  for (int i = 0; i < cases; ++i) {
    text += "  results[" + std::to_string(i) + "] = case_" + std::to_string(i) + "();\n";
  }
  return text + "#ifdef HEDDLE_NATIVE\n  for (int i = 0; i < " + std::to_string(cases) +
         "; ++i) printf(\"%lu\\n\", results[i]);\n#endif\n  return 0;\n}\n";
}

std::string CGenerator::operators_program(int& cases) {
  const std::vector<std::string> types = {"_Bool",    "signed char",    "unsigned char",
                                          "short",    "unsigned short", "int",
                                          "unsigned", "long",           "unsigned long"};
  std::string text = R"(
#ifdef HEDDLE_NATIVE
#include <stdio.h>
#endif
typedef unsigned long u64;
static const long values[] = {0, 1, -1, 2, 7, 100, 127, 128, -128, 255, 32767, -32768, 65535,
  2147483647, -2147483648l, 4294967295l, 0x7fffffffffffffffl, -0x7fffffffffffffffl - 1};
#define COUNT (sizeof values / sizeof *values)
#define IS_LEAST(a) ((a) < 0 && (a) == (__typeof__(+(a)))(1ul << (8 * sizeof(+(a)) - 1)))
#define MIX(e) acc = (acc ^ (u64)(e)) * 0x9e3779b97f4a7c15ul + (acc >> 29)
#define ALL(name, T, U) static u64 name(void) { u64 acc = 1; \
  for (unsigned i = 0; i < COUNT; ++i) for (unsigned j = 0; j < COUNT; ++j) { \
    T a = (T)values[i]; U b = (U)values[j]; \
    MIX(a + b); MIX(a - b); MIX(a * b); MIX(a & b); MIX(a | b); MIX(a ^ b); \
    MIX(a < b); MIX(a <= b); MIX(a > b); MIX(a >= b); MIX(a == b); MIX(a != b); \
    MIX(a && b); MIX(a || b); MIX(a ? a : b); MIX(-a); MIX(~a); MIX(!a); MIX(+a); \
    if (b != 0 && !(IS_LEAST(a + b * 0) && b == (U)-1)) { MIX(a / b); MIX(a % b); } \
    MIX(a << (b & 7)); MIX(a >> (b & 7)); MIX((T)b); MIX((U)a); MIX((a, b)); \
    T c = a; c += b; MIX(c); c -= b; MIX(c); c *= b; MIX(c); c &= b; MIX(c); c |= b; MIX(c); \
    c ^= b; MIX(c); c <<= (b & 7); MIX(c); c >>= (b & 7); MIX(c); MIX(c++); MIX(--c); \
  } return acc; }
)";
  cases = static_cast<int>(types.size() * types.size());
  std::string calls;
  for (std::size_t i = 0; i < types.size(); ++i) {
    for (std::size_t j = 0; j < types.size(); ++j) {
      const std::string number = std::to_string(i * types.size() + j);
      text += "ALL(case_" + number + ", " + types[i] + ", " + types[j] + ")\n";
      calls += "  results[" + number + "] = case_" + number + "();\n";
    }
  }
  return text + "u64 results[" + std::to_string(cases) + "];\nint main(void) {\n" + calls +
         "#ifdef HEDDLE_NATIVE\n  for (int i = 0; i < " + std::to_string(cases) +
         "; ++i) printf(\"%lu\\n\", results[i]);\n#endif\n  return 0;\n}\n";
}

}  // namespace heddle::testing::c
