/// Remopla: arithmetic on bits, statements, and what is wrong with a text.

#include "frontend/boolean_program/format.hpp"
#include "frontend/notation.hpp"
#include "frontend/remopla/format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/remopla/bits.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/interpreter.hpp"

namespace heddle::frontend::remopla::remopla_test {
namespace {

using model::boolean::Operator;

constexpr std::size_t kWidth = 3;
constexpr std::uint64_t kValues = 1 << kWidth;

Bits bits_of(char name) {
  Bits bits;
  for (std::size_t i = 0; i < kWidth; ++i) bits.push_back(variable(name + std::to_string(i)));
  return bits;
}

/// Variables `a0`, `b2` are bits of two numbers.
bool evaluate(const Bit& bit, std::uint64_t a, std::uint64_t b) {
  const auto operand = [&](std::size_t i) { return evaluate(bit.operands[i], a, b); };
  switch (bit.op) {
    case Operator::True: return true;
    case Operator::False: return false;
    case Operator::Variable:
      return (((bit.name[0] == 'a' ? a : b) >> (bit.name[1] - '0')) & 1) != 0;
    case Operator::Not: return !operand(0);
    case Operator::And: return operand(0) && operand(1);
    case Operator::Or: return operand(0) || operand(1);
    case Operator::Xor: return operand(0) != operand(1);
    case Operator::Equal: return operand(0) == operand(1);
    case Operator::Conditional: return operand(0) ? operand(1) : operand(2);
    default: ADD_FAILURE() << "an operator that these expressions have no use for"; return false;
  }
}

std::uint64_t evaluate(const Bits& bits, std::uint64_t a, std::uint64_t b) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    value |= std::uint64_t{evaluate(bits[i], a, b)} << i;
  return value;
}

TEST(RemoplaBits, AreNumbers) {
  const Bits x = bits_of('a'), y = bits_of('b');
  for (std::uint64_t a = 0; a < kValues; ++a)
    for (std::uint64_t b = 0; b < kValues; ++b) {
      EXPECT_EQ(evaluate(sum(x, y), a, b), (a + b) % kValues);
      EXPECT_EQ(evaluate(difference(x, y), a, b), (a - b) % kValues);
      EXPECT_EQ(evaluate(less(x, y), a, b), a < b);
      EXPECT_EQ(evaluate(equal(x, y), a, b), a == b);
      EXPECT_EQ(evaluate(truth(x), a, b), a != 0);
      EXPECT_EQ(evaluate(bitwise(Operator::And, x, y), a, b), a & b);
      EXPECT_EQ(evaluate(bitwise(Operator::Xor, x, y), a, b), a ^ b);
      EXPECT_EQ(evaluate(less(x, number(b)), a, b), a < b) << "constants are folded";
      EXPECT_EQ(evaluate(difference(x, number(5)), a, b), (a - 5) % kValues);
      EXPECT_EQ(evaluate(shifted_left(x, 1), a, b), (a << 1) % kValues);
      EXPECT_EQ(evaluate(shifted_right(x, 2), a, b), a >> 2);
      EXPECT_EQ(evaluate(sum(x, resized(y, 5)), a, b), a + b) << "the wider one decides";
    }
  EXPECT_EQ(value_of(number(37)), 37u);
  EXPECT_EQ(value_of(sum(number(3), number(1))), 4u);
  EXPECT_EQ(value_of(shifted_left(number(1), 3)), 8u);
  EXPECT_EQ(value_of(x), std::nullopt);
}

/// Does some run of the program fail an assertion?
bool fails(const std::string& text) {
  const auto parsed = parse({"some.rem", text});
  if (!parsed) {
    ADD_FAILURE() << base::render(parsed.error());
    return false;
  }
  const auto flow = model::boolean::keep_calls(parsed->model);
  if (!flow) {
    ADD_FAILURE() << flow.error();
    return false;
  }
  const auto found = model::boolean::explore_rounds(*flow, 1, 1, {8, 200'000});
  EXPECT_TRUE(found.exact || found.failure);
  return found.failure.has_value();
}

/// A program whose main is these statements.
std::string with_main(const std::string& declarations, const std::string& statements) {
  return "define DEFAULT_INT_BITS 3\n" + declarations + "\nmodule void main() {\n" + statements +
         "\n}\n";
}

TEST(Remopla, StatementsMeanWhatTheySay) {
  const std::pair<const char*, const char*> holds[] = {
      {"int x, y;", "x = 3; y = x + 6; assert(y == 1);"},
      {"int x, y;", "x = 1; y = 2; x, y = y, x; assert(x == 2 && y == 1);"},
      {"int x, y(5);", "y = 19; x = y; assert(x == 3);"},
      {"int x;", "x = 0; do :: x < 5 -> x = x + 1; od assert(x == 5);"},
      {"int x;", "x = 0; do :: x == 4 -> break; :: else -> x = x + 1; od; assert(x == 4);"},
      {"int x;", "if :: x > 5 -> x = 5; :: else -> skip; fi assert(x <= 5);"},
      {"int x;", "if :: x > 5 -> goto big; fi assert(x > 5); big: skip;"},
      {"bool a[4]; int i(2);",
       "a[0], a[1], a[2], a[3] = false, false, false, false; a[i] = true; "
       "assert(a[i] && (a[0] ^^ a[1] ^^ a[2] ^^ a[3]));"},
      {"int a[3](2), i(2);", "i = 2; a[i] = 3; assert(a[2] == 3);"},
      {"int x;", "pchoice :: 1.0 -> x = 1; :: 0.0 -> x = 2; choicep; assert(x == 1);"},
      {"bool p, q;", "p = undef; q = !p; assert(p ^^ q);"},
      {"define N 4\nint x(N);", "x = 1 << 3 | 1; assert(x == 9 && (x >> 3) == 1 && ~x == 6);"},
      {"enum colour { red, green, blue } c;\nenum colour d[2];",
       "c = blue; d[1] = c; d[0] = red; assert(d[1] == 2 && d[0] != d[1] && green == 1);"},
      {"enum { off, on } lamp;", "lamp = 2; assert(lamp == off);"},
  };
  for (const auto& [declarations, statements] : holds) {
    SCOPED_TRACE(statements);
    EXPECT_FALSE(fails(with_main(declarations, statements)));
    EXPECT_TRUE(fails(with_main(declarations, std::string(statements) + " assert(false);")))
        << "the end is reached";
  }
  EXPECT_TRUE(fails(with_main("int x;", "assert(x != 6);"))) << "variables start with any value";
  EXPECT_TRUE(fails(with_main("bool p;", "p = undef; assert(p);")));
  EXPECT_TRUE(fails(with_main("int x;",
                              "if :: x > 2 -> x = 0; :: x > 1 -> x = 1; fi "
                              "assert(x == 0);")));
}

TEST(Remopla, ModulesReturnAndRecur) {
  const std::string twice =
      "module int twice(int n, bool really) {\n"
      "  if :: really -> return n + n; :: else -> return n; fi }";
  EXPECT_FALSE(fails(with_main("int x;\n" + twice, "x = 2; x = twice(x, true); assert(x == 4);")));
  EXPECT_TRUE(fails(with_main("int x;\n" + twice, "x = 2; x = twice(x, false); assert(x == 4);")));
  const std::string down =
      "int x;\nmodule void down(int n) {\n"
      "  if :: n > 0 -> down(n - 1); x = x + 1; :: else -> x = 0; fi }";
  EXPECT_FALSE(fails(with_main(down, "down(3); assert(x == 3);")));
  EXPECT_TRUE(fails(with_main(down, "down(3); assert(x == 2);")));
}

TEST(Remopla, ModulesMayBeAnnounced) {
  const std::string even_odd =
      "module bool odd(int n);\n"
      "module bool even(int n) {\n"
      "  bool b; if :: n > 0 -> b = odd(n - 1); return b; :: else -> return true; fi }\n"
      "module bool odd(int n) {\n"
      "  bool b; if :: n > 0 -> b = even(n - 1); return b; :: else -> return false; fi }\n"
      "bool r;";
  EXPECT_FALSE(fails(with_main(even_odd, "r = odd(5); assert(r); r = even(5); assert(!r);")));
  EXPECT_TRUE(fails(with_main(even_odd, "r = odd(4); assert(r);")));
}

model::boolean::Flow flow_of(const std::string& text) {
  const auto parsed = parse({"some.rem", text});
  EXPECT_TRUE(parsed) << (parsed ? "" : base::render(parsed.error()));
  return *model::boolean::keep_calls(parsed->model);
}

/// What people read of a state speaks of the variables of the file, not of their bits.
TEST(RemoplaSource, ValuesAreThoseOfTheDeclaredVariables) {
  using model::boolean::Cube;
  const auto flow = flow_of(with_main(
      "enum colour { red, green, blue };\nbool p; int x, a[2](2); enum colour c;", "p = true;"));
  // p, then x, a[0], a[1] and c with 3, 2, 2 and 2 bits, the least significant ones first
  const auto text = [&](std::uint64_t known, std::uint64_t bits) {
    const model::boolean::Valuation mask(known), value(bits);
    return model::values_text(shared_values(flow, Cube{mask, value & mask}));
  };
  EXPECT_EQ(text(0x3ff, 0b01'10'11'101'1), "p=true x=5 a[0]=3 a[1]=2 c=green");
  EXPECT_EQ(text(0x3ff, 0b11'00'00'000'0), "p=false x=0 a[0]=0 a[1]=0 c=3") << "no such colour";
  EXPECT_EQ(text(0b00'10'00'101'0, 0b00'10'00'001'0), "x=0b0?1 a[1]=0b1?");
  EXPECT_EQ(text(0, 0), "");
}

TEST(RemoplaSource, StepsSayWhatTheFileSays) {
  const auto flow = flow_of(with_main("int x, y;\nmodule int twice(int n) { return n  +  n; }",
                                      "x , y = y,\n  /* why? */ x + 1; // because\n x = twice(x);"
                                      "if :: x > 1 -> skip; :: else -> break_: skip; fi "
                                      "pchoice :: 0.5 -> x = 1; :: 0.5 -> x = 2; choicep "
                                      "do :: x < 5 -> x = x + 1; od assert(x == 5);"));
  std::set<std::string> texts;
  for (const auto& edge : flow.edges) texts.insert(edge.text);
  for (const char* expected :
       {"x , y = y, x + 1", "x = twice(x)", "return n + n", "if :: x > 1", "x > 1 holds",
        "if :: else", "no other guard holds", "pchoice :: 0.5", "do :: x < 5", "end of do",
        "the guard does not hold", "assert(x == 5)", "assert(x == 5) fails"})
    EXPECT_TRUE(texts.contains(expected)) << expected;
  for (const std::string& text : texts) {
    EXPECT_EQ(text.find("rem__"), std::string::npos) << text;
    EXPECT_EQ(text.find("x_0"), std::string::npos) << text;
  }
}

std::optional<std::string> no_text(const std::string& program,
                                   const std::vector<model::ThreadsInMain>& initial = {}) {
  const auto read = boolean_program::parse({"some.bp", program});
  EXPECT_TRUE(read);
  return cannot_print({read->model, initial, {}, {}});
}

std::string text_of(const std::string& program) {
  const auto read = boolean_program::parse({"some.bp", program});
  return read ? print(*read) : base::render(read.error());
}

/// What it does is for the agreement tests; here, what could be read as something else.
TEST(RemoplaText, NamesMeanOneThingEach) {
  const std::string program =
      "decl int := 1, undef := 0, any_0 := 1;\n"
      "void f(f, int) begin decl undef := 1; assert(f & int & undef & any_0); end\n"
      "void main() begin if * then f(int, 1); fi; assert(!undef); end\n";
  EXPECT_FALSE(fails(text_of(program))) << text_of(program);
  EXPECT_NE(text_of(program).find("module void f(bool f_, bool int__)"), std::string::npos);
  std::string other = program;
  other.replace(other.find(":= 1"), 4, ":= 0");
  EXPECT_TRUE(fails(text_of(other))) << text_of(other);
}

TEST(RemoplaText, ResultsAndConstraints) {
  const std::string program =
      "decl a := 0, b;\n"
      "bool<2> g(n) begin decl l, r; if n then l, r := g(0); return !l, !r; fi; return 1, 0; end\n"
      "void main() begin decl c; a, _ := g(1); assert(!a); _, a := g(1); assert(a);\n"
      "  a, b, c := *, *, a constrain (('a & !'b & 'c) & a); assert(a & !b & c); end\n";
  EXPECT_FALSE(fails(text_of(program))) << text_of(program);
  std::string other = program;
  other.replace(other.find("'c) & a"), 7, "'c) |!a");
  other.replace(other.find("& !'b"), 5, "|  'b");
  EXPECT_TRUE(fails(text_of(other))) << text_of(other);
}

TEST(RemoplaText, LongExpressionsAreNotDeep) {
  std::string all = "a";
  for (int i = 0; i < 1'000; ++i) all += i % 2 == 0 ? " & a" : " & !b";
  const std::string program = "decl a := 1, b := 0;\nvoid main() begin assert(" + all +
                              "); b := 1; assert(" + all + "); end\n";
  EXPECT_TRUE(fails(text_of(program)));
}

TEST(RemoplaText, HoldsOneThread) {
  const std::string one = "void main() begin skip; end\n";
  const auto threads = [&](const char* count) {
    return *Notation<model::BooleanProgram>::parse_initial({}, {"--initial", count});
  };
  EXPECT_EQ(no_text(one), std::nullopt);
  EXPECT_EQ(no_text(one, threads("1")), std::nullopt);
  EXPECT_THAT(no_text(one, threads("2")).value_or(""), testing::HasSubstr("several threads"));
  EXPECT_THAT(
      no_text("void thread1() begin skip; end\nvoid thread2() begin skip; end\n").value_or(""),
      testing::HasSubstr("--contexts K"));
  EXPECT_NE(no_text("void main() begin start_thread goto L; L: skip; end\n"), std::nullopt);
  EXPECT_THAT(find_format("rem")->cannot_print(NetFile()).value_or(""),
              testing::HasSubstr("the format holds Boolean programs"));
}

TEST(Remopla, SaysWhatIsWrong) {
  const std::pair<std::string, const char*> wrong[] = {
      {with_main("int x;", "y = 1;"), "'y' is not declared"},
      {with_main("int a[2];", "a[2] = 1;"), "no such element"},
      {with_main("int a[2];", "a = 1;"), "expected '['"},
      {with_main("int x;\nbool x;", ""), "declared twice"},
      {with_main("int x;\nbool x_1;", ""), "has the name of another variable"},
      {with_main("int x;", "x = 1 << x;"), "by a constant"},
      {with_main("", "break;"), "'break' is not in a 'do'"},
      {with_main("", "f();"), "there is no module 'f' above"},
      {with_main("int x;", "x = g(1);"), "is not declared"},
      {with_main("", "if fi"), "there is no branch"},
      {with_main("module void f(bool b);\nmodule void f() { }", ""), "with other parameters"},
      {with_main("module void f();", "f();"), "'f'"},
      {with_main("int a[99](8);", "a[a[a[0]]] = a[a[a[a[0]]]];"), "too large"},
      {"int x;\nmodule void main() { }\n", "the width of this integer"},
      {"int x(65);\nmodule void main() { }\n", "between 1 and 64 bits"},
      {with_main("", "goto nowhere;"), "nowhere"},
      {with_main("int x;", "x = 99999999999999999999;"), "more than 64 bits"},
      {with_main("enum colour c;", ""), "there is no enumeration 'colour' above"},
      {with_main("enum a { red };\nenum b { red };", ""), "'red' is declared twice"},
      {with_main("enum a { red };\nenum a { green };", ""), "'a' is declared twice"},
      {with_main("enum a { red } x(3);", ""), "expected ';'"},
  };
  for (const auto& [text, message] : wrong) {
    const auto parsed = parse({"some.rem", text});
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(base::render(parsed.error()).find(message), std::string::npos)
        << base::render(parsed.error());
  }
}

}  // namespace
}  // namespace heddle::frontend::remopla::remopla_test
