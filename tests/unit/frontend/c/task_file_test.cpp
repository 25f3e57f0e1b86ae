#include "frontend/c/task_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::frontend::c {
namespace {

using model::c::Property;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CPropertyFile, TheCompetitionsProperties) {
  const auto property = [](const std::string& formula) {
    const auto read =
        read_property_file({"x.prp", "CHECK( init(main()), LTL(" + formula + ") )\n"});
    EXPECT_TRUE(read) << formula;
    return read ? read->properties.at(0).property : std::nullopt;
  };
  EXPECT_EQ(property("G ! data-race"), Property::NoDataRace);
  EXPECT_EQ(property("G ! overflow"), Property::NoOverflow);
  EXPECT_EQ(property("F end"), Property::Termination);
  EXPECT_EQ(property("G valid-memcleanup"), Property::MemoryCleanup);
  EXPECT_EQ(property("G valid-memtrack"), Property::MemorySafety);
  EXPECT_EQ(property("G ! call(reach_error())"), Property::Reach);
}

TEST(CPropertyFile, NamesOfFunctions) {
  const auto read = read_property_file({"x.prp",
                                        "\nCHECK( init(start()), LTL(G ! call(my_error())) "
                                        ")\nCHECK(init(start()),LTL(G valid-free))\n"});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->entry, "start");
  ASSERT_EQ(read->properties.size(), 2U);
  EXPECT_EQ(read->properties[0].function, "my_error");
  EXPECT_EQ(read->properties[1].property, Property::Memory);
}

TEST(CPropertyFile, Mistakes) {
  const auto line = [](const std::string& text) {
    const auto read = read_property_file({"x.prp", text});
    return read ? 99U : read.error().at(0).location.line;
  };
  EXPECT_EQ(line(""), 0U);
  EXPECT_EQ(line("\nnonsense\n"), 2U);
  EXPECT_EQ(line("CHECK( init(main()), LTL(G ! hunger) )"), 1U);
  EXPECT_EQ(line("CHECK( init(main()), LTL(G ! overflow"), 1U);
}

TEST(CTaskFile, Tasks) {
  const auto old = read_task_file(
      {"x.yml",
       "format_version: '1.0'\n\n# old name\ninput_files: 'a.i'\n\nproperties:\n"
       "  - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n"});
  ASSERT_TRUE(old) << base::render(old.error());
  EXPECT_THAT(old->input_files, ElementsAre("a.i"));
  ASSERT_EQ(old->properties.size(), 1U);
  EXPECT_EQ(old->properties[0].expected, false);
  EXPECT_EQ(old->properties[0].file, "../properties/unreach-call.prp");
  EXPECT_FALSE(old->pointer_bytes);
  const auto several = read_task_file(
      {"x.yml",
       "input_files: [a.c, 'b.c']\nproperties:\n  - property_file: p.prp\n"
       "  - property_file: q.prp\n    expected_verdict: true\n    subproperty: valid-deref\n"
       "options:\n  language: C\n  data_model: LP64\n"});
  ASSERT_TRUE(several);
  EXPECT_THAT(several->input_files, ElementsAre("a.c", "b.c"));
  EXPECT_EQ(several->properties[0].expected, std::nullopt);
  EXPECT_EQ(several->properties[1].subproperty, "valid-deref");
  EXPECT_EQ(several->pointer_bytes, 8);
}

TEST(CTaskFile, Mistakes) {
  const auto message = [](const std::string& text) {
    const auto read = read_task_file({"x.yml", text});
    return read ? std::string("fine") : read.error().at(0).message;
  };
  EXPECT_THAT(message("a: [1"), ::testing::Not("fine"));
  EXPECT_THAT(message("just text"), HasSubstr("not a task"));
  EXPECT_THAT(message("properties: []"), HasSubstr("input_files"));
  EXPECT_THAT(message("input_files: a.c\noptions:\n  data_model: ILP64\n"), HasSubstr("ILP64"));
  EXPECT_THAT(message("input_files: a.c\noptions:\n  language: Java\n"), HasSubstr("Java"));
  EXPECT_THAT(message("input_files: a.c\nproperties:\n  - expected_verdict: maybe\n"),
              HasSubstr("property_file"));
  EXPECT_THAT(
      message("input_files: a.c\nproperties:\n  - property_file: p\n    expected_verdict: maybe\n"),
      ::testing::Not("fine"));
}

TEST(CCompileCommands, OptionsAreTakenOver) {
  const auto read = read_compile_commands({"compile_commands.json", R"([
    {"directory": "/src", "file": "a.c", "command": "gcc -O2 -Iinc -I /abs -DN=1 -D \"S=\\\"x y\\\"\" -UQ -std=gnu99 -m32 -c -o a.o a.c"},
    {"directory": "/src", "file": "/other/b.c", "arguments": ["cc", "-include", "pre.h", "-isystem", "sys", "b.c"]}])"});
  ASSERT_TRUE(read) << base::render(read.error());
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->at(0).file, "/src/a.c");
  EXPECT_THAT(read->at(0).options.include_paths, ElementsAre("/src/inc", "/abs"));
  EXPECT_THAT(read->at(0).options.definitions, ElementsAre("N=1", "S=\"x y\""));
  EXPECT_THAT(read->at(0).options.undefinitions, ElementsAre("Q"));
  EXPECT_EQ(read->at(0).options.standard, "gnu99");
  EXPECT_EQ(read->at(0).pointer_bytes, 4);
  EXPECT_THAT(read->at(0).options.clang_flags, IsEmpty());
  EXPECT_EQ(read->at(1).file, "/other/b.c");
  EXPECT_THAT(read->at(1).options.forced_includes, ElementsAre("pre.h"));
  EXPECT_THAT(read->at(1).options.clang_flags, ElementsAre("-isystem", "/src/sys"));
}

TEST(CCompileCommands, Mistakes) {
  EXPECT_EQ(read_compile_commands({"c.json", "[\n{"}).error().at(0).location.line, 2U);
  EXPECT_FALSE(read_compile_commands({"c.json", "{}"}));
  EXPECT_FALSE(read_compile_commands({"c.json", "[{\"file\": \"a.c\"}]"}));
  EXPECT_FALSE(read_compile_commands({"c.json", "[1]"}));
}

}  // namespace
}  // namespace heddle::frontend::c
