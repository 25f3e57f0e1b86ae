/// Texts that are long in one way are read and prepared in time that hardly grows faster than they
/// do, and what is nested too deeply is refused before a stack overflows.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "frontend/frontend.hpp"
#include "model/boolean_program/flow.hpp"
#include "support/long_inputs.hpp"
#include "support/sanitized.hpp"

namespace heddle::frontend::long_inputs_test {
namespace {

/// Builds with sanitizers read shorter texts: the optimised build is the one that finds out about
/// growth.
constexpr std::size_t kLength = test::kAddressSanitizer ? 20'000 : 100'000;
/// A text four times as long takes four times as long, or a little more. What grows with the square
/// of the length takes sixteen times as long.
constexpr double kMostGrowth = 8;
/// Whatever is over sooner says nothing about growth.
constexpr double kLeastSeconds = 0.3;

class LongInputs : public testing::TestWithParam<test::LongInput> {};

/// The processor time that it takes to read, print and prepare the text.
double seconds_for(const test::LongInput& input, std::size_t length) {
  const std::string text = input.text(length);
  const std::clock_t before = std::clock();
  const FormatRow& format = *find_format(input.format);
  const auto file = format.parse({"text", text}, {});
  EXPECT_TRUE(file) << base::render(file.error());
  if (!file) return 0;
  if (!format.cannot_print(*file)) {
    EXPECT_FALSE(format.print(*file).empty());
  }
  if (const auto* program = std::get_if<ProgramFile>(&*file)) {
    EXPECT_TRUE(model::boolean::keep_calls(program->model));
    EXPECT_TRUE(model::boolean::unfold(program->model));
  }
  return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

TEST_P(LongInputs, AreReadPrintedAndPreparedInTimeInProportion) {
  const double shorter = std::max(kLeastSeconds, seconds_for(GetParam(), kLength / 4));
  EXPECT_LT(seconds_for(GetParam(), kLength), kMostGrowth * shorter);
}

std::string name_of(const testing::TestParamInfo<test::LongInput>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, LongInputs, testing::ValuesIn(test::long_inputs()), name_of);

std::string times(std::size_t n, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

TEST(DeepInputs, WhatIsNestedTooDeeplyIsRefused) {
  constexpr std::size_t kDepth = 100'000;
  const auto bp = [](const std::string& body) {
    return "decl g;\nvoid main() begin\n" + body + "\nend\n";
  };
  const auto rem = [](const std::string& body) {
    return "bool g;\nmodule void main() {\n" + body + "\n}\n";
  };
  const auto lola = [](const std::string& formula) {
    return "PLACE p;\nMARKING p: 1;\nTRANSITION t CONSUME p: 1; PRODUCE ;\nFORMULA EF " + formula;
  };
  const std::pair<const char*, std::string> texts[] = {
      {"bp", bp(times(kDepth, "if g then ") + "skip;" + times(kDepth, " fi;"))},
      {"bp", bp(times(kDepth, "while * do ") + "skip;" + times(kDepth, " od;"))},
      {"bp", bp(times(kDepth, "atomic { ") + "skip;" + times(kDepth, " }"))},
      {"bp", bp("g := " + times(kDepth, "(") + "g" + times(kDepth, ")") + ";")},
      {"bp", bp("g := " + times(kDepth, "!") + "g;")},
      {"bp", bp("g := g" + times(kDepth, " & g") + ";")},
      {"bp", bp("g := g" + times(kDepth, " => g") + ";")},
      {"bp", bp("g := " + times(kDepth, "g ? g : ") + "g;")},
      {"rem", rem(times(kDepth, "if :: g -> ") + "skip;" + times(kDepth, " fi;"))},
      {"rem", rem("g = " + times(kDepth, "(") + "g" + times(kDepth, ")") + ";")},
      {"rem", rem("g = " + times(kDepth, "!") + "g;")},
      {"rem", rem("g = " + times(kDepth, "~") + "g;")},
      {"rem", rem("g = g" + times(kDepth, " && g") + ";")},
      {"lola", lola(times(kDepth, "(") + "p >= 1" + times(kDepth, ")"))},
      {"lola", lola(times(kDepth, "NOT ") + "(p >= 1)")},
  };
  for (const auto& [format, text] : texts) {
    const auto file = find_format(format)->parse({"text", text}, {});
    ASSERT_FALSE(file) << format << ": " << text.substr(0, 60);
    const std::string message = base::render(file.error());
    EXPECT_TRUE(message.find("nested more than") != std::string::npos ||
                message.find("too long") != std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace heddle::frontend::long_inputs_test
