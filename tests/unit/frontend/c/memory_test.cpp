/// Objects: arrays, structures, unions, bit-fields, pointers, initial values, allocation.

#include "execution.hpp"

namespace heddle::frontend::c {
namespace {

TEST(CMemory, ArraysAndPointers) {
  expect_holds(R"(
    int a[5] = {1, 2, 3}; int i = input(); a[i] = 9; assert(a[0] == 9 && a[3] == 0);
    int *p = a + 4; *p-- = 8; assert(*p == 0 && p[1] == 8 && p - a == 3); assert(&a[5] - &a[1] == 4);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; assert(m[1][2] == 6); int (*row)[3] = &m[1]; assert((*row)[0] == 4);
    char s[] = "hello"; assert(sizeof s == 6); s[0] = 'j'; assert(s[0] == 'j' && s[5] == 0);
    int n = input() + 3; int v[n]; for (int k = 0; k < n; k++) v[k] = k; assert(v[2] == 2 && sizeof v == 12);
    short z[4] = {-1, 2, -3, 4}; short *q = z; int sum = 0; while (q < z + 4) sum += *q++; assert(sum == 2);
  )");
}

TEST(CMemory, StructuresUnionsAndBitFields) {
  expect_holds(R"(
    struct node b = {2, 0}, a = {1, &b}; assert(a.next->key == 2); struct node c = a; c.key = 5;
    assert(a.key == 1 && c.next == &b);
    union word w; w.all = 0x01020304; assert(w.bytes[0] == 4 && w.bytes[3] == 1); w.half = 0xffff;
    assert(w.all == 0x0102ffff);
    struct bits f = {0}; f.low = 9; f.s = -3; f.wide = 0x1ffff; assert(f.low == 1 && f.s == -3 && f.wide == 0x1ffff);
    f.low++; assert(f.low == 2 && f.s == -3);
    struct outer o = {.in = {.y = 4}, .tail = {7}}; assert(o.in.x == 0 && o.in.y == 4 && o.tail[0] == 7);
    struct outer *po = &o; po->in.x = 3; assert(((int *)po)[0] == 3);
  )",
               R"(
    struct node { int key; struct node *next; }; union word { unsigned all; unsigned short half; unsigned char bytes[4]; };
    struct bits { unsigned low : 3; int s : 4; unsigned : 0; unsigned wide : 17; };
    struct outer { struct { int x, y; } in; int tail[2]; };
  )");
}

TEST(CMemory, StructuresAsParametersAndResults) {
  expect_holds(R"(
    struct small s = {1, 2}; struct small t = change(s); assert(s.a == 1 && t.a == 11 && t.b == 2);
    struct big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9}}; assert(sum(b) == 45); assert(b.v[0] == 1);
    struct big d = shifted(b); assert(d.v[0] == 2 && d.v[8] == 1);
    struct mixed m = mix(3, 'x', &s); assert(m.n == 3 && m.c == 'x' && m.p == &s);
    struct two w = {5000000000ll, 6}; w = flip(w); assert(w.a == 6 && w.b == 5000000000ll);
    struct small (*f)(struct small) = change; assert(f(t).a == 21);
  )",
               R"(
    struct small { int a, b; }; struct big { int v[9]; }; struct mixed { int n; char c; void *p; };
    struct two { long long a, b; };
    struct small change(struct small s) { s.a += 10; return s; }
    int sum(struct big b) { int n = 0; for (int i = 0; i < 9; i++) { n += b.v[i]; b.v[i] = 0; } return n; }
    struct big shifted(struct big b) { int first = b.v[0]; for (int i = 0; i < 8; i++) b.v[i] = b.v[i + 1];
      b.v[8] = first; return b; }
    struct mixed mix(int n, char c, void *p) { struct mixed m = {n, c, p}; return m; }
    struct two flip(struct two t) { struct two r = {t.b, t.a}; return r; }
  )");
}

TEST(CMemory, InitialValuesOfGlobals) {
  expect_holds(R"(
    assert(a[1] == 2 && a[2] == 0); assert(*p == 2); assert(names[1][0] == 'y' && names[0][2] == 0);
    assert(r.self == &r && r.f() == 42 && r.tail == &a[2]); assert(big == -5 && h == 65535 && zero == 0);
    assert(text[3] == 0 && text[0] == 'a'); assert(u.c == 'Q'); assert(end - a == 3); assert(neg[1] == -1);
  )",
               R"(
    int a[3] = {1, 2}; int *p = &a[1]; int *end = a + 3; const char *names[] = {"ab", "yz"};
    int f(void) { return 42; } struct rec { struct rec *self; int (*f)(void); int *tail; } r = {&r, f, a + 2};
    long long big = -5; unsigned short h = -1; int zero; char text[] = "abc"; union { char c; int i; } u = {'Q'};
    static signed char neg[] = {1, -1};
  )");
}

