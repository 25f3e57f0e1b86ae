#include "frontend/text/lexer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heddle::frontend::text::lexer_test {
namespace {

/// `kind:text@line:column` of every token.
std::string tokens(std::string_view text, LineEnds line_ends = LineEnds::Tokens) {
  static constexpr std::string_view kLetters = "NWS?LE";
  Lexer lexer(text, line_ends);
  std::string out;
  for (;;) {
    const Token token = lexer.next();
    if (!out.empty()) out += ' ';
    out += kLetters[static_cast<std::size_t>(token.kind)];
    out.append(":").append(token.text).append("@") +=
        std::to_string(token.line) + ":" + std::to_string(token.column);
    if (token.kind == TokenKind::End) return out;
  }
}

TEST(Lexer, TellsNumbersWordsAndSymbolsApart) {
  EXPECT_EQ(tokens("12 ab_3->x'"), "N:12@1:1 W:ab_3@1:4 S:->@1:8 W:x@1:10 S:'@1:11 E:@1:12");
  EXPECT_EQ(
      tokens("1+>2~>3>=4>5"),
      "N:1@1:1 S:+>@1:2 N:2@1:4 S:~>@1:5 N:3@1:7 S:>=@1:8 N:4@1:10 S:>@1:11 N:5@1:12 E:@1:13");
}

TEST(Lexer, KeepsGluedTextTogether) { EXPECT_EQ(tokens("12a 3"), "?:12a@1:1 N:3@1:5 E:@1:6"); }

TEST(Lexer, CountsLinesWhetherOrNotTheyAreTokens) {
  EXPECT_EQ(tokens("1\r\n\n 2"), "N:1@1:1 L:@1:3 L:@2:1 N:2@3:2 E:@3:3");
  EXPECT_EQ(tokens("1\r\n\n 2", LineEnds::Blanks), "N:1@1:1 N:2@3:2 E:@3:3");
}

TEST(Lexer, TakesOtherBytesOneByOne) {
  using namespace std::string_view_literals;
  EXPECT_EQ(tokens("\x01\xff"sv), "?:\x01@1:1 ?:\xff@1:2 E:@1:3");
  EXPECT_EQ(tokens("1\0"
                   "2"sv),
            "N:1@1:1 ?:\0@1:2 N:2@1:3 E:@1:4"sv);
}

TEST(Lexer, SkipsAByteOrderMark) {
  EXPECT_EQ(tokens("\xEF\xBB\xBF"
                   "7"),
            "N:7@1:1 E:@1:2");
}

TEST(Lexer, HandsOutCommentsOnceAndTrimmed) {
  Lexer lexer("## first \r\n#\n1 # second\n# third", LineEnds::Tokens);
  lexer.skip_line_ends();
  const auto above = lexer.take_comments();
  ASSERT_EQ(above.size(), 1u);
  EXPECT_EQ(above[0].text, "first");
  EXPECT_EQ(above[0].line, 1u);
  lexer.next();
  lexer.next();
  const auto beside = lexer.take_comments();
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].text, "second");
  EXPECT_EQ(beside[0].line, 3u);
}

TEST(Lexer, ReadsATrailingCommentWithoutTheNextLine) {
  Lexer lexer("1 ; # here\n# there\n2", LineEnds::Blanks);
  lexer.next();
  lexer.next();
  lexer.read_trailing_comment();
  const auto comments = lexer.take_comments();
  ASSERT_EQ(comments.size(), 1u);
  EXPECT_EQ(comments[0].text, "here");
  EXPECT_EQ(lexer.next().line, 3u);
}

}  // namespace
}  // namespace heddle::frontend::text::lexer_test
