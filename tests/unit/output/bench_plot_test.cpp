#include "output/bench/plot.hpp"

#include "output/bench/log_scale.hpp"

namespace heddle::output::bench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

Record record(std::string path, std::string tool, CaseOutcome outcome, Claim verdict, double cpu) {
  return {.path = std::move(path),
          .tool = std::move(tool),
          .outcome = outcome,
          .verdict = verdict,
          .cpu_seconds = cpu};
}

std::vector<Record> duel() {
  return {record("a", "heddle", CaseOutcome::Solved, Claim::Safe, 0.02),
          record("a", "mist", CaseOutcome::Solved, Claim::Safe, 2),
          record("b", "heddle", CaseOutcome::Solved, Claim::Unsafe, 0.5),
          record("b", "mist", CaseOutcome::Unknown, Claim::Unknown, 10),
          record("c", "heddle", CaseOutcome::Unknown, Claim::Unknown, 10),
          record("c", "mist", CaseOutcome::Unknown, Claim::Unknown, 10)};
}

TEST(BenchPlot, LogScaleReachesFromDecadeToDecade) {
  const LogScale scale(0.03, 20, 400, 0);
  EXPECT_THAT(scale.decades(), ElementsAre(0.01, 0.1, 1, 10, 100));
  EXPECT_DOUBLE_EQ(scale.pixel(0.01), 400);
  EXPECT_DOUBLE_EQ(scale.pixel(1), 200);
  EXPECT_DOUBLE_EQ(scale.pixel(100), 0);
  EXPECT_DOUBLE_EQ(scale.pixel(1e-9), 400);
  EXPECT_DOUBLE_EQ(scale.pixel(1e9), 0);
}

TEST(BenchPlot, AScaleOfOneValueHasALength) {
  EXPECT_THAT(LogScale(1, 1, 0, 100).decades(), ElementsAre(1, 10));
}

TEST(BenchPlot, CactusHasACurveAndALegendPerTool) {
  const std::string svg = cactus_svg(duel(), 10);
  EXPECT_THAT(svg, HasSubstr("<svg xmlns="));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  EXPECT_EQ(count(svg, "<path class=\"curve"), 2u);
  EXPECT_THAT(svg, HasSubstr("heddle (2 solved)"));
  EXPECT_THAT(svg, HasSubstr("mist (1 solved)"));
  EXPECT_THAT(svg, HasSubstr("timeout 10 s"));
  EXPECT_THAT(svg, HasSubstr("of 3 cases"));
  EXPECT_THAT(cactus_svg(duel(), std::nullopt), Not(HasSubstr("timeout")));
}

TEST(BenchPlot, CactusOfNothingIsStillAPicture) {
  EXPECT_THAT(cactus_svg({}, std::nullopt), EndsWith("</svg>\n"));
  EXPECT_THAT(cactus_svg({duel()[4]}, 10), HasSubstr("heddle (0 solved)"));
}

TEST(BenchPlot, ScatterShowsWhatOneOfTheTwoSolved) {
  const std::string svg = scatter_svg(duel(), "heddle", "mist", 10);
  EXPECT_THAT(svg, HasSubstr("<title>a: heddle 0.020 s, mist 2.000 s</title></circle>"));
  EXPECT_THAT(svg, HasSubstr("<title>b: heddle 0.500 s, mist 10.000 s</title></path>"));
  EXPECT_THAT(svg, Not(HasSubstr("<title>c:")));
  EXPECT_THAT(svg, HasSubstr("heddle and mist: 2 cases"));
  EXPECT_THAT(svg, HasSubstr("not solved by mist"));
}

TEST(BenchPlot, NamesCannotBreakTheXml) {
  std::vector<Record> records = duel();
  for (Record& r : records) r.path = "<&\">";
  EXPECT_THAT(scatter_svg(records, "heddle", "mist", 10), HasSubstr("&lt;&amp;&quot;&gt;: heddle"));
}

}  // namespace
}  // namespace heddle::output::bench
