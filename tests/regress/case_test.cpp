/// The reader of case files, and the demand that no example goes without a case.

#include "regress/case.hpp"
#include "support/run_heddle.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace heddle::regress {
namespace {

namespace fs = std::filesystem;

const fs::path kCaseFile = checkout() / "tests/regress/some-folder/a-case.case";

std::string error_of(std::string_view text) {
  const auto parsed = parse_case(text, kCaseFile);
  return parsed ? "" : parsed.error();
}

TEST(CaseFile, HoldsWhatItSays) {
  const auto parsed = parse_case(
      "# a comment\n"
      "input: examples/x.tts\n"
      "options: --target '1|2, 3' --quiet\n"
      "verdict: unsafe\n"
      "exit: 10\n"
      "threads: 2\n"
      "require: ^UNSAFE: 2\n"
      "require: thread\n"
      "forbid: confirmed: no\n"
      "tag: small\n",
      kCaseFile);
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->name, "some_folder_a_case");
  EXPECT_EQ(parsed->input, checkout() / "examples/x.tts");
  EXPECT_EQ(parsed->options, (std::vector<std::string>{"--target", "1|2, 3", "--quiet"}));
  EXPECT_EQ(parsed->verdict, "unsafe");
  EXPECT_EQ(parsed->exit_code, 10);
  EXPECT_EQ(parsed->threads, "2");
  EXPECT_EQ(parsed->require, (std::vector<std::string>{"^UNSAFE: 2", "thread"}));
  EXPECT_EQ(parsed->forbid, (std::vector<std::string>{"confirmed: no"}));
}

TEST(CaseFile, InputMayLieBesideIt) {
  const auto parsed = parse_case("input: ./x.tts\nexit: 0\nverdict: safe\n", kCaseFile);
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->input, checkout() / "tests/regress/some-folder/x.tts");
}

TEST(CaseFile, MistakesAreNamed) {
  EXPECT_EQ(error_of("input: x\nverdict: safe\n"), "'exit' is missing");
  EXPECT_EQ(error_of("input: x\nexit: 0\nverdict: maybe\n"), "line 3: unknown key or value");
  EXPECT_EQ(error_of("input: x\nexit: 0x\n"), "line 2: unknown key or value");
  EXPECT_EQ(error_of("inptu: x\n"), "line 1: unknown key or value");
  EXPECT_EQ(error_of("input\n"), "line 1: no 'key: value'");
  EXPECT_EQ(error_of("input: x\ninput: y\n"), "line 2: given twice");
}

std::vector<fs::path> example_models() {
  static const std::array<fs::path, 8> kModels = {".tts",  ".spec", ".pnet", ".lola",
                                                  ".pnml", ".bp",   ".pds",  ".c"};
  std::vector<fs::path> models;
  for (const auto& entry : fs::recursive_directory_iterator(checkout() / "examples")) {
    const fs::path extension = entry.path().extension();
    if (entry.path().parent_path().filename() == "library") continue;  // programs that embed us
    if (std::ranges::count(kModels, extension) > 0) models.push_back(entry.path());
  }
  return models;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// The options that belong to the question. The engine does not: a case names one where its demands
/// go beyond the verdict, as the number of threads does.
std::vector<std::string> options_of_the_question(const Case& tested) {
  std::vector<std::string> options = tested.options;
  const auto engine = std::ranges::find(options, "--engine");
  if (engine != options.end()) options.erase(engine, engine + 2);
  return options;
}

/// Is there a row of the table in the README beside the model that names it, its options (as code,
/// with the bar escaped as Markdown wants it) and its verdict?
bool readme_agrees(const Case& tested) {
  const std::vector<std::string> options = options_of_the_question(tested);
  std::istringstream lines(test::read_text(tested.input.parent_path() / "README.md"));
  const std::string file = "| [`" + tested.input.filename().string() + "`]";
  const std::string verdict = "| " + upper_case(tested.verdict) + " |";
  std::string line;
  while (std::getline(lines, line)) {
    const bool names_options = std::ranges::all_of(options, [&](std::string option) {
      const auto bar = option.find('|');
      if (bar != std::string::npos) option.insert(bar, "\\");
      return line.find(option) != std::string::npos;
    });
    const bool has_options = line.find("`--") != std::string::npos;
    if (line.starts_with(file) && names_options && has_options == !options.empty())
      return line.find(verdict) != std::string::npos;
  }
  return false;
}

TEST(Examples, EachHasACase) {
  const std::vector<Case> cases = all_cases();
  ASSERT_FALSE(example_models().empty());
  for (const fs::path& model : example_models())
    EXPECT_TRUE(std::ranges::find(cases, model, &Case::input) != cases.end()) << model;
}

TEST(Examples, ReadmesSayWhatTheCasesDemand) {
  for (const Case& tested : all_cases()) {
    if (!tested.name.starts_with("examples_")) continue;
    EXPECT_TRUE(readme_agrees(tested)) << tested.name;
  }
}

}  // namespace
}  // namespace heddle::regress
