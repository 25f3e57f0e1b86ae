/// Runs of Remopla speak of the variables and statements of the file, wherever they are shown.

#include <nlohmann/json.hpp>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kLamp =
    "define DEFAULT_INT_BITS 4\n"
    "enum colour { red, green };\n"
    "enum colour lamp[2];\n"
    "int count;\n"
    "module void light(int which(2)) {\n"
    "  lamp[which] = green;\n"
    "}\n"
    "module void main() {\n"
    "  count = 10;\n"
    "  lamp[0], lamp[1] = red, red;\n"
    "  light(1);\n"
    "  count = count + 3;\n"
    "  assert(lamp[1] == red);\n"
    "}\n";

class Remopla : public BinaryTest {
 protected:
  Remopla() { write("lamp.rem", kLamp); }

  static void expect_source_only(const std::string& text) {
    for (const char* bits : {"count_0", "lamp_1", "which_0", "rem__"})
      EXPECT_THAT(text, Not(HasSubstr(bits)));
  }
};

TEST_F(Remopla, TheTextHasValuesAndStatementsOfTheFile) {
  const Outcome run = heddle({"verify", "lamp.rem", "--engine", "context-backward"});
  EXPECT_EQ(run.code, 10) << run.err;
  EXPECT_THAT(run.out, HasSubstr("lamp[which] = green"));
  EXPECT_THAT(run.out, HasSubstr("shared lamp[1]=green"));
  EXPECT_THAT(run.out, HasSubstr("shared count=13"));
  EXPECT_THAT(run.out, HasSubstr("local  which=1"));
  EXPECT_THAT(run.out, HasSubstr("initial  1 thread in main  (the file)"));
  expect_source_only(run.out);
}

TEST_F(Remopla, SoHaveJsonReportAndSarif) {
  const Outcome run =
      heddle({"verify", "lamp.rem", "--json", "--report", "r.html", "--sarif", "s.sarif"});
  EXPECT_EQ(run.code, 10) << run.err;
  bool changed = false;
  const json answer = json::parse(run.out);
  for (const json& step : answer["run"]["steps"])
    for (const json& change : step["changes"])
      changed = changed || (change["name"] == "lamp[1]" && change["value"] == "green");
  EXPECT_TRUE(changed) << run.out;
  expect_source_only(run.out);
  EXPECT_THAT(read("r.html"), HasSubstr("lamp[1]"));
  expect_source_only(read("r.html"));
  EXPECT_THAT(read("s.sarif"), HasSubstr("lamp[1]"));
  expect_source_only(read("s.sarif"));
}

TEST_F(Remopla, SoHasAReplay) {
  EXPECT_EQ(heddle({"verify", "lamp.rem", "-q", "--evidence", "e.json"}).code, 10);
  const Outcome run = heddle({"replay", "lamp.rem", "e.json", "--all"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("lamp[1]=green"));
  expect_source_only(run.out);
}

/// Elements of a proof know some bits of an integer: the others are question marks.
TEST_F(Remopla, AProofDoesNotSpeakOfBitsEither) {
  write("safe.rem",
        "int x(3);\nmodule void main() {\n  x = 1;\n"
        "  do :: x < 6 -> x = x + 2; od\n  assert(x == 7);\n}\n");
  const Outcome run = heddle({"verify", "safe.rem", "--engine", "onthefly", "--verbose"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("    x=0b")) << "an element that knows some bits";
  EXPECT_THAT(run.out, Not(testing::ContainsRegex("x_[0-2]=")));
}

}  // namespace
}  // namespace heddle::cli
