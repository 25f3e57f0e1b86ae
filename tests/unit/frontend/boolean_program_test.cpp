#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/difference.hpp"
#include "model/boolean_program/print.hpp"
#include "parsing.hpp"
#include "support/random_programs.hpp"

namespace heddle::frontend::boolean_program_test {
namespace {

using model::BooleanProgram;
using model::boolean::Statement;
using model::boolean::StatementKind;
using testing::ElementsAre;
using testing::HasSubstr;

BooleanProgram program(const std::string& text) {
  return parsed<model::BooleanProgram>("bp", text).model;
}

/// The statements of main behind `decl g, h;` and `decl x, y;`.
std::vector<Statement> body(const std::string& statements) {
  return program("decl g, h;\nvoid main() begin\ndecl x, y;\n" + statements + "\nend\n")
      .procedures[0]
      .body;
}

std::vector<std::string> complaints(const std::string& statements) {
  return brief(errors("bp", "decl gate;\nvoid main() begin\ndecl x;\n" + statements + "\nend\n"));
}

TEST(BooleanProgramParser, ReadsDeclarationsWithFirstValues) {
  const auto p = program("decl a := 0, b := 1; decl c := *, d;\nvoid main() begin end");
  ASSERT_EQ(p.globals.size(), 4u);
  EXPECT_EQ(p.globals[0].initial, false);
  EXPECT_EQ(p.globals[1].initial, true);
  EXPECT_EQ(p.globals[2].initial, std::nullopt);
  EXPECT_EQ(p.globals[3].initial, std::nullopt);
}

TEST(BooleanProgramParser, ReadsAllThreeDialects) {
  EXPECT_EQ(body("PC1: if !g then goto L; fi\n L: skip").size(), 2u);
  EXPECT_EQ(body("0: goto 1, 2; 1: start_thread goto 2; 2: end_thread;").size(), 3u);
  EXPECT_EQ(body("constrain(('g = g) & ('h | x)); g := schoose[F, T]; l2: skip;").size(), 3u);
}

TEST(BooleanProgramParser, BindsOperatorsByStrength) {
  const auto text = [](const std::string& e) {
    return to_string(body("assume(" + e + ");")[0].expressions[0]);
  };
  EXPECT_EQ(text("g | h & x = y"), "g | h & x = y");
  EXPECT_EQ(text("(g | h) & x"), "(g | h) & x");
  EXPECT_EQ(text("!(g = h) => (x => y)"), "!(g = h) => (x => y)");
  EXPECT_EQ(text("((g => x) => y)"), "g => x => y");
  EXPECT_EQ(text("g ? h : x ? y : 0"), "g ? h : x ? y : 0");
  EXPECT_EQ(text("g && !h || ~x"), "g & !h | !x");
}

TEST(BooleanProgramParser, KnowsWhatAtomicMeansByWhatFollows) {
  EXPECT_EQ(body("atomic { g := 1; }")[0].kind, StatementKind::Atomic);
  const auto p = program("decl atomic;\nvoid main() begin atomic := 1; end");
  EXPECT_EQ(p.procedures[0].body[0].kind, StatementKind::Assign);
}

TEST(BooleanProgramParser, TellsCallsFromAssignments) {
  const auto p = program(
      "bool<2> f(a, b) begin return a, b; end\n"
      "void main() begin decl x, y; x, _ := f(y, 1); f(x, x); x := y; end");
  const auto& statements = p.procedures[1].body;
  EXPECT_EQ(statements[0].kind, StatementKind::Call);
  EXPECT_EQ(statements[0].callee, "f");
  EXPECT_EQ(statements[1].kind, StatementKind::Call);
  EXPECT_EQ(statements[2].kind, StatementKind::Assign);
}

TEST(BooleanProgramParser, SuggestsNamesThatAreDeclared) {
  const auto found = errors("bp", "decl gate;\nvoid main() begin\n  gaet := 1;\nend\n");
  EXPECT_THAT(brief(found), ElementsAre("3:3 'gaet' the variable 'gaet' is not declared"));
  EXPECT_THAT(found[0].hint, HasSubstr("gate"));
}

TEST(BooleanProgramParser, ReportsSeveralProblemsAtOnce) {
  EXPECT_THAT(complaints("goto nowhere;\n gate := ;\n asume x;\n x := 1, 0;"),
              ElementsAre("5:10 ';' expected an expression, found ';'",
                          "6:2 'asume' 'asume' does not start a statement"));
  EXPECT_THAT(complaints("goto nowhere;\n asume(x);"),
              ElementsAre("4:1 'nowhere' there is no label 'nowhere' in 'main'",
                          "5:2 'asume' there is no procedure 'asume'"));
}

TEST(BooleanProgramParser, ComparesNumbersOfValues) {
  EXPECT_THAT(complaints("x, gate := 1;"), ElementsAre("4:1 '' 2 variables, but 1 value"));
  EXPECT_THAT(complaints("x := 'gate;"),
              ElementsAre("4:6 'gate' 'gate is a value after an assignment"));
  EXPECT_THAT(complaints("return x;"), ElementsAre("4:1 '' 0 declared results, but 1 value"));
  EXPECT_THAT(complaints("x, x := 1, 0;"),
              ElementsAre("4:1 'x' 'x' is assigned twice in one statement"));
}

TEST(BooleanProgramParser, RefusesLabelsThatDoNotExist) {
  EXPECT_THAT(complaints("1: goto 7;"), ElementsAre("4:4 '7' there is no label '7' in 'main'"));
  EXPECT_THAT(complaints("1: start_thread goto 7;"),
              ElementsAre("4:4 '7' there is no label '7' in 'main'"));
}

TEST(BooleanProgramParser, TheErrorLabelMarksSeveralStatementsUnlessOneJumpsThere) {
  EXPECT_EQ(body("SLIC_ERROR: skip;\n SLIC_ERROR: skip;").size(), 2u);
  EXPECT_THAT(complaints("SLIC_ERROR: skip;\n SLIC_ERROR: skip;\n goto SLIC_ERROR;"),
              ElementsAre("6:2 'SLIC_ERROR' the label 'SLIC_ERROR' stands twice in 'main'"));
}

TEST(BooleanProgramParser, ReadsALabelThatIsRepeatedInFrontOfItsStatementOnce) {
  EXPECT_THAT(body("a: b: a: skip; goto a;")[0].labels, ElementsAre("a", "b"));
  EXPECT_THAT(complaints("a: skip;\n a: skip;"),
              ElementsAre("5:5 'a' the label 'a' stands twice in 'main'"));
}

TEST(BooleanProgramParser, OnlyValuesForOtherThreadsReadTheirVariables) {
  EXPECT_EQ(body("decl l, m; l$, m$ := m$ | x, * constrain$ ('l$ != l$);")[0].names.size(), 2u);
  EXPECT_THAT(complaints("decl l := 0; x := l$;"), ElementsAre(HasSubstr("'l$' is not declared")));
  EXPECT_THAT(complaints("decl l := 0; l$ := * constrain l$;"),
              ElementsAre(HasSubstr("'l$' is not declared")));
  EXPECT_THAT(complaints("decl l := 0; l$ := 'l$;"),
              ElementsAre(HasSubstr("is a value after an assignment")));
  EXPECT_THAT(complaints("decl l := 0; l$ := * constrain$ 'l;"),
              ElementsAre(HasSubstr("is a value after an assignment")));
  EXPECT_THAT(complaints("decl l := 0; l$ := * constrain$ 'gate$;"),
              ElementsAre(HasSubstr("means a local variable of all other threads")));
  EXPECT_THAT(complaints("decl l := 0; l := * constrain$ l$;"),
              ElementsAre(HasSubstr("is about values for other threads")));
}

TEST(BooleanProgramParser, RefusesTextsThatNestTooDeep) {
  const std::string deep(5000, '(');
  EXPECT_THAT(complaints("assume(" + deep + "x);").at(0), HasSubstr("levels deep"));
  std::string blocks;
  for (int i = 0; i < 5000; ++i) blocks += "atomic { ";
  EXPECT_THAT(complaints(blocks).at(0), HasSubstr("levels deep"));
}

TEST(BooleanProgramPrinter, RandomProgramsRoundTrip) {
  const FormatRow& format = *find_format("bp");
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    test::Random random(seed);
    const test::ProgramFlavour flavour{.signals = true, .passive = true};
    const ProgramFile file{random_program(random, flavour), {}, {{}}, {}};
    ASSERT_EQ(fuzz::round_trip_failure(format, file), "") << format.print(file);
  }
}

}  // namespace
}  // namespace heddle::frontend::boolean_program_test