TEST(CMemory, Allocation) {
  expect_holds(R"(
    int *p = malloc(3 * sizeof *p); p[2] = 4; p = realloc(p, 10 * sizeof *p); assert(p[2] == 4); p[9] = 1; free(p);
    int *z = calloc(4, sizeof *z); assert(z[3] == 0); free(z); free(0);
    char *s = strdup("copy"); assert(strcmp(s, "copy") == 0); s[4] = '!'; free(s);
    struct n { struct n *next; int v; } *head = 0;
    for (int i = 0; i < 4; i++) { struct n *x = malloc(sizeof *x); x->v = i; x->next = head; head = x; }
    int sum = 0; while (head) { struct n *x = head->next; sum = sum * 10 + head->v; free(head); head = x; }
    assert(sum == 3210);
    char *t = __builtin_alloca(4); t[3] = 7; assert(t[3] == 7);
  )",
               "#include <stdlib.h>\n#include <string.h>\n#undef assert\n"
               "#define assert(x) ((x) ? (void)0 : __assert_fail(#x, \"\", 0, \"\"))");
}

TEST(CMemory, InvalidAccessesAreReported) {
  const auto what = [](const std::string& body) {
    return execute(read("#include <stdlib.h>\nint main(void) {" + body + " return 0; }")).outcome;
  };
  using enum model::c::Outcome;
  EXPECT_EQ(what("int *p = 0; *p = 1;"), Violated);
  EXPECT_EQ(what("int a[2]; int volatile i = 2; a[i] = 1;"), Violated);
  EXPECT_EQ(what("int *p = malloc(4); free(p); *p = 1;"), Violated);
  EXPECT_EQ(what("int *p = malloc(4); free(p); free(p);"), Violated);
  EXPECT_EQ(what("int *p; { int x = 1; p = &x; } *p = 2;"), Violated);
  EXPECT_EQ(what("int *p; { int x = 1; p = &x; *p = 2; }"), ProcessEnded);
}

/// The numbers of choices of uninitialised variables, by name.
std::vector<std::string> uninitialised(const std::string& text) {
  std::vector<std::string> out;
  for (const auto& function : read(text).functions)
    for (const auto& i : function.code)
      if (const auto* choose = std::get_if<model::c::Choose>(&i.effect))
        if (choose->why == model::c::Choose::Why::Uninitialised) out.push_back(choose->what);
  return out;
}

TEST(CMemory, OnlyVariablesThatMayBeReadUninitialisedAreChosen) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(uninitialised("int main(void) { int x; x = 1; int y = x; return y; }"), Names());
  EXPECT_EQ(uninitialised("int main(void) { int x; int y = x; return y + x; }"), Names{"x"});
  EXPECT_EQ(uninitialised("int main(int c, char **v) { int x; if (c) x = 1; return x; }"),
            Names{"x"});
  EXPECT_EQ(
      uninitialised("int main(int c, char **v) { int x; if (c) x = 1; else x = 2; return x; }"),
      Names());
  EXPECT_EQ(uninitialised("int main(int c, char **v) { for (int i = 0; i < c; i++) { int x; if (i) "
                          "c += x; } return 0; }"),
            Names{"x"});
}

TEST(CMemory, AnUninitialisedVariableHasOneValue) {
  expect_holds("int x; int a = x, b = x; assert(a == b && a == 77);", "", {77});
}

TEST(CMemory, StringFunctions) {
  expect_runs(R"(
#include <string.h>
#include <stdlib.h>
#include <ctype.h>
#include <assert.h>
    static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
    int main(void) {
      char b[32]; strcpy(b, "one"); strcat(b, ",two"); assert(strlen(b) == 7); assert(strcmp(b, "one,two") == 0);
      assert(strchr(b, ',') == b + 3 && strrchr(b, 'o') == b + 6 && strstr(b, "two") == b + 4 && !strstr(b, "x"));
      assert(strncmp(b, "onx", 2) == 0 && strncmp(b, "onx", 3) < 0); char *t = strtok(b, ","); assert(!strcmp(t, "one"));
      t = strtok(0, ","); assert(!strcmp(t, "two") && !strtok(0, ","));
      memset(b, 'z', 20); assert(b[19] == 'z'); memmove(b + 1, b, 5); b[0] = 'a'; memcpy(b + 8, b, 8); assert(b[8] == 'a');
      memmove(b, b + 8, 3); assert(memcmp(b, "azz", 3) == 0); assert(memchr(b, 'a', 4) == b);
      assert(atoi(" -42x") == -42 && strtol("0x1f", 0, 0) == 31 && strtoul("777", 0, 8) == 511);
      assert(isdigit('7') && !isdigit('x') && isspace(' ') && isalpha('q') && toupper('q') == 'Q' && tolower('Q') == 'q');
      int a[5] = {4, 1, 5, 2, 3}; qsort(a, 5, sizeof *a, order); for (int i = 0; i < 5; i++) assert(a[i] == i + 1);
      int k = 4; assert(bsearch(&k, a, 5, sizeof *a, order) == &a[3]);
      strncpy(b, "abcdef", 3); assert(strnlen(b, 3) == 3 && b[2] == 'c'); assert(strspn("aab", "a") == 2 && strcspn("aab", "b") == 2);
      return 0;
    })");
}

}  // namespace
}  // namespace heddle::frontend::c
