/// Every model of the shared suites parses, and comes back from the printer as it
/// was. Skipped where the suites are not at hand.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "fuzz/difference.hpp"
#include "parsing.hpp"
#include "support/sanitized.hpp"

namespace heddle::frontend::suites_test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct SuiteEntry {
  std::string path, format, property, target, initial;
};

std::vector<SuiteEntry> entries(const fs::path& index) {
  std::vector<SuiteEntry> out;
  std::istringstream lines(content(index));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    SuiteEntry entry;
    for (std::string* field :
         {&entry.path, &entry.format, &entry.property, &entry.target, &entry.initial})
      std::getline(fields, *field, '\t');
    if (entry.format == "nbp") entry.format = "bp";  // the same format by another extension
    // C programs have settings, and tests of their own.
    const FormatRow* format = find_format(entry.format);
    if (format && !format->has_settings) out.push_back(entry);
  }
  return out;
}

/// Its target names local state 25 of 6: a mistake that we report rather than answer.
constexpr std::string_view kTargetOutOfRange = "ticket_red_overappr3";

/// The target file and the initial state that the index names are readable too.
template <class Model>
void check_question(const fs::path& suites, const SuiteEntry& entry, const Model& model) {
  const fs::path target = (suites / entry.path).parent_path() / entry.target;
  if (!entry.target.empty() && fs::is_regular_file(target)) {
    const auto read = Notation<Model>::parse_targets(model, {target.string(), content(target)});
    const bool mistaken = entry.path.find(kTargetOutOfRange) != std::string::npos;
    EXPECT_EQ(read.has_value(), !mistaken) << (read ? "" : base::render(read.error()));
  }
  if (!entry.initial.empty()) {
    const fs::path initial = (suites / entry.path).parent_path() / entry.initial;
    const std::string text = fs::is_regular_file(initial) ? content(initial) : entry.initial;
    const auto read = Notation<Model>::parse_initial(model, {entry.path + ": initial", text});
    EXPECT_TRUE(read) << (read ? "" : base::render(read.error()));
  }
}

/// With sanitizers one model in so many is read.
constexpr std::size_t kEvery = test::kAddressSanitizer ? 4 : 1;

/// What is written in Remopla is read as another program that does the same.
const FormatRow& printed_as(const FormatRow& format) {
  return format.name == "rem" ? *find_format("bp") : format;
}

TEST(Suites, EveryModelParsesAndRoundTrips) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  const fs::path suites = fs::path(source ? source : ".") / "../shared/suites";
  if (!fs::exists(suites / "INDEX.tsv"))
    GTEST_SKIP() << "the suites are not at ../shared/suites beside the project";
  std::size_t models = 0;
  for (const SuiteEntry& entry : entries(suites / "INDEX.tsv")) {
    if (models++ % kEvery != 0) continue;
    SCOPED_TRACE(entry.path);
    const SourceText text{entry.path, content(suites / entry.path)};
    const FormatRow* format = guess_format(text.name, text.text);
    ASSERT_EQ(format, find_format(entry.format));
    const auto file = format->parse(text, {});
    ASSERT_TRUE(file) << (file ? "" : base::render(file.error()));
    EXPECT_EQ(fuzz::round_trip_failure(printed_as(*format), *file), "");
    std::visit([&](const auto& typed) { check_question(suites, entry, typed.model); }, *file);
  }
  EXPECT_GT(models, 200u);
}

}  // namespace
}  // namespace heddle::frontend::suites_test
