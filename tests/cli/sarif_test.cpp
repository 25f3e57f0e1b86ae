/// Logs in SARIF against the part of its schema that they use.

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/binary.hpp"
#include "cli/schema.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;

/// tests/cli/sarif.schema.json: the objects of SARIF 2.1.0 that occur, with the properties that the
/// standard allows there and those that it requires.
json sarif_schema() {
  std::ifstream in(std::string(std::getenv("HEDDLE_SOURCE_DIR")) + "/tests/cli/sarif.schema.json");
  return json::parse(in);
}

class SarifLogs : public BinaryTest {
 protected:
  json log_of(const std::vector<std::string>& arguments, int code) const {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--sarif", "log.sarif"});
    const Outcome outcome = heddle(all);
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    const json log = json::parse(read("log.sarif"));
    EXPECT_EQ(violation(sarif_schema(), log), "") << arguments[1];
    return log;
  }
};

TEST_F(SarifLogs, AreValid) {
  write("m.tts", kLock);
  write("m.prop", "2|4,4\n");
  write("n.spec", kNet);
  const json unsafe = log_of({"verify", "m.tts"}, 10);
  EXPECT_EQ(unsafe["runs"][0]["results"].size(), 1u);
  EXPECT_EQ(log_of({"verify", "m.tts", "--target", "2|0,1"}, 0)["runs"][0]["results"].size(), 0u);
  EXPECT_EQ(log_of({"verify", "n.spec"}, 10)["runs"][0]["results"].size(), 1u);
  EXPECT_EQ(
      log_of({"verify", "n.spec", "--steps", "1", "--engine", "backward"}, 20)["runs"][0]["results"]
          .size(),
      0u);
  EXPECT_EQ(log_of({"cutoff", "m.tts"}, 0)["runs"][0]["results"].size(), 0u);
}

/// Compilers count columns in bytes; the log says that it counts characters.
TEST_F(SarifLogs, ColumnsCountCharacters) {
  write("c.c", "#include <assert.h>\nint main(void) {\n  /* é€ */ assert(0);\n  return 0;\n}\n");
  const Outcome outcome = heddle({"verify", "c.c", "--sarif", "log.sarif"});
  if (outcome.err.find("HEDDLE_C") != std::string::npos) GTEST_SKIP() << "built without C";
  ASSERT_EQ(outcome.code, 10) << outcome.err;
  const json log = json::parse(read("log.sarif"));
  const json& region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startLine"], 3);
  EXPECT_EQ(region["startColumn"], 12);
}

/// The schema can fail.
TEST_F(SarifLogs, AreComparedWithASchema) {
  json log = {{"version", "2.1.0"}, {"runs", json::array()}};
  EXPECT_EQ(violation(sarif_schema(), log), "");
  log["version"] = "2.0";
  EXPECT_NE(violation(sarif_schema(), log), "");
  log["version"] = "2.1.0";
  log["runs"].push_back({{"tool", {{"driver", {{"nome", "Heddle"}}}}}});
  EXPECT_NE(violation(sarif_schema(), log), "");
}

}  // namespace
}  // namespace heddle::cli
