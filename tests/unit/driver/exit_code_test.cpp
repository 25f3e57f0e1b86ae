#include "driver/exit_code.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>

namespace heddle::driver {
namespace {

/// The codes in the first two columns of a page's table, after the first line that mentions exit
/// codes.
std::map<int, std::string> codes_of(const std::string& page) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  std::ifstream file(std::string(source ? source : ".") + "/" + page);
  EXPECT_TRUE(file) << page;
  const std::regex row(R"(\| (\d+) \| ([^|]*) \|.*)");
  std::map<int, std::string> codes;
  bool begun = false;
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    begun |= line.find("xit codes") != std::string::npos;
    if (begun && std::regex_match(line, found, row)) codes.emplace(std::stoi(found[1]), found[2]);
  }
  return codes;
}

TEST(ExitCodes, TheDocumentsListEachOnce) {
  if (std::getenv("HEDDLE_SOURCE_DIR") == nullptr)
    GTEST_SKIP() << "HEDDLE_SOURCE_DIR is not set: run this with ctest";
  const auto readme = codes_of("README.md");
  const auto manual = codes_of("docs/command-line.md");
  EXPECT_EQ(readme.size(), exit_codes().size());
  EXPECT_EQ(manual.size(), exit_codes().size());
  for (const ExitCodeRow& row : exit_codes()) {
    ASSERT_TRUE(readme.contains(row.code)) << row.code;
    EXPECT_TRUE(readme.at(row.code).starts_with(row.meaning)) << readme.at(row.code);
    EXPECT_TRUE(manual.contains(row.code)) << row.code;
  }
}

TEST(ExitCodes, OfReports) {
  answer::Report report;
  const auto code = [&](answer::Verdict verdict) {
    report.verdict = std::move(verdict);
    return exit_code(report);
  };
  EXPECT_EQ(code(answer::Safe{}), 0);
  EXPECT_EQ(code(answer::Unsafe{}), 10);
  EXPECT_EQ(code(answer::SafeUpTo{}), 21);
  EXPECT_EQ(code(answer::Cutoff{}), 0);
  EXPECT_EQ(code(answer::Unknown{answer::UnknownReason::TimeLimit, ""}), 20);
  EXPECT_EQ(code(answer::Unknown{answer::UnknownReason::EngineFailed, ""}), 70);
  report.check.status = answer::EvidenceStatus::Refuted;
  EXPECT_EQ(code(answer::Safe{}), 71);
}

}  // namespace
}  // namespace heddle::driver
