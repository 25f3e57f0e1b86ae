#include "support/small_programs.hpp"

#include <algorithm>

namespace heddle::test {

namespace {

constexpr std::string_view kLabels = "ABCDEFG";

bool can_fail(const std::string& text) {
  return text.contains("assert") || text.contains("SLIC_ERROR");
}

/// Does the statement jump behind the last label?
bool jumps_out(const std::string& statement, std::size_t length) {
  for (std::size_t at = statement.find("goto "); at != std::string::npos;
       at = statement.find("goto ", at + 1))
    for (std::size_t label = at + 5; label < statement.size() && statement[label] != ';'; ++label)
      if (const std::size_t number = kLabels.find(statement[label]);
          number != std::string_view::npos && number >= length)
        return true;
  return false;
}

class SmallWriter {
 public:
  SmallWriter(const SmallTheme& theme, const std::function<void(const std::string&)>& visit)
      : theme_(theme), visit_(visit), bodies_(theme.places.size()) {}

  void write(std::size_t place, std::size_t left) {
    if (place == theme_.places.size()) {
      if (left == 0) tell();
      return;
    }
    for (std::size_t length = 0; length <= std::min(left, theme_.places[place].longest); ++length)
      extend(place, length, 0, left);
  }

 private:
  /// Fills the place with every sequence of this length.
  void extend(std::size_t place, std::size_t length, std::size_t written, std::size_t left) {
    if (written == length) return write(place + 1, left - length);
    for (const std::string& statement : theme_.places[place].statements) {
      if (jumps_out(statement, length)) continue;
      const std::size_t before = bodies_[place].size();
      bodies_[place] += std::string(" ") + kLabels[written] + ": " + statement;
      extend(place, length, written + 1, left);
      bodies_[place].resize(before);
    }
  }

  void tell() const {
    for (std::string text : theme_.frames) {
      for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const std::string place = "{" + std::to_string(i) + "}";
        if (const std::size_t at = text.find(place); at != std::string::npos)
          text.replace(at, place.size(), bodies_[i]);
      }
      if (can_fail(text)) visit_(text);
    }
  }

