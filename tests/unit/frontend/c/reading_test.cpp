/// What is read how: names, positions, types, warnings, what is not supported, and bad input.

#include <gmock/gmock.h>

#include "execution.hpp"

namespace heddle::frontend::c {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

base::Diagnostics errors(const std::vector<SourceText>& sources, const ReadOptions& options = {}) {
  const auto program = read_c(sources, options);
  EXPECT_FALSE(program);
  return program ? base::Diagnostics{} : program.error();
}

const model::c::Function& function(const model::c::Program& program, const std::string& name) {
  for (const auto& one : program.functions)
    if (one.name == name) return one;
  throw std::runtime_error("no function " + name);
}

// ---- The model

TEST(CReading, AVariableIsOneRegisterAndAnIncrementOneInstruction) {
  const auto program = read("int main(void) {\n  int i = 2;\n  i++;\n  return i;\n}\n");
  const auto& main = function(program, "main");
  ASSERT_EQ(main.variables.size(), 1U);
  EXPECT_EQ(main.variables[0].name, "i");
  EXPECT_FALSE(main.variables[0].is_address);
  EXPECT_EQ(program.types[main.variables[0].type->index()].name, "int");
  const std::string text =
      model::c::print(program, program.functions[0].code.empty() ? model::c::FunctionId()
                                                                 : model::c::FunctionId(1U));
  EXPECT_THAT(text, HasSubstr("i := i + 1  (signed)"));
  EXPECT_THAT(text, HasSubstr("test.c:3:4"));
}

TEST(CReading, TypesAndMembers) {
  const auto program = read(
      "typedef struct { int a; char b[3]; unsigned f : 5; } rec;\n"
      "struct list { struct list *next; rec value; } head; unsigned long n; _Bool t;\n"
      "int main(void) { return head.value.a + (int)n + t; }\n");
  const auto named = [&](const std::string& name) -> const model::c::Type& {
    for (const auto& global : program.globals)
      if (global.name == name) return program.types[global.type->index()];
    throw std::runtime_error("no global " + name);
  };
  EXPECT_EQ(named("n").name, "unsigned long");
  EXPECT_FALSE(named("n").is_signed);
  EXPECT_EQ(named("t").kind, model::c::Type::Kind::Boolean);
  const model::c::Type& list = named("head");
  EXPECT_EQ(list.name, "struct list");
  ASSERT_EQ(list.members.size(), 2U);
  EXPECT_EQ(program.types[list.members[0].type.index()].element, program.globals[0].type);
  const model::c::Type& rec = program.types[list.members[1].type.index()];
  EXPECT_EQ(rec.name, "rec");
  ASSERT_EQ(rec.members.size(), 3U);
  EXPECT_EQ(rec.members[1].offset, 4U);
  EXPECT_EQ(program.types[rec.members[1].type.index()].count, 3U);
  EXPECT_EQ(rec.members[2].bits, 5);
}

TEST(CReading, PositionsAreLinesOfTheFileThatWasRead) {
  const auto program = read(
      "# 100 \"elsewhere.c\"\nvoid reach_error();\n#line 7 \"x.c\"\nint main() { reach_error(); "
      "}\n");
  EXPECT_THAT(program.files, ElementsAre("test.c"));
  const auto& main = function(program, "main");
  EXPECT_TRUE(std::holds_alternative<model::c::Fail>(main.code[0].effect));
  EXPECT_EQ(main.code[0].position.line, 4U);
}

TEST(CReading, MacrosHaveThePositionOfTheirUse) {
  const auto program =
      read("#define BAD reach_error()\nvoid reach_error();\nint main() {\n  BAD;\n}\n");
  EXPECT_EQ(function(program, "main").code[0].position.line, 4U);
}

TEST(CReading, CallsOfErrorFunctionsFailEvenIfTheyHaveABody) {
  const auto program = read(
      "void reach_error() {}\nvoid my_error() {}\n"
      "int main() { my_error(); reach_error(); }\n");
  EXPECT_EQ(execute(program).what.find("my_error"), std::string::npos);
  EXPECT_EQ(execute(program).outcome, model::c::Outcome::Violated);
  ReadOptions other;
  other.error_functions = {"my_error"};
  const Execution ran = execute(read("void my_error() {}\nint main() { my_error(); }\n", other));
  EXPECT_EQ(ran.outcome, model::c::Outcome::Violated);
}

TEST(CReading, InputsHaveTheWidthAndSignOfTheirNames) {
  const auto program = read(
      "int main() { return __VERIFIER_nondet_uchar() + __VERIFIER_nondet_short() + "
      "__VERIFIER_nondet_bool() + __VERIFIER_nondet_int(); }\n");
  std::vector<std::pair<int, bool>> inputs;
  for (const auto& i : function(program, "main").code)
    if (const auto* choose = std::get_if<model::c::Choose>(&i.effect))
      inputs.emplace_back(choose->width, choose->is_signed);
  EXPECT_THAT(inputs, ElementsAre(std::pair(8, false), std::pair(16, true), std::pair(1, false),
                                  std::pair(32, true)));
}

TEST(CReading, AssumptionsPrune) {
  EXPECT_EQ(execute(read("int main() { __VERIFIER_assume(0); reach_error(); }")).outcome,
            model::c::Outcome::Pruned);
  EXPECT_EQ(execute(read("void abort(void); int main() { abort(); reach_error(); }")).outcome,
            model::c::Outcome::ProcessEnded);
}

TEST(CReading, AtomicFunctionsAreMarked) {
  const auto program = read(
      "int x; void __VERIFIER_atomic_f(void) { x++; } void g(void) { x--; }\n"
      "int main(void) { __VERIFIER_atomic_f(); g(); }\n");
  EXPECT_TRUE(function(program, "__VERIFIER_atomic_f").is_atomic);
  EXPECT_FALSE(function(program, "g").is_atomic);
}

TEST(CReading, VolatileVariablesAreMemory) {
  const auto program = read("int main(void) { volatile int i = 0; i++; return 0; }");
  ASSERT_EQ(function(program, "main").variables.size(), 1U);
  EXPECT_TRUE(function(program, "main").variables[0].is_address);
}

TEST(CReading, OnlyWhatIsReachableIsInTheModel) {
  const auto program = read(
      "int used, unused; double f(double x) { return x * x; }\n"
      "void g(void); void h(void) { g(); }\nint main(void) { return used; }\n");
  EXPECT_EQ(program.functions.size(), 2U);
  EXPECT_EQ(program.globals.size(), 1U);
  EXPECT_THAT(program.warnings, IsEmpty());
}

TEST(CReading, UnknownFunctionsWarnOnceOrAreRefused) {
  const std::string text = "int get(int);\nint main(void) {\n  return get(1) + get(2);\n}\n";
  EXPECT_THAT(read(text).warnings,
              ElementsAre("test.c:3: function 'get' has no body: it returns any value and changes "
                          "nothing"));
  ReadOptions strict;
  strict.unknown_functions = UnknownFunctions::Refuse;
  const auto refused = errors({source(text)}, strict);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].message, "function 'get' has no body");
  EXPECT_EQ(refused[0].location.line, 3U);
}

