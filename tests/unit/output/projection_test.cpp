#include "output/projection_text.hpp"

namespace heddle::output {
namespace {

using answer::OnErrorTrace;
using answer::Projection;
using testing::HasSubstr;
using testing::Not;

Projection projection(std::vector<answer::ProjectedStatement> statements) {
  Projection out;
  out.statements = std::move(statements);
  return out;
}

TEST(ProjectionText, StatementsEndBeforeTheNextOne) {
  const auto listed = listed_statements(projection({{{1, 3}, OnErrorTrace::Yes},
                                                    {{1, 11}, OnErrorTrace::No},
                                                    {{2, 1}, OnErrorTrace::Undecided},
                                                    {{7, 1}, OnErrorTrace::Yes},
                                                    {{2, 40}, OnErrorTrace::Yes}}),
                                        "  x := 1;  y := 0; \r\nskip");
  ASSERT_EQ(listed.size(), 3u) << "two lie behind the text";
  EXPECT_EQ(listed[0].last_column, 9u);
  EXPECT_EQ(listed[1].first_column, 11u);
  EXPECT_EQ(listed[1].last_column, 18u);
  EXPECT_EQ(listed[2].last_column, 4u);
}

TEST(ProjectionText, LongStretchesAreCutShort) {
  std::string source;
  for (int i = 1; i <= 20; ++i) source += "line" + std::to_string(i) + "\n";
  const Projection one = projection({{{1, 1}, OnErrorTrace::Yes}, {{9, 1}, OnErrorTrace::No}});
  const std::string text = projection_text(one, source, {});
  EXPECT_THAT(text, HasSubstr("  ●  1  line1\n     2  line2\n     3  line3\n"
                              "     …  (--verbose shows all lines)\n"
                              "    19  line19\n    20  line20\n"));
  EXPECT_THAT(projection_text(one, source, {Style(), true, false}), HasSubstr("  ·  9  line9\n"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(projection_text(one, source, {Style(true), true, false}),
              HasSubstr("\033[2mline9\033[0m"));
}

}  // namespace
}  // namespace heddle::output