  const SmallTheme& theme_;
  const std::function<void(const std::string&)>& visit_;
  std::vector<std::string> bodies_;
};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::vector<std::string> kData{"skip;",
                                     "sync x;",
                                     "print(x);",
                                     "x := 1;",
                                     "x := !x;",
                                     "x := *;",
                                     "l := x;",
                                     "x := l;",
                                     "x, l := l, x;",
                                     "x := schoose[l, x];",
                                     "x := x ? l : *;",
                                     "x := * constrain ('x != x);",
                                     "x, l := *, * constrain ('x => 'l);",
                                     "dead x;",
                                     "constrain('x != x & ('l = l));",
                                     "assume(x);",
                                     "assume(* & !x);",
                                     "abortif(x);"};
const std::vector<std::string> kFailures{"assert(!x);", "assert(x);", "assert(x | *);",
                                         "SLIC_ERROR: skip;"};
const std::vector<std::string> kControl{"goto A;",
                                        "goto B;",
                                        "goto A, B;",
                                        "if (x) then x := 0; else skip; fi;",
                                        "if (*) then SLIC_ERROR: x := 1; elsif (x) then skip; fi;",
                                        "while (x) do x := *; od;",
                                        "return;"};
const std::vector<std::string> kCalls{"f();", "l := f();", "x := f();", "_ := f();"};
const std::vector<std::string> kSections{"atomic_begin;", "atomic_end;", "atomic { assume(x); }",
                                         "atomic { x := 1; x := 0; }"};
const std::vector<std::string> kThreads{"start_thread goto A;", "start_thread goto B;",
                                        "start_thread f();", "ASYNC_1: f();", "end_thread;"};
const std::vector<std::string> kWaiting{"wait;", "wait c;", "broadcast;", "signal;", "signal c;"};
const std::vector<std::string> kPassive{"l$ := 1;", "l$ := *;", "l$, x := x, 1;"};
const std::vector<std::string> kResult{"return x;", "return *;"};

/// Procedures that return, that never do, that call themselves, and that let no thread pass.
const std::vector<std::string> kOneThread{
    "decl x := 0;\nbool f() begin decl l := 0; {1} return l; end\n"
    "void main() begin decl l := 0; {0} end\n",
    "decl x := 0;\nbool f() begin decl l; {1} Z: goto Z; end\n"
    "void main() begin decl l := 0; {0} end\n",
    "decl x;\nbool f() begin decl l := 1; {1} end\nvoid main() begin decl l; enforce !x | l; {0} "
    "end\n"};

SmallTheme every_construct() {
  return {"every construct",
          kOneThread,
          {{kData + kFailures + kControl + kCalls + kSections + kThreads + kWaiting + kPassive, 3},
           {kData + kFailures + kSections + kThreads + kWaiting + kResult, 2}},
          3};
}

SmallTheme sections_across_calls() {
  return {"sections across calls",
          {"decl x := 0;\nvoid f() begin {1} end\nvoid main() begin {0} end\n",
           "decl x := 0;\nvoid f() begin {1} Z: goto Z; end\n"
           "void main() begin {0} Z: goto Z; end\n"},
          {{{"atomic_begin;", "atomic_end;", "x := !x;", "f();", "assume(x);"}, 4},
           {{"atomic_begin;", "atomic_end;", "x := !x;", "f();", "assert(x);", "end_thread;"}, 2}},
          6};
}

SmallTheme sections_and_threads() {
  return {"sections and threads",
          {"decl x := 0;\nvoid f() begin {1} end\nvoid main() begin {0} end\n",
           "decl x := 0;\nvoid f() begin enforce x; {1} end\nvoid main() begin {0} end\n"},
          {{{"atomic_begin;", "atomic_end;", "x := !x;", "assume(x);", "skip;", "f();",
             "start_thread goto B;", "start_thread goto C;", "start_thread f();", "end_thread;",
             "SLIC_ERROR: skip;", "assert(!x);"},
            4},
           {{"skip;", "x := x;", "SLIC_ERROR: skip;", "start_thread goto B;", "end_thread;"}, 2}},
          5};
}

SmallTheme waiting() {
  return {
      "waiting",
      {"decl x := 0;\nvoid f() begin {1} end\nvoid main() begin {0} end\n"},
      {{{"wait;", "broadcast;", "signal;", "x := !x;", "assume(x);", "atomic_begin;", "atomic_end;",
         "start_thread goto A;", "start_thread f();", "skip;", "assert(!x);", "SLIC_ERROR: wait;"},
        4},
       {{"wait;", "broadcast;", "skip;", "SLIC_ERROR: skip;"}, 2}},
      5};
}

SmallTheme listed() {
  return {"listed threads",
          {"decl x := 0;\nvoid thread1() begin {0} end\n",
           "decl x := 0;\nvoid thread1() begin {0} end\nvoid thread2() begin {1} end\n",
           "decl x;\nvoid init() begin {1} end\nvoid main() begin {0} end\n",
           "decl x := 0;\nvoid init() begin x := !x; {1} end\nvoid thread1() begin {0} end\n"
           "void main() begin x := 0; SLIC_ERROR: skip; end\n",
           "decl x;\nvoid init() begin {1} end\nvoid main() begin init(); {0} end\n"},
          {{{"x := !x;", "x := 1;", "assume(x);", "assert(!x);", "atomic_begin;", "atomic_end;",
             "skip;", "goto A;", "SLIC_ERROR: skip;", "return;", "end_thread;"},
            3},
           {{"x := !x;", "assume(x);", "assert(!x);", "atomic_begin;", "atomic_end;", "skip;",
             "end_thread;", "goto A;", "SLIC_ERROR: skip;"},
            3}},
          4};
}

/// What two threads can do to each other between the parts of a statement.
SmallTheme branches() {
  return {
      "branches",
      {"decl x := 0;\nvoid f() begin {1} end\nvoid main() begin {0} end\n",
       "decl x := 0;\nvoid f() begin {1} end\nvoid main() begin enforce !x; {0} end\n"},
      {{{"if (x) then skip; elsif (!x) then x := !x; else SLIC_ERROR: skip; fi;",
         "while (!x) do x := 0; od;", "while (x) do SLIC_ERROR: f(); od;",
         "atomic { x := !x; assert(x); }", "atomic { while (!x) do x := 1; od; f(); }",
         "atomic { atomic { f(); } x := !x; }", "x := !x;", "assert(!x);", "assert(x);", "f();",
         "return;"},
        3},
       {{"x := !x;", "assume(!x);", "return;", "if (x) then return; fi;", "SLIC_ERROR: x := !x;"},
        2}},
      4};
}

SmallTheme values_and_recursion() {
  return {"values and recursion",
          {"decl x := 0;\nbool<2> f(p) begin decl l; {1} return p, l; end\n"
           "void main() begin decl l, m := 0; {0} end\n",
           "decl x := 0;\nbool<2> f(p) begin decl l; {1} end\n"
           "void main() begin decl l, m := 0; {0} end\n"},
          {{{"l, m := f(x);", "m, x := f(l);", "_, x := f(*);", "f(m);", "x := m;", "l := !m;",
             "assume(l = m);", "assert(!x);", "assert(l | !m);"},
            3},
           {{"p, l := f(!p);", "x, p := f(l);", "l := p;", "p := x;", "x := l;", "assume(p);",
             "return l, *;", "l, p := p, l constrain ('l | 'p);"},
            2}},
          4};
}

/// What threads do to each other's variables, by a relation of both.
SmallTheme passive() {
  const std::vector<std::string> relations{"l$ := !l$;",
                                           "l$ := l$ | x;",
                                           "l$ := schoose[x, l$];",
                                           "l$, m$ := m$, l$;",
                                           "l$, x := l$ & *, !x;",
                                           "m$ := m != l$;",
                                           "l$, m$ := *, * constrain$ ('l$ != 'm$);",
                                           "l$, m$ := *, m$ constrain$ (x & 'l$ = l);",
                                           "l$ := * constrain$ ('l$ & !l$ & *);"};
  return {"passive",
          {"decl x := 0;\nvoid f() begin decl l, m := 0; {1} end\n"
           "void main() begin decl l, m := 0; {0} end\n",
           "decl x := 0;\nvoid f() begin decl l := 0, m := 1; {1} end\n"
           "void main() begin decl l := 0, m := 0; {0} end\n"},
          {{relations + std::vector<std::string>{"x := l;", "l := !m;", "assume(l != m);",
                                                 "start_thread goto A;", "start_thread f();",
                                                 "assert(!m);", "assert(l | m);", "assert(!x);"},
            3},
           {relations + std::vector<std::string>{"l := 1;", "assert(!l);", "assert(m);",
                                                 "start_thread goto A;"},
            2}},
          4};
}

}  // namespace

