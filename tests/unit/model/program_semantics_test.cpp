/// The step function of Boolean programs, on programs whose answer is plain to see.

#include <gtest/gtest.h>

#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/semantics.hpp"

namespace heddle::model::boolean {
namespace {

struct SemanticsCase {
  std::size_t threads;
  bool fails;
  std::string text;
};

bool can_fail(const SemanticsCase& c) {
  auto file = frontend::boolean_program::parse({"test.bp", c.text});
  EXPECT_TRUE(file) << c.text;
  const auto program = file->model;
  const SearchResult found = search(Semantics(program), c.threads, {});
  EXPECT_TRUE(found.fails || found.exact) << c.text;
  return found.fails;
}

std::string in_main(const std::string& body) {
  return "decl x := 0; void main() begin decl l := 0; " + body + " end";
}

const std::string kTakesResult =
    " bool f(p) begin decl m := 1; return p & m; end void main() begin ";

TEST(ProgramSemantics, DecidesWhatIsPlainToSee) {
  const std::vector<SemanticsCase> cases = {
      {1, false, in_main("x := 0; assert(!x);")},
      {1, true, in_main("x := *; assert(!x);")},
      {1, true, in_main("assert(*);")},
      {1, false, in_main("x, l := !l, x; assert(x & !l);")},
      {1, false, in_main("x := * constrain ('x != x); assert(x);")},
      {1, false, in_main("x := * constrain ('x & !'x); assert(0);")},
      {1, true, in_main("constrain('x = l); assert(x);")},
      {1, false, in_main("constrain('x & !'l); assert(x & !l);")},
      {1, true, in_main("dead x; assert(!x);")},
      {1, false, in_main("x := schoose[1, 1]; assert(x);")},
      {1, false, in_main("x := schoose[0, 1]; assert(!x);")},
      {1, true, in_main("x := schoose[0, 0]; assert(!x);")},
      {1, false, in_main("assume(x); assert(0);")},
      {1, false, in_main("abortif(!x); assert(0);")},
      {1, true, in_main("goto A, B; A: assume(0); B: assert(x);")},
      {1, false, in_main("while (!x) do x := *; od; assert(x);")},
      {1, false, in_main("if (x) then assert(0); elsif (!x) then skip; else assert(0); fi;")},
      {2, true, in_main("if (x) then skip; elsif (!x) then x := 1; else assert(0); fi;")},
      // a thread is at a label before it executes the statement there
      {1, true, in_main("SLIC_ERROR: assume(0);")},
      {1, true, "decl x := 0; void main() begin enforce x; SLIC_ERROR: skip; end"},
      {1, false, "decl x := 0; void main() begin enforce x; skip; SLIC_ERROR: skip; end"},
      {1, false,
       "decl x := 0; void f() begin enforce !x; x := 1; end "
       "void main() begin f(); assert(0); end"},
      // values
      {1, false, "decl x := 0;" + kTakesResult + "x := f(1); assert(x); end"},
      {1, true, "decl x := 0;" + kTakesResult + "x := f(*); assert(x); end"},
      {1, true, "decl x; void main() begin assert(x); end"},
      {1, true, "bool f() begin end void main() begin decl l := 0; l := f(); assert(!l); end"},
      {1, false,
       "void f() begin decl l := 0; assert(!l); l := 1; end "
       "void main() begin f(); f(); end"},
      // sections
      {2, true, in_main("x := 1; x := 0; assert(!x);")},
      {2, false, in_main("atomic { x := 1; x := 0; } assert(!x);")},
      {2, false, in_main("atomic_begin; atomic_begin; atomic_end; x := !x; assert(x); x := 0;")},
      {2, true, in_main("atomic_begin; atomic_end; x := !x; assert(x); x := 0;")},
      {2, true, in_main("atomic_begin; x := !x; assert(x); end_thread;")},
      {2, true, in_main("atomic_begin; x := !x; assert(x);")},
      // threads
      {1, true, in_main("start_thread goto L; x := 1; end_thread; L: assert(!x);")},
      {1, true, in_main("l := 1; start_thread goto L; end_thread; L: assert(!l);")},
      {1, false, in_main("start_thread goto L; l := 1; end_thread; L: assert(!l);")},
      {1, false, in_main("atomic_begin; start_thread goto L; assume(x); L: assert(x);")},
      {1, true, in_main("atomic_begin; start_thread goto L; assume(x); L: SLIC_ERROR: skip;")},
      {1, true, "void f() begin SLIC_ERROR: skip; end void main() begin ASYNC_1: f(); end"},
      {1, true,
       "decl x := 0; void f() begin start_thread goto L; end_thread; L: skip; end "
       "void main() begin f(); assert(x); end"},
      // waiting
      {2, false, in_main("wait; assert(0);")},
      {1, false, in_main("broadcast; wait; assert(0);")},
      {1, true, in_main("start_thread goto L; broadcast; end_thread; L: wait; assert(0);")},
      {1, false, in_main("start_thread goto L; broadcast d; end_thread; L: wait c; assert(0);")},
      {1, true, in_main("start_thread goto L; signal; end_thread; L: wait; assert(0);")},
      // other threads' variables
      {2, true, in_main("l$ := 1; assert(!l);")},
      {2, false, in_main("atomic { l$ := 0; assert(!l); }")},
      {2, true, in_main("l$ := !l$; assert(!l);")},
      {2, true, in_main("l$ := l$ | !x; assert(!l);")},
      {2, false, in_main("l$ := l$ | x; assert(!l);")},
      {2, true, in_main("l$ := schoose[x, x]; assert(!l);")},
      {2, false, in_main("l$ := schoose[x, !x]; assert(!l);")},
      {2, true, in_main("l$ := * constrain$ ('l$ != l$); assert(!l);")},
      {2, false, in_main("l$ := * constrain$ ('l$ = l$); assert(!l);")},
      {2, false, in_main("l$ := 1 constrain$ (x); assert(!l);")},
      {2, true, in_main("l := 1; atomic { l$ := l constrain$ ('l$ != l$); assert(0); }")},
      // threads that are listed
      {2, false, "decl x := 0; void thread1() begin assert(!x); x := 1; end"},
      {1, true, "decl x := 0; void init() begin x := 1; end void main() begin assert(!x); end"},
      {1, false, "decl x := 1; void init() begin x := 0; end void main() begin assert(!x); end"},
      {1, false, "void init() begin end_thread; end void main() begin SLIC_ERROR: skip; end"},
      {1, false, "void init() begin assume(0); end void main() begin SLIC_ERROR: skip; end"},
      {2, true,
       "decl x := 0; void init() begin x := !x; end "
       "void main() begin init(); assert(x); end"},
  };
  for (const SemanticsCase& c : cases)
    EXPECT_EQ(can_fail(c), c.fails) << c.threads << " threads: " << c.text;
}

/// Two threads need two rounds to see each other's changes.
TEST(ProgramSemantics, CountsRounds) {
  auto file = frontend::boolean_program::parse(
      {"test.bp",
       "decl x := 0; void thread1() begin assume(x); assert(0); end "
       "void thread2() begin x := 1; end"});
  const auto program = file->model;
  EXPECT_FALSE(search_rounds(Semantics(program), 1, 1, {}).fails);
  EXPECT_TRUE(search_rounds(Semantics(program), 1, 2, {}).fails);
}

/// At the chosen labels, and nowhere else.
TEST(ProgramSemantics, FailsAtChosenLabels) {
  auto file = frontend::boolean_program::parse(
      {"test.bp", "void main() begin A: skip; assert(0); B: skip; SLIC_ERROR: skip; end"});
  auto program = file->model;
  program.failure_labels = {"B"};
  EXPECT_FALSE(search(Semantics(program), 1, {}).fails);
  program.failure_labels = {"A", "B"};
  EXPECT_TRUE(search(Semantics(program), 1, {}).fails);
}

}  // namespace
}  // namespace heddle::model::boolean
