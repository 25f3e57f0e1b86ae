#include <nlohmann/json.hpp>
#include <optional>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

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
  EXPECT_EQ(heddle({"check", "p.bp", "e.json", "--label", "B"}).code, 0);
  const Outcome unlabelled = heddle({"check", "p.bp", "e.json"});
  EXPECT_EQ(unlabelled.code, 20);
  EXPECT_THAT(unlabelled.out, HasSubstr("pass --label B"));
  const Outcome other = heddle({"check", "p.bp", "e.json", "--label", "A"});
  EXPECT_EQ(other.code, 20);
  EXPECT_THAT(other.out, HasSubstr("the evidence is about --label B instead of --label A"));
  EXPECT_EQ(heddle({"replay", "p.bp", "e.json", "--label", "B", "--all"}).code, 0);

  write("p.bp", "void main() begin skip; end\n");
  const Outcome lost = heddle({"check", "p.bp", "e.json"});
  EXPECT_EQ(lost.code, 20);
  EXPECT_THAT(lost.out, HasSubstr("--label B instead of the failures of the program"));
}

TEST_F(Label, IsWrittenIntoTranslations) {
  const Outcome translated = heddle({"translate", "p.bp", "--label", "A", "--to", "bp"});
  EXPECT_EQ(translated.code, 0);
  EXPECT_THAT(translated.out, HasSubstr("A: SLIC_ERROR: skip;"));
  EXPECT_THAT(translated.out, HasSubstr("assume(!x)"));
  EXPECT_EQ(heddle({"show", "p.bp", "--label", "A", "-o", "p.dot"}).code, 0);
  EXPECT_EQ(heddle({"show", "p.bp", "--label", "C", "-o", "p.dot"}).code, 3);
}

class Projection : public BinaryTest {
 protected:
  Projection() {
    write("p.bp",
          "decl x := 0;\n"
          "void thread1() begin\n"
          "  if (*) then x := 1; else assume(F); x := 0; fi;\n"
          "end\n"
          "void thread2() begin\n"
          "  assert(!x);\n"
          "  x := 0;\n"
          "end\n");
  }

  /// All statements lie on an error trace but for one, or all.
  void expect_on_none(const std::string& text, std::optional<unsigned> line) const {
    write("q.bp", text);
    const Outcome outcome = heddle({"verify", "q.bp", "--projection", "--json"});
    EXPECT_EQ(outcome.code, 10) << outcome.err;
    const json projection = json::parse(outcome.out)["projection"];
    ASSERT_EQ(projection["on_none"].size(), line ? 1U : 0U) << projection["on_none"];
    if (line) {
      EXPECT_EQ(projection["on_none"][0]["line"], *line);
    }
    EXPECT_EQ(projection["undecided"], json::array());
    EXPECT_FALSE(projection.contains("checked_on_translation"));
  }
};

TEST_F(Projection, IsListed) {
  const Outcome outcome = heddle({"verify", "p.bp", "--contexts", "2", "--projection"});
  EXPECT_EQ(outcome.code, 10);
  EXPECT_THAT(outcome.out, HasSubstr("3 of 6 statements on an error trace within 2 contexts"));
  EXPECT_THAT(outcome.out, HasSubstr("  ◐ 3    if (*) then x := 1; else assume(F); x := 0; fi;\n"
                                     "    4  end\n"
                                     "    5  void thread2() begin\n"
                                     "  ● 6    assert(!x);\n"
                                     "  · 7    x := 0;\n"));
  EXPECT_THAT(outcome.out, HasSubstr("● on an error trace  ◐ a part of the line  · on none"));
  const Outcome quiet = heddle({"verify", "p.bp", "--contexts", "2", "--projection", "-q"});
  EXPECT_THAT(quiet.out, Not(HasSubstr("projection")));
}

TEST_F(Projection, IsInTheJson) {
  const Outcome outcome = heddle({"verify", "p.bp", "--contexts", "2", "--projection", "--json"});
  const json projection = json::parse(outcome.out)["projection"];
  EXPECT_EQ(projection["statements"], 6);
  EXPECT_EQ(projection["on_error_trace"], json::parse(R"([{"line":3,"columns":[3,13]},
      {"line":3,"columns":[15,26]},{"line":6,"columns":[3,13]}])"));
  EXPECT_EQ(projection["on_none"].size(), 3u);
  EXPECT_EQ(projection["undecided"], json::array());
  EXPECT_EQ(projection["bound"]["value"], 2);
}

/// Whether or not the thread there can go on.
TEST_F(Projection, ThreadsFailAtLabelsWhereTheyAreBlocked) {
  expect_on_none(
      "decl g := 0;\n"
      "decl x;\n"
      "void main() begin\n"
      "  if (*) then x := 1; else x := 0; fi;\n"
      "  f();\n"
      "end\n"
      "void f() begin\n"
      "  enforce g;\n"
      "  SLIC_ERROR: skip;\n"
      "end\n",
      std::nullopt);
}

TEST_F(Projection, ThreadsFailAtLabelsWhileOthersAreInsideSections) {
  expect_on_none(
      "decl x;\n"
      "void main() begin\n"
      "  if (*) then x := 1; else x := 0; fi;\n"
      "  atomic_begin;\n"
      "  start_thread goto SLIC_ERROR;\n"
      "  assume(F);\n"
      "  SLIC_ERROR: skip;\n"
      "end\n",
      6);
}

TEST_F(Projection, EndsAtTheLabel) {
  expect_on_none(
      "void main() begin\n"
      "  SLIC_ERROR: skip;\n"
      "  assert(F);\n"
      "end\n",
      3);
}

TEST_F(Projection, LeavesOpenWhatTimeDoesNotAllow) {
  const Outcome outcome =
      heddle({"verify", "p.bp", "--projection", "--engine", "context-lazy", "--steps", "1"});
  EXPECT_EQ(outcome.code, 20);
  EXPECT_THAT(outcome.out, HasSubstr("0 of 6 statements on an error trace, 6 undecided"));
  EXPECT_THAT(outcome.out, HasSubstr("  ? 6    assert(!x);"));
}

TEST_F(Projection, NeedsStatementsAndATarget) {
  write("lock.tts", kLock);
  const Outcome outcome = heddle({"verify", "lock.tts", "--target", "2|4", "--projection"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("--projection is for Boolean programs and pushdown systems"));
  write("p.pds", "3\nPDA 1 2\n0 1 -> 1 2\n1 2 -> 2 -\n0 1 -> 0 2\n");
  const Outcome aimless = heddle({"verify", "p.pds", "--initial", "0|1", "--projection"});
  EXPECT_EQ(aimless.code, 3);
  EXPECT_THAT(aimless.err, HasSubstr("there is no target"));
  const Outcome rules =
      heddle({"verify", "p.pds", "--initial", "0|1", "--target", "2|-", "--projection"});
  EXPECT_THAT(rules.out, HasSubstr("2 of 3 rules on an error trace (1 further question)"));
  EXPECT_THAT(rules.out, HasSubstr("  ● 3  0 1 -> 1 2\n  ● 4  1 2 -> 2 -\n  · 5  0 1 -> 0 2\n"));
}

}  // namespace
}  // namespace heddle::cli