TEST(CReading, WeakMemoryOrdersWarn) {
  const auto program =
      read("int x; int main(void) { __atomic_store_n(&x, 1, __ATOMIC_RELAXED); return 0; }");
  ASSERT_EQ(program.warnings.size(), 1U);
  EXPECT_THAT(program.warnings[0], HasSubstr("memory_order_seq_cst"));
  EXPECT_THAT(read("_Atomic int x; int main(void) { x = 1; return 0; }").warnings, IsEmpty());
}

TEST(CReading, WhatIsNotSupportedEndsTheRunThere) {
  const auto what = [](const std::string& text) {
    const Execution ran = execute(read(text));
    EXPECT_EQ(ran.outcome, model::c::Outcome::Violated) << text;
    return ran.what;
  };
  EXPECT_THAT(what("int main(void) { __asm__(\"cli\"); return 0; }"), HasSubstr("inline assembly"));
  EXPECT_THAT(what("#include <setjmp.h>\njmp_buf b; int main(void) { return setjmp(b); }"),
              HasSubstr("setjmp"));
  EXPECT_THAT(what("int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int r = "
                   "__builtin_va_arg(l, int); __builtin_va_end(l); return r; }\n"
                   "int main(void) { return f(1, 2); }"),
              HasSubstr("variable arguments"));
  EXPECT_THAT(what("__int128 x; int main(void) { x = x * x; return 0; }"), HasSubstr("__int128"));
  EXPECT_EQ(execute(read("int main(void) { if (0) __asm__(\"cli\"); return 0; }")).outcome,
            model::c::Outcome::ProcessEnded);
}

