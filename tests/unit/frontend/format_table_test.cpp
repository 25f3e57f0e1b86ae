#include <gtest/gtest.h>

#include <set>

#include "frontend/notation.hpp"

namespace heddle::frontend::format_table_test {
namespace {

constexpr std::string_view kSystem = "# two states\n2 2\n0 0 -> 1 1\n";
constexpr std::string_view kNet = "# a net\nvars p\nrules\n";

std::string_view guess(std::string_view name, std::string_view text) {
  const FormatRow* row = guess_format(name, text);
  return row ? row->name : "none";
}

TEST(FormatTable, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const FormatRow& row : format_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(find_format(row.name), &row);
    for (const auto extension : row.extensions) EXPECT_TRUE(extension.starts_with('.'));
  }
  EXPECT_EQ(find_format("nonsense"), nullptr);
  EXPECT_EQ(find_format("nbp"), find_format("bp"));
  EXPECT_EQ(find_format(""), nullptr);
}

TEST(GuessFormat, ByExtension) {
  EXPECT_EQ(guess("a/b.c/x.tts", kSystem), "tts");
  EXPECT_EQ(guess("x.ttd", kSystem), "tts");
  EXPECT_EQ(guess("x.spec", kNet), "spec");
}

TEST(GuessFormat, ByContentWhereTheExtensionIsUnknown) {
  EXPECT_EQ(guess("system", kSystem), "tts");
  EXPECT_EQ(guess("x.tts/system", kNet), "spec");
  EXPECT_EQ(guess("program", "#include <stdio.h>\nint main() {}\n"), "c");
  EXPECT_EQ(guess("x.rs", "fn main() {}\n"), "none");
  EXPECT_EQ(guess("x", ""), "none");
}

TEST(GuessFormat, EveryNetFormatIsRecognised) {
  constexpr std::string_view kPnml = "<?xml version='1.0'?>\n<pnml xmlns='x'><net/></pnml>";
  EXPECT_EQ(guess("x.net", "{ of LoLA } PLACE p; MARKING;"), "lola");
  EXPECT_EQ(guess("x.lola", "PLACE p; MARKING;"), "lola");
  EXPECT_EQ(guess("x.net", "tr t p -> q\n"), "net");
  EXPECT_EQ(guess("x", "# of TINA\nnet {a b}\ntr t p -> q\n"), "net");
  EXPECT_EQ(guess("x", "tr tr"), "none");
  EXPECT_EQ(guess("x.pnet", "// n\npetri net {}"), "pnet");
  EXPECT_EQ(guess("x", "/* n */ petri net {}"), "pnet");
  EXPECT_EQ(guess("x.pnml", kPnml), "pnml");
  EXPECT_EQ(guess("x.xml", kPnml), "pnml");
  EXPECT_EQ(guess("x.xml", "<property-set/>"), "none");
  EXPECT_EQ(guess("x.spec", kPnml), "spec");
}

TEST(GuessFormat, AMistakeInTheFirstLineKeepsTheFormat) {
  EXPECT_EQ(guess("x.tts", "states 2 2\n"), "tts");
  EXPECT_EQ(guess("x.spec", "var p\n"), "spec");
  EXPECT_EQ(guess("x.spec", ""), "spec");
}

TEST(GuessFormat, AQuestionInASpecFileIsNotANet) {
  EXPECT_EQ(guess("x.spec", "3|1,2\n"), "none");
  EXPECT_EQ(guess("x.spec", "# property\n0|-,-\n"), "none");
  EXPECT_FALSE(find_format("spec")->recognises("3|1,2"));
  EXPECT_FALSE(find_format("tts")->recognises("3|1,2"));
}

TEST(Recognises, APushdownSystemIsNotAThreadSystem) {
  EXPECT_FALSE(find_format("tts")->recognises("4\nPDA 1 2\n0 1 -> 1 2\n"));
}

TEST(CannotPrint, ModelsOfAnotherKind) {
  const ThreadFile system{model::ThreadSystem{}, {}, {}, {}};
  EXPECT_EQ(find_format("tts")->cannot_print(system), std::nullopt);
  EXPECT_EQ(find_format("spec")->cannot_print(system),
            "it is a thread system, the format holds Petri nets");
  const NetFile net{model::PetriNet{}, {}, {}, {}};
  EXPECT_EQ(find_format("spec")->cannot_print(net), std::nullopt);
  EXPECT_EQ(find_format("tts")->cannot_print(net),
            "it is a Petri net, the format holds thread systems");
}

TEST(CannotPrint, WhatSpecHasNoWordsFor) {
  model::PetriNet net;
  EXPECT_EQ(find_format("spec")->cannot_print(NetFile{net, {{}, {}}, {}, {}}),
            "it has several initial regions, the format has one");
  net.places = {"p", "a b"};
  EXPECT_EQ(find_format("spec")->cannot_print(NetFile{net, {}, {}, {}}),
            "the format cannot write the name of place 'a b'");
  net.places = {"target"};
  EXPECT_TRUE(find_format("spec")->cannot_print(NetFile{net, {}, {}, {}}));
}

TEST(DefaultInitial, ThreadSystemsStartWithAnyNumberOfThreadsInZero) {
  const auto initial = Notation<model::ThreadSystem>::default_initial();
  ASSERT_EQ(initial.size(), 1u);
  EXPECT_EQ(model::initial_to_string(model::ThreadSystem{}, initial[0]), "0/0");
}

TEST(DefaultInitial, NetsHaveNone) {
  EXPECT_TRUE(Notation<model::PetriNet>::default_initial().empty());
}

}  // namespace
}  // namespace heddle::frontend::format_table_test
