#include "base/diagnostic.hpp"

#include <gtest/gtest.h>

namespace heddle::base {
namespace {

Diagnostic misspelt() {
  return {Severity::Error, {"a.tts", 3, 5}, "expected an arrow", "=>", "0 0 => 1 1", "write '->'"};
}

TEST(Diagnostic, ShowsPlaceMessageLineCaretsAndHint) {
  EXPECT_EQ(render(misspelt()),
            "a.tts:3:5: error: expected an arrow\n"
            "    0 0 => 1 1\n"
            "        ^^\n"
            "  hint: write '->'\n");
}

TEST(Diagnostic, KeepsTabsBelowTabs) {
  Diagnostic d = misspelt();
  d.line_text = "0\t0\t=> 1 1";
  EXPECT_EQ(render(d),
            "a.tts:3:5: error: expected an arrow\n"
            "    0\t0\t=> 1 1\n"
            "     \t \t^^\n"
            "  hint: write '->'\n");
}

TEST(Diagnostic, LeavesOutWhatIsMissing) {
  EXPECT_EQ(render(Diagnostic{Severity::Warning, {"a.tts", 0, 7}, "the file is empty", "", "", ""}),
            "a.tts: warning: the file is empty\n");
  EXPECT_EQ(render(Diagnostic{Severity::Error, {"a.tts", 4, 0}, "too many lines", "", "", ""}),
            "a.tts:4: error: too many lines\n");
  EXPECT_EQ(render(Diagnostic{Severity::Error, {}, "no file", "", "", ""}), "error: no file\n");
}

TEST(Diagnostic, PutsOneCaretAtTheEndOfALine) {
  Diagnostic d = misspelt();
  d.line_text = "0 0";
  d.location.column = 4;
  d.offending = "";
  EXPECT_NE(render(d).find("    0 0\n       ^\n"), std::string::npos) << render(d);
}

TEST(Diagnostic, CaretsStayInsideTheLine) {
  Diagnostic d = misspelt();
  d.offending = "=> 1 1\nand more lines of the file";
  EXPECT_NE(render(d).find("        ^^^^^^\n"), std::string::npos) << render(d);
}

TEST(Diagnostic, NoCaretsBeyondTheLine) {
  Diagnostic d = misspelt();
  d.location.column = 40;
  EXPECT_EQ(render(d).find('^'), std::string::npos) << render(d);
}

TEST(Diagnostic, ALongLineIsShownAroundThePlace) {
  Diagnostic d = misspelt();
  d.line_text = std::string(1000, 'x') + "=>" + std::string(1000, 'y');
  d.location.column = 1001;
  d.offending = "=>";
  EXPECT_NE(render(d).find("    …" + std::string(60, 'x') + "=>" + std::string(58, 'y') +
                           "…\n    " + std::string(61, ' ') + "^^\n"),
            std::string::npos)
      << render(d);
  d.location.column = 1;
  EXPECT_NE(render(d).find("    " + std::string(120, 'x') + "…\n    ^^\n"), std::string::npos)
      << render(d);
}

TEST(Diagnostic, RendersSeveralInOrder) {
  Diagnostic second = misspelt();
  second.location.line = 9;
  EXPECT_EQ(render(Diagnostics{misspelt(), second}), render(misspelt()) + render(second));
}

TEST(LineOf, FindsLinesWithoutTheirBreaks) {
  EXPECT_EQ(line_of("one\ntwo\r\nthree", 1), "one");
  EXPECT_EQ(line_of("one\ntwo\r\nthree", 2), "two");
  EXPECT_EQ(line_of("one\ntwo\r\nthree", 3), "three");
  EXPECT_EQ(line_of("one\ntwo\r\nthree", 4), "");
  EXPECT_EQ(line_of("", 1), "");
}

TEST(LineOf, CutsLongLines) {
  EXPECT_EQ(line_of(std::string(100'000, 'x'), 1), std::string(1 << 16, 'x'));
}

}  // namespace
}  // namespace heddle::base
