/// Control flow, calls, function pointers.

#include "execution.hpp"

namespace heddle::frontend::c {
namespace {

TEST(CControl, Loops) {
  expect_holds(R"(
    int n = 0;
    for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; n += i; }
    assert(n == 0 + 1 + 2 + 4 + 5 + 6);
    int k = 5; while (k) k--; assert(k == 0);
    do k++; while (k < 3); assert(k == 3);
    int rows = 0; for (int i = 0; i < 4; i++) for (int j = i; j < 4; j++) rows++; assert(rows == 10);
  )");
}

TEST(CControl, SwitchesFallThrough) {
  expect_holds(R"(
    assert(f(1) == 12); assert(f(2) == 2); assert(f(3) == 100); assert(f(-5) == 7); assert(f(20) == 9);
    assert(f(15) == 9); assert(f(21) == 100);
  )",
               R"(
    int f(int x) {
      int r = 0;
      switch (x) { case 1: r += 10; case 2: r += 2; break; case -5: return 7; case 10 ... 20: return 9;
                   default: r = 100; }
      return r;
    })");
}

TEST(CControl, Gotos) {
  expect_holds(R"(
    int n = 0;
  again: n++; if (n < 5) goto again;
    assert(n == 5);
    if (n) goto inside;
    for (;;) { n = 100; inside: n++; if (n > 6) break; goto inside; }
    assert(n == 7);
  )");
}

TEST(CControl, CallsAndRecursion) {
  expect_holds(R"(
    assert(fib(10) == 55); assert(even(10) && !even(7)); int x = 1, y = 2; swap(&x, &y);
    assert(x == 2 && y == 1); assert(count() == 1 && count() == 2 && count() == 3);
  )",
               R"(
    int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    int odd(unsigned n); int even(unsigned n) { return n == 0 || odd(n - 1); }
    int odd(unsigned n) { return n != 0 && even(n - 1); }
    void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
    int count(void) { static int calls; return ++calls; }
  )");
}

TEST(CControl, FunctionPointers) {
  expect_holds(R"(
    int (*f)(int, int) = input() ? add : sub; assert(f(5, 3) == 2);
    assert(table[1].run(4, 4) == 0 && table[0].run(4, 4) == 8); assert(table[0].name[0] == 'a');
    assert(twice(add, 3) == 6); assert(f != add && f == sub);
    void (*old)() = set; old(&slot, 7); assert(slot == 7);
  )",
               R"(
    int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
    struct op { const char *name; int (*run)(int, int); } table[] = {{"add", add}, {"sub", sub}};
    int twice(int (*f)(int, int), int x) { return f(x, x); }
    int slot; void set(int *p, int v) { *p = v; }
  )");
}

TEST(CControl, CallsThatDisagreeWithTheDefinition) {
  expect_runs(R"(
    int f();
    int one() { return f(1, 2, 3); }
    int f(int a) { return a; }
    int main() { if (one() != 1) reach_error(); return 0; }
  )");
}

TEST(CControl, AFunctionOfTheLibraryMayBeDefinedByTheProgram) {
  expect_holds("assert(rand() == 42);", "int rand(void) { return 42; }");
}

TEST(CControl, UnreachableCodeIsNoLongerThere) {
  const auto program = read("int main(void) { return 1; __builtin_trap(); }");
  for (const auto& i : program.functions[1].code)
    EXPECT_FALSE(std::holds_alternative<model::c::Exit>(i.effect));
}

}  // namespace
}  // namespace heddle::frontend::c