TEST(CReading, OnlyUnreachableCodeOfTheSourceIsUnsupported) {
  const auto count = [](const std::string& text) {
    std::size_t out = 0;
    for (const auto& one : read(text).functions)
      for (const auto& i : one.code) out += std::holds_alternative<model::c::Unsupported>(i.effect);
    return out;
  };
  EXPECT_EQ(
      count("void f(int *); int main(void) { for (int i = 0; i < 3; i++) { int x; f(&x); if (x) "
            "continue; int y; f(&y); if (y) break; if (x == y) return 1; } return 0; }"),
      0U);
  EXPECT_EQ(count("int main(int c, char **v) { if (c == 1) __builtin_unreachable(); return 0; }"),
            1U);
}

TEST(CReading, VariableArgumentsMayBePassedToPrintf) {
  expect_runs(
      "#include <stdarg.h>\n#include <stdio.h>\n"
      "void say(const char *f, ...) { va_list l; va_start(l, f); vprintf(f, l); va_end(l); }\n"
      "int main(void) { say(\"%d\", 1); printf(\"%s %d\", \"x\", 2); return 0; }\n");
}

TEST(CReading, ArgumentsOfMain) {
  const std::string two =
      "#include <assert.h>\nint main(int argc, char **argv) { assert(argc == 2 && argv[2] == 0 && "
      "argv[1][0] == 'x' && argv[1][1] == 0); return 0; }";
  expect_runs(two, {0, 1, 'x', 0});
  EXPECT_EQ(execute(read(two), {1}).outcome, model::c::Outcome::Violated);
}

TEST(CReading, ManyArgumentsOfMainAreNotModelled) {
  const auto program = read("int main(int argc, char **argv) { return argv[0] == 0; }");
  const auto ran = execute(program, {0, 0, 0});
  EXPECT_EQ(ran.outcome, model::c::Outcome::Violated);
  EXPECT_THAT(ran.what, HasSubstr("arguments of main"));
}

TEST(CReading, TheNumberOfArgumentsIsAnyNumber) {
  const auto program = read("int main(int argc, char **argv) { if (argc == 77) reach_error(); }");
  EXPECT_EQ(execute(program, {77}).outcome, model::c::Outcome::Violated);
  EXPECT_EQ(execute(program, {78}).outcome, model::c::Outcome::ProcessEnded);
  EXPECT_EQ(execute(program, {0xffffffff}).outcome, model::c::Outcome::Pruned);
}

/// Does the program fail?
bool fails(const std::string& text) {
  return execute(read(text)).outcome == model::c::Outcome::Violated;
}

TEST(CReading, AssertionsInComments) {
  const auto body = [](const std::string& text) {
    return "int x = 3; int main(void) { int y = 3;\n" + text + "\nreturn 0; }";
  };
  EXPECT_TRUE(fails(body("//@ assert x != y;")));
  EXPECT_FALSE(fails(body("//@ assert x == y;")));
  EXPECT_TRUE(fails(body("/*@ assert\n x == y; assert y\n > 3; */")));
  EXPECT_FALSE(fails(body("/*@ assert x == y; assert y > 2; */")));
  EXPECT_TRUE(fails(body("//@ assert \\false;")));
  EXPECT_FALSE(fails(body("//@ assert \\true;")));
  EXPECT_TRUE(fails(body("//@ assert x == 3 ==> y == 3 ==> x == 4;")));
  EXPECT_FALSE(fails(body("//@ assert x == 4 ==> \\false;")));
  EXPECT_FALSE(
      fails(body("// @ assert \\false;\n//@ loop invariant \\false;\n/* assert 0; */\n"
                 "const char *s = \"//@ assert 0;\";")));
  EXPECT_TRUE(fails("#define same(a, b) ((a) == (b))\n" + body("//@ assert !same(x, y);")));
}

