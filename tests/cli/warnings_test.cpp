/// What is said about the input on standard error is in the JSON of every command, too.

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/binary.hpp"
#include "cli/schema.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Place p is updated twice.
constexpr const char* kDoubtfulNet =
    "vars p q\nrules\np >= 1 -> p' = p - 1, p' = p - 1, q' = q + 1;\n"
    "init\np >= 1, q = 0\ntarget\nq >= 2\n";

class Warnings : public BinaryTest {
 protected:
  Warnings() {
    write("n.spec", kDoubtfulNet);
    heddle({"verify", "n.spec", "--evidence", "v.json"});
    heddle({"cutoff", "n.spec", "--evidence", "c.json"});
  }

  static json schema(const std::string& name) {
    const char* root = std::getenv("HEDDLE_SOURCE_DIR");
    std::ifstream in(std::string(root ? root : ".") + "/docs/" + name);
    return json::parse(in);
  }

  /// The warnings of a run with --json.
  json warnings_of(const std::vector<std::string>& words, const std::string& described_by) const {
    const Outcome outcome = heddle(words);
    const json object = json::parse(outcome.out, nullptr, false);
    if (object.is_discarded()) return outcome.out + outcome.err;
    EXPECT_EQ(violation(schema(described_by), object), "");
    return object.value("warnings", json());
  }
};

TEST_F(Warnings, AreInTheJsonOfEveryCommandThatReadsAModel) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
      {{"verify", "n.spec", "--json"}, "answer.schema.json"},
      {{"verify", "n.spec", "--json", "--quiet"}, "answer.schema.json"},
      {{"check", "n.spec", "v.json", "--json"}, "answer.schema.json"},
      {{"cutoff", "n.spec", "--json"}, "cutoff.schema.json"},
      {{"check", "n.spec", "c.json", "--json"}, "cutoff.schema.json"},
  };
  for (const auto& [words, described_by] : commands) {
    const json warnings = warnings_of(words, described_by);
    ASSERT_TRUE(warnings.is_array()) << testing::PrintToString(words) << warnings;
    ASSERT_EQ(warnings.size(), 1U) << testing::PrintToString(words) << warnings;
    EXPECT_EQ(warnings[0]["file"], "n.spec");
    EXPECT_EQ(warnings[0]["line"], 3);
    EXPECT_EQ(warnings[0]["column"], 23);
    EXPECT_EQ(warnings[0]["message"], "place 'p' is updated twice");
    EXPECT_TRUE(warnings[0].contains("hint"));
  }
}

TEST_F(Warnings, OfCommandsWithoutJsonAreOnStandardError) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"replay", "n.spec", "v.json", "--all"},
        {"show", "n.spec", "-o", "n.dot"},
        {"show", "n.spec", "v.json"},
        {"translate", "n.spec", "--to", "spec"}})
    EXPECT_THAT(heddle(words).err, HasSubstr("n.spec:3:23: warning: place 'p' is updated twice"))
        << testing::PrintToString(words);
}

TEST_F(Warnings, TellThatThereIsNoEvidenceToStore) {
  write("n.spec",
        "vars p q\nrules\np = 1 -> p' = p - 1, p' = p - 1, q' = q + 1;\n"
        "init\np >= 1, q = 0\ntarget\nq >= 2\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
      {{"verify", "n.spec", "--engine", "onthefly", "--json", "--evidence", "e.json"},
       "answer.schema.json"},
      {{"cutoff", "n.spec", "--json", "--evidence", "e.json"}, "cutoff.schema.json"}};
  for (const auto& [words, described_by] : commands) {
    const json warnings = warnings_of(words, described_by);
    ASSERT_EQ(warnings.size(), 2U) << warnings;
    EXPECT_EQ(warnings[1]["file"], "e.json");
    EXPECT_EQ(warnings[1]["line"], nullptr);
  }
}

TEST_F(Warnings, AreNoneWhereNothingIsDoubtful) {
  write("n.spec", kNet);
  EXPECT_EQ(warnings_of({"verify", "n.spec", "--json"}, "answer.schema.json"), json::array());
}

TEST_F(Warnings, SayThatNothingCanFail) {
  write("none.bp", "decl g; void main() begin g := 1; L: skip; end\n");
  write("nested.bp", "decl g; void main() begin if (g) then assert(g); fi end\n");
  write("label.bp", "void main() begin SLIC_ERROR: skip; end\n");
  const json warnings = warnings_of({"verify", "none.bp", "--json"}, "answer.schema.json");
  ASSERT_EQ(warnings.size(), 1U) << warnings;
  EXPECT_EQ(warnings[0]["message"],
            "nothing can fail: the program has no assertion and no label SLIC_ERROR");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"verify", "none.bp", "--label", "L", "--json"},
        {"verify", "nested.bp", "--json"},
        {"verify", "label.bp", "--json"}})
    EXPECT_EQ(warnings_of(words, "answer.schema.json"), json::array())
        << testing::PrintToString(words);
}

}  // namespace
}  // namespace heddle::cli
