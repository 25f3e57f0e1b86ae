#include <algorithm>

#include "driver/bench/suite.hpp"
#include "unit/driver/fixtures.hpp"

namespace heddle::driver::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

bool all(const std::string&) { return true; }

class BenchSuite : public testing::Test {
 protected:
  /// An index in which `;` stands for a tab.
  base::Parsed<Suite> read(std::string text, const PathFilter& takes = all) {
    std::ranges::replace(text, ';', '\t');
    disk.files["s/INDEX.tsv"] = text;
    return read_index(disk, "s/INDEX.tsv", takes);
  }
  std::string complaint_about(std::string text) {
    const auto suite = read(std::move(text));
    return suite ? "no complaint" : base::render(suite.error());
  }

  FakeDisk disk;
};

TEST_F(BenchSuite, ReadsAllColumns) {
  disk.files["s/a/x.prop"] = "0|1";
  const auto suite = read(
      "path;format;property;target;initial;expected;source\n"
      "a/x.tts;tts;reach;x.prop;0|0/1;unsafe;somebody\n"
      "a/y.spec;spec;reach;in file;;safe;somebody\n");
  ASSERT_TRUE(suite) << base::render(suite.error());
  EXPECT_THAT(suite->cases,
              ElementsAre(Case{"a/x.tts", "s/a/x.tts", "tts", "s/a/x.prop", "0|0/1", Claim::Unsafe},
                          Case{"a/y.spec", "s/a/y.spec", "spec", "", "", Claim::Safe}));
  EXPECT_THAT(suite->skipped, IsEmpty());
}

/// Results are found again by the path: two questions about one file must not have the same.
TEST_F(BenchSuite, QuestionsAboutOneFileHaveNamesOfTheirOwn) {
  disk.files["s/x.prop"] = "0|1";
  const std::string index =
      "path;format;property;target;initial;expected\n"
      "x.c;c;reach\n"
      "y.c;c;no-data-race\n"
      "x.c;c;no-data-race\n"
      "x.tts;tts;reach;x.prop;0|0;safe\n"
      "x.tts;tts;reach;x.prop;0|1;safe\n"
      "x.tts;tts;reach;x.prop;0|1;unsafe\n";
  const auto names = [](const base::Parsed<Suite>& suite) {
    std::vector<std::string> paths;
    for (const Case& one : suite->cases) paths.push_back(one.path);
    return paths;
  };
  const auto suite = read(index);
  ASSERT_TRUE(suite) << base::render(suite.error());
  EXPECT_THAT(names(suite),
              ElementsAre("x.c [reach]", "y.c", "x.c [no-data-race]", "x.tts [reach, x.prop, 0|0]",
                          "x.tts [reach, x.prop, 0|1]"));
  EXPECT_THAT(suite->skipped, ElementsAre(Pair("the same question stands in an earlier line", 1)));
  EXPECT_EQ(suite->cases[2].file, "s/x.c");
  const auto some = read(index, [](const std::string& path) { return path == "x.c"; });
  EXPECT_THAT(names(some), ElementsAre("x.c [reach]", "x.c [no-data-race]"));
}

TEST_F(BenchSuite, ColumnsMayBeMissingOrElsewhere) {
  const auto suite = read("expected;path\nsafe;x.tts\n;y.tts\n\nunknown;z.tts");
  ASSERT_TRUE(suite);
  EXPECT_THAT(suite->cases, ElementsAre(Case{"x.tts", "s/x.tts", "", "", "", Claim::Safe},
                                        Case{"y.tts", "s/y.tts", "", "", "", Claim::Unknown},
                                        Case{"z.tts", "s/z.tts", "", "", "", Claim::Unknown}));
}

TEST_F(BenchSuite, AShortLineHasEmptyFields) {
  const auto suite = read("path;format;property;target;initial;expected\r\nx.tts;tts\r\n");
  ASSERT_TRUE(suite);
  EXPECT_THAT(suite->cases, ElementsAre(Case{"x.tts", "s/x.tts", "tts", "", "", Claim::Unknown}));
}

TEST_F(BenchSuite, AnInitialStateMayStandInAFile) {
  disk.files["s/x.init"] = "0|0,1\n";
  const auto suite = read("path;initial\nx.tts;x.init\n");
  ASSERT_TRUE(suite);
  EXPECT_EQ(suite->cases[0].initial, "0|0,1");
}

TEST_F(BenchSuite, PropertiesOfCProgramsHaveNames) {
  const auto suite = read(
      "path;format;property;expected\n"
      "a.i;c;no-data-race;safe\nb.i;c;unreach-call;unsafe\nc.i;c;reach\nd.i;c;liveness\n"
      "e.tts;tts;no-data-race\n");
  ASSERT_TRUE(suite);
  EXPECT_THAT(suite->cases,
              ElementsAre(Case{"a.i", "s/a.i", "c", "no-data-race", "", Claim::Safe},
                          Case{"b.i", "s/b.i", "c", "unreach-call", "", Claim::Unsafe},
                          Case{"c.i", "s/c.i", "c", "", "", Claim::Unknown}));
  EXPECT_THAT(suite->skipped, ElementsAre(Pair("property liveness is not decided", 1),
                                          Pair("property no-data-race is not decided", 1)));
}

TEST_F(BenchSuite, ANamedPropertyOfACProgramIsAskedNotItsTaskFile) {
  disk.files["s/a.yml"] = "format_version: '2.0'\n";
  const auto suite = read("path;format;property;target\na.i;c;no-data-race;a.yml\n");
  ASSERT_TRUE(suite);
  EXPECT_EQ(suite->cases[0].target, "no-data-race");
}

TEST_F(BenchSuite, WhatCannotBeRunIsCounted) {
  const auto suite = read(
      "path;format;property;target\n"
      "a.xyz;xyz\nb.xyz;xyz\nc.tts;tts;liveness\nd.tts;tts;reach;nowhere.prop\n");
  ASSERT_TRUE(suite);
  EXPECT_THAT(suite->cases, IsEmpty());
  EXPECT_THAT(suite->skipped, ElementsAre(Pair("format xyz is not read", 2),
                                          Pair("property liveness is not decided", 1),
                                          Pair("the target's file does not exist", 1)));
}

TEST_F(BenchSuite, TheFilterLooksAtPaths) {
  const auto suite = read("path;format\na/x.tts;tts\nb/y.tts;tts\nb/z.c;c\n",
                          [](const std::string& path) { return path.starts_with("a/"); });
  ASSERT_TRUE(suite);
  EXPECT_EQ(suite->cases.size(), 1u);
  EXPECT_THAT(suite->skipped, IsEmpty());
}

TEST_F(BenchSuite, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(complaint_about(""), HasSubstr("the index is empty"));
  EXPECT_THAT(complaint_about("a/x.tts;tts\n"), HasSubstr("does not name the columns"));
  EXPECT_THAT(complaint_about("path;expected\nx;safe\ny;maybe\n"),
              HasSubstr("INDEX.tsv:3:1: error: 'maybe' is no verdict"));
  EXPECT_THAT(complaint_about("path\nx;safe\n"), HasSubstr("more fields than columns"));
  EXPECT_THAT(complaint_about("path;expected\n;safe\n"), HasSubstr("the path is empty"));
  EXPECT_THAT(base::render(read_index(disk, "nowhere.tsv", all).error()),
              HasSubstr("nowhere.tsv: error: cannot be read: no such file"));
}

}  // namespace
}  // namespace heddle::driver::bench