TEST(CReading, AssertionsInCommentsHavePositions) {
  const auto ran = execute(read("int main(void) {\n  int x = 1;\n  //@ assert x == 2;\n}"));
  EXPECT_EQ(ran.outcome, model::c::Outcome::Violated);
  EXPECT_EQ(ran.what, "x == 2");
  const auto bad = errors({source("int main(void) {\n  //@ assert \\forall int i; i > 0;\n}")});
  ASSERT_FALSE(bad.empty());
  EXPECT_THAT(bad.front().message, HasSubstr("'\\forall' in assertions is not supported"));
  EXPECT_EQ(bad.front().location.line, 2U);
}

TEST(CReading, AnyFunctionMayBeTheEntry) {
  ReadOptions options;
  options.entry = "test";
  const auto program =
      read("void test(int x, char *p) { if (x == 3 && !p) reach_error(); }", options);
  EXPECT_EQ(execute(program, {3, 0}).outcome, model::c::Outcome::Violated);
  EXPECT_EQ(execute(program, {4, 0}).outcome, model::c::Outcome::ProcessEnded);
}

TEST(CReading, DataModels) {
  ReadOptions narrow;
  narrow.pointer_bytes = 4;
  const std::string text =
      "int main(void) { if (sizeof(long) != 4 || sizeof(void *) != 4) reach_error(); return 0; }";
  EXPECT_EQ(read(text, narrow).pointer_bytes, 4);
  EXPECT_EQ(execute(read(text, narrow)).outcome, model::c::Outcome::ProcessEnded);
  EXPECT_EQ(execute(read(text)).outcome, model::c::Outcome::Violated);
}

// ---- Sources and options

TEST(CReading, SeveralFilesAreLinked) {
  const std::vector<SourceText> sources = {
      source("int shared; int next(void); static int mine(void) { return 1; }\n"
             "int main(void) { if (next() != 1 || shared != 5 || mine() != 1) reach_error(); "
             "return 0; }",
             "a.c"),
      source("extern int shared; static int mine(void) { return 5; }\n"
             "int next(void) { shared = mine(); return 1; }",
             "b.c")};
  const auto program = read_c(sources, {});
  ASSERT_TRUE(program) << base::render(program.error());
  EXPECT_EQ(execute(*program).outcome, model::c::Outcome::ProcessEnded);
  EXPECT_THAT(program->files, ElementsAre("a.c", "b.c"));
}

TEST(CReading, OptionsOfCompilers) {
  ReadOptions options;
  options.headers = {{"/inc/value.h", "#define VALUE 4\n"}, {"/inc/first.h", "#define FIRST 9\n"}};
  options.include_paths = {"/inc"};
  options.forced_includes = {"first.h"};
  options.definitions = {"A", "B=3"};
  options.undefinitions = {"__STDC_HOSTED__"};
  options.standard = "c99";
  options.clang_flags = {"-DLAST=2"};
  EXPECT_EQ(execute(read("#include \"value.h\"\n#include <value.h>\n#ifdef __STDC_HOSTED__\n#error "
                         "hosted\n#endif\n"
                         "int main(void) { if (VALUE + FIRST + A + B + LAST + (__STDC_VERSION__ == "
                         "199901L) != 20)"
                         " reach_error(); return 0; }",
                         options))
                .outcome,
            model::c::Outcome::ProcessEnded);
}

