#include "base/suggest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::base {
namespace {

const std::vector<std::string> kNames = {"backward", "concolic", "cutoff", "cutoff-symbolic"};

TEST(Suggest, FindsOneEditOfEachKind) {
  EXPECT_EQ(closest("bakward", kNames), "backward");    // a letter is missing
  EXPECT_EQ(closest("backwards", kNames), "backward");  // one too many
  EXPECT_EQ(closest("backwerd", kNames), "backward");   // another one
  EXPECT_EQ(closest("bakcward", kNames), "backward");   // two swapped
}

TEST(Suggest, AllowsAThirdOfTheWordAndNoMore) {
  EXPECT_EQ(closest("cxtxff", kNames), "cutoff");
  EXPECT_EQ(closest("xxtxff", kNames), std::nullopt);
}

TEST(Suggest, ShortWordsMayHaveOneEdit) {
  const std::vector<std::string> formats = {"tts", "spec"};
  EXPECT_EQ(closest("ts", formats), "tts");
  EXPECT_EQ(closest("tst", formats), "tts");  // a swap is one edit, not two
  EXPECT_EQ(closest("xs", formats), std::nullopt);
}

TEST(Suggest, TakesTheClosestAndTheFirstOfEquals) {
  EXPECT_EQ(closest("cutof", kNames), "cutoff");
  const std::vector<std::string> equals = {"ab", "ac"};
  EXPECT_EQ(closest("ad", equals), "ab");
}

TEST(Suggest, SaysItInWords) {
  EXPECT_EQ(did_you_mean("bakward", kNames), "did you mean 'backward'?");
  EXPECT_EQ(did_you_mean("portfolio", kNames), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

}  // namespace
}  // namespace heddle::base
