/// Every case under every tester that applies to it (README.md).

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "regress/case.hpp"
#include "support/run_heddle.hpp"

namespace heddle::regress {

/// How Google Test shows a parameter.
void PrintTo(const Case& value, std::ostream* out) { *out << value.input.string(); }

namespace {

using Outcome = test::ProgramEnd;
using test::run_heddle;
using test::TemporaryDirectory;

std::vector<std::string> command_line(const Case& tested,
                                      const std::vector<std::string>& extra = {}) {
  std::vector<std::string> words{tested.command, tested.input.string()};
  words.insert(words.end(), tested.options.begin(), tested.options.end());
  words.insert(words.end(), extra.begin(), extra.end());
  return words;
}

/// Those options, with their values, that say what the question is: `check` takes them too.
std::vector<std::string> question_options(const Case& tested) {
  constexpr std::array<std::string_view, 10> kQuestion{
      "--target",   "--label",    "--property", "--initial", "--threads",
      "--contexts", "--fairness", "--format",   "--entry",   "-D"};
  std::vector<std::string> words;
  for (std::size_t i = 0; i + 1 < tested.options.size(); ++i) {
    if (std::ranges::find(kQuestion, tested.options[i]) == kQuestion.end()) continue;
    words.push_back(tested.options[i]);
    words.push_back(tested.options[i + 1]);
  }
  return words;
}

/// The further files of a C program.
std::vector<std::string> linked_files(const Case& tested) {
  std::vector<std::string> files;
  std::ranges::copy_if(tested.options, std::back_inserter(files),
                       [](const std::string& word) { return word.ends_with(".c"); });
  return files;
}

bool matches_some_line(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line))
    if (std::regex_search(line, expression)) return true;
  return false;
}

std::vector<Case> cases_where(bool (*wanted)(const Case&)) {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, [&](const Case& tested) { return !wanted(tested); });
  return cases;
}

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class Text : public testing::TestWithParam<Case> {};
class Answer : public testing::TestWithParam<Case> {};

TEST_P(Text, SaysWhatIsRequired) {
  const Outcome outcome = run_heddle(command_line(GetParam()));
  const std::string all = outcome.out + "\n" + outcome.err;
  EXPECT_EQ(outcome.code, GetParam().exit_code) << all;
  for (const std::string& pattern : GetParam().require)
    EXPECT_TRUE(matches_some_line(all, pattern)) << "required: " << pattern << "\n" << all;
  for (const std::string& pattern : GetParam().forbid)
    EXPECT_FALSE(matches_some_line(all, pattern)) << "forbidden: " << pattern << "\n" << all;
}

void expect_answer(const nlohmann::json& json, const Case& tested) {
  EXPECT_EQ(json.value("verdict", ""), tested.verdict);
  for (const char* key : {"engine", "evidence", "seconds", "peak_memory_mb", "statistics"})
    EXPECT_TRUE(json.contains(key)) << key << " is missing in\n" << json;
  if (tested.threads) {
    const char* const key = tested.command == "cutoff" ? "cutoff" : "threads";
    ASSERT_TRUE(json.contains(key)) << json;
    EXPECT_EQ(json[key].dump(), *tested.threads);
  }
  if (!tested.has_evidence()) return;
  ASSERT_TRUE(json["evidence"].is_object()) << json;
  EXPECT_EQ(json["evidence"].value("status", ""), "confirmed") << json;
}

void expect_confirmed(const std::string& evidence, const Case& tested) {
  std::vector<std::string> words{"check", tested.input.string()};
  std::ranges::copy(linked_files(tested), std::back_inserter(words));
  words.push_back(evidence);
  std::ranges::copy(question_options(tested), std::back_inserter(words));
  const Outcome checked = run_heddle(words);
  // SAFE UP TO a bound is no answer to what was asked without one.
  const bool is_open =
      tested.exit_code == 21 && std::ranges::find(words, "--contexts") == words.end();
  EXPECT_EQ(checked.code, is_open ? 21 : 0) << checked.out << checked.err;
  EXPECT_TRUE(matches_some_line(checked.out, "^CONFIRMED")) << checked.out;
}

TEST_P(Answer, IsOneObjectAndItsEvidenceIsConfirmedInALaterRun) {
  const TemporaryDirectory directory;
  const std::string evidence = directory.path() / "evidence.json";
  std::vector<std::string> options{"--json"};
  if (GetParam().has_evidence()) options.insert(options.end(), {"--evidence", evidence});
  const Outcome outcome = run_heddle(command_line(GetParam(), options));
  EXPECT_EQ(outcome.code, GetParam().exit_code) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << outcome.out;
  expect_answer(json, GetParam());
  if (GetParam().has_evidence()) expect_confirmed(evidence, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Regress, Text, testing::ValuesIn(all_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Regress, Answer, testing::ValuesIn(cases_where([](const Case& tested) {
                           return tested.verdict != "none";
                         })),
                         case_name);

}  // namespace
}  // namespace heddle::regress