const std::vector<SmallTheme>& small_themes() {
  static const std::vector<SmallTheme> all{every_construct(),
                                           sections_across_calls(),
                                           sections_and_threads(),
                                           waiting(),
                                           listed(),
                                           branches(),
                                           values_and_recursion(),
                                           passive()};
  return all;
}

const std::vector<std::string>& kept_small_programs() {
  static const std::vector<std::string> all{
      // sections that nest across a call that does not return
      "decl x := 0; void f() begin atomic_end; assert(x); Z: goto Z; end\n"
      "void main() begin atomic_begin; atomic_begin; x := !x; f(); Z: goto Z; end\n",
      // a program that lists one thread
      "decl x := 0; void thread1() begin assert(!x); x := !x; end\n",
      // threads that are started where they, or their next statements, have failed
      "decl x := 0; void f() begin skip; SLIC_ERROR: skip; end\n"
      "void main() begin atomic_begin; start_thread f(); assume(x); end\n",
      "decl x := 0; void f() begin SLIC_ERROR: skip; end\n"
      "void main() begin atomic_begin; start_thread f(); assume(x); end\n",
      "decl x := 0; void main() begin\n"
      "atomic_begin; start_thread goto L; assume(x); L: skip; SLIC_ERROR: skip; end\n",
      // a thread that is woken inside a section, in front of a failure
      "decl x := 0; void f() begin wait; skip; SLIC_ERROR: skip; end\n"
      "void main() begin start_thread f(); atomic_begin; broadcast; assume(x); end\n",
      // init and main; and an init that main calls itself
      "decl x := 0; void init() begin x := 1; end void main() begin assert(!x); end\n",
      "decl x := 0; void init() begin x := 1; end void main() begin assert(!x); init(); end\n",
      // a thread that is at the label and cannot go on
      "decl x := 0; void main() begin enforce x; SLIC_ERROR: skip; end\n",
      "void main() begin SLIC_ERROR: skip; end\n",
      "void main() begin decl l; goto A, B; A: SLIC_ERROR: l := 1; B: skip; end\n",
      "decl x := 0; void f() begin skip; end\n"
      "void main() begin assume(x); f(); SLIC_ERROR: f(); end\n",
      // shared states that are never reached, in a net
      "decl x := 0; void main() begin atomic { } x := *; end\n",
      // turns that end between the conditions of an if, or in front of that of a loop
      "decl x := 0; void main() begin if (x) then skip; elsif (!x) then x := !x;\n"
      "else SLIC_ERROR: skip; fi; end\n",
      "decl x := 0; void thread1() begin while (!x) do x := 0; od; assert(0); end\n"
      "void thread2() begin x := 1; end\n",
      // the end of a procedure that enforces a condition
      "decl x := 0; void f() begin enforce !x; x := 1; end void main() begin f(); assert(0); end\n",
  };
  return all;
}

void for_each_small_program(const SmallTheme& theme, std::size_t statements,
                            const std::function<void(const std::string&)>& visit) {
  SmallWriter(theme, visit).write(0, statements);
}

}  // namespace heddle::test
