#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kTwoLabels =
    "decl x := 0;\n"
    "void main() begin\n"
    "  if (*) then A: skip; else x := 1; B: skip; fi;\n"
    "  assert(!x);\n"
    "end\n";

class Label : public BinaryTest {
 protected:
  Label() { write("p.bp", kTwoLabels); }
};

TEST_F(Label, IsKnownToItsEvidence) {
  EXPECT_EQ(heddle({"verify", "p.bp", "--label", "B", "--evidence", "e.json"}).code, 10);
  EXPECT_EQ(heddle({"check", "p.bp", "e.json"}).code, 0);
  EXPECT_EQ(heddle({"check", "p.bp", "e.json", "--label", "B"}).code, 0);
  const Outcome other = heddle({"check", "p.bp", "e.json", "--label", "A"});
  EXPECT_EQ(other.code, 71);
  EXPECT_THAT(other.out, HasSubstr("the evidence is about --label B instead of --label A"));
  EXPECT_EQ(heddle({"replay", "p.bp", "e.json", "--all"}).code, 0);

  write("p.bp", "void main() begin skip; end\n");
  const Outcome lost = heddle({"check", "p.bp", "e.json"});
  EXPECT_EQ(lost.code, 71);
  EXPECT_THAT(lost.out, HasSubstr("--label B instead of the failures of the program"));
}

TEST_F(Label, IsWrittenIntoTranslations) {
  const Outcome translated = heddle({"translate", "p.bp", "--label", "A", "--to", "bp"});
  EXPECT_EQ(translated.code, 0);
  EXPECT_THAT(translated.out, HasSubstr("A: assert(0)"));
  EXPECT_THAT(translated.out, HasSubstr("assume(!x)"));
  EXPECT_EQ(heddle({"show", "p.bp", "--label", "A", "-o", "p.dot"}).code, 0);
  EXPECT_EQ(heddle({"show", "p.bp", "--label", "C", "-o", "p.dot"}).code, 3);
}

}  // namespace
}  // namespace heddle::cli
