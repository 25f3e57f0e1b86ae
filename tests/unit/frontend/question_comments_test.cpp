#include "frontend/question_comments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsing.hpp"

namespace heddle::frontend::question_comments_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> question(const std::string& format, const std::string& text) {
  const auto parsed = find_format(format)->parse({"file", text}, {});
  if (!parsed) return brief(parsed.error());
  return std::visit(
      [](const auto& file) {
        std::vector<std::string> out;
        for (const auto& initial : file.initial)
          out.push_back(initial_to_string(file.model, initial));
        for (const auto& target : file.targets) out.push_back(target_to_string(file.model, target));
        return out;
      },
      *parsed);
}

TEST(QuestionComments, StandAtTheTop) {
  EXPECT_THAT(question("tts",
                       "# made by hand\n\n  #heddle:  initial 0|0/1\r\n"
                       "# heddle: target 1|1,1\n# heddle: target 0|1\n2 2\n0 0 -> 1 1\n"),
              ElementsAre("0|0/1", "1|1,1", "0|1"));
  EXPECT_THAT(
      question("pds", "# heddle: initial 0|-\n# heddle: target 0|*\n1\nPDA 0 0\n0 0 -> 0 -\n"),
      ElementsAre("0|-", "0|*"));
  EXPECT_THAT(question("bp", "// heddle: initial any\nvoid main() begin skip; end"),
              ElementsAre("any number of threads in main", "an assertion fails"));
}

TEST(QuestionComments, AreNotOtherComments) {
  EXPECT_THAT(question("tts", "#init 0|0/1\n# target: 1|1\n# initial states: 0|0\n1 1\n"),
              ElementsAre());
  EXPECT_THAT(question("tts", "1 2 # heddle: initial 0|1\n# heddle: initial 0|1\n0 0 -> 0 1\n"),
              ElementsAre());
}

TEST(QuestionComments, HaveTheirPlaceInMessages) {
  EXPECT_THAT(brief(errors("tts", "# x\n# heddle: initial 0|7\n2 2\n")),
              ElementsAre(testing::StartsWith("2:21 '7' ")));
  EXPECT_THAT(brief(errors("tts", "# heddle: inital 0|0\n2 2\n")),
              ElementsAre("1:11 'inital' expected 'initial' or 'target', found 'inital'"));
}

TEST(QuestionComments, OfXmlHoldNoTwoDashes) {
  const auto net = [](const std::string& place) {
    return "<pnml><net id=\"n\"><page id=\"g\"><place id=\"" + place + "\"/></page></net></pnml>";
  };
  EXPECT_THAT(question("pnml", "<?xml version=\"1.0\"?>\n<!-- heddle: target \"a-b\" >= 2 -->\n" +
                                   net("a-b")),
              ElementsAre("\"a-b\"=0", "\"a-b\">=2"));
  NetFile file = parsed<model::PetriNet>("pnml", net("a--b"));
  file.targets = {{model::SharedState(0U), {{model::Counter(0U), 1, std::nullopt}}}};
  EXPECT_EQ(question_comments(file, kXmlComment), "");
}

}  // namespace
}  // namespace heddle::frontend::question_comments_test