TEST(CReading, OldStyleIsAccepted) {
  expect_runs(
      "f(x) { return x + 1; }\nmain() { int *p = 5; int i = p; if (f(i) != 6) reach_error(); "
      "return; }");
  expect_runs(
      "extern void *malloc(unsigned long) __attribute__((__malloc__));\nint main() { return 0; }");
}

// ---- Bad input

TEST(CReading, ErrorsOfClangHaveTheirPlace) {
  const auto found = errors({source("int main(void) {\n  int x = y + 1;\n  return x\n}\n")});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].location, (base::SourceLocation{"test.c", 2, 11}));
  EXPECT_EQ(found[0].message, "use of undeclared identifier 'y'");
  EXPECT_EQ(found[0].offending, "y");
  EXPECT_EQ(found[0].line_text, "  int x = y + 1;");
  EXPECT_EQ(found[1].location.line, 3U);
}

TEST(CReading, FilesThatAreNotC) {
  EXPECT_FALSE(errors({source("\x7f"
                              "ELF\x02\x01\x01\x00\xff\xfe rubbish \x01")})
                   .empty());
  EXPECT_FALSE(errors({source("{\"json\": [1, 2]}")}).empty());
  EXPECT_FALSE(errors({source(std::string(100, '\0'))}).empty());
  EXPECT_LE(errors({source(std::string(10000, '}'))}).size(), 20U);
  EXPECT_FALSE(errors({source("int main(void) {" + std::string(100000, '('))}).empty());
}

TEST(CReading, MissingHeaders) {
  const auto found = errors({source("#include \"no/such.h\"\nint main(void) { return 0; }")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "'no/such.h' file not found");
  EXPECT_EQ(found[0].location.line, 1U);
}

/// After an error Clang keeps expressions that have no type.
TEST(CReading, ErrorsInFrontOfExpressionsWithoutAType) {
  const auto found = errors({source(R"(#include "no/such.h"
void f(struct block *b) {
  unknown += 1;
  b->n[3] += 1;
  counters.x <<= 2;
}
int main(void) { return 0; })")});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].message, "'no/such.h' file not found");
}

TEST(CReading, MissingEntries) {
  const auto found = errors({source("int f(void) { return 0; }")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "there is no function 'main'");
  EXPECT_THAT(found[0].hint, HasSubstr("'f'"));
  EXPECT_EQ(errors({source("int main(void);")})[0].message, "there is no function 'main'");
  EXPECT_EQ(errors({source("")})[0].message, "there is no function 'main'");
}

TEST(CReading, TwoDefinitionsOfOneName) {
  const auto found =
      errors({source("int f(void) { return 0; } int main(void) { return f(); }", "a.c"),
              source("int f(void) { return 1; }", "b.c")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].location.file, "b.c");
  EXPECT_THAT(found[0].message, HasSubstr("'f'"));
}

TEST(CReading, UnknownFlags) {
  ReadOptions options;
  options.clang_flags = {"--no-such-flag"};
  const auto found = errors({source("int main(void) { return 0; }")}, options);
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].message, HasSubstr("--no-such-flag"));
}

TEST(CReading, HugeFilesAreRefused) {
  const auto found = errors({source(std::string(std::size_t{50} << 20, ' '))});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("50 MB"));
}

TEST(CReading, HeadersThatIncludeThemselves) {
  ReadOptions options;
  options.headers = {{"/inc/self.h", "#include \"self.h\"\n"}};
  options.include_paths = {"/inc"};
  EXPECT_FALSE(
      errors({source("#include \"self.h\"\nint main(void) { return 0; }")}, options).empty());
  options.headers.clear();
  for (int i = 0; i < 40; ++i) {
    const std::string next = "#include \"h" + std::to_string(i + 1) + ".h\"\n";
    options.headers.push_back({"/inc/h" + std::to_string(i) + ".h", next + next});
  }
  options.headers.push_back({"/inc/h40.h", ""});
  const auto found = errors({source("#include \"h0.h\"\nint main(void) { return 0; }")}, options);
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].message, HasSubstr("files are included"));
}

}  // namespace
}  // namespace heddle::frontend::c
