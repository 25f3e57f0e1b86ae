#include "base/integer.hpp"

#include <gtest/gtest.h>

namespace heddle::base {
namespace {

TEST(Integer, ReadsDigitsOfAnyNumber) {
  EXPECT_EQ(parse_integer("0"), Integer(0));
  EXPECT_EQ(parse_integer("007"), Integer(7));
  EXPECT_EQ(parse_integer("-12"), Integer(-12));
  const std::string large = "123456789012345678901234567890";
  ASSERT_TRUE(parse_integer(large));
  EXPECT_EQ(to_string(*parse_integer(large)), large);
}

TEST(Integer, ReadsNothingElse) {
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "--1", "1e3", "one"})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

TEST(Integer, CountsThingsInWords) {
  EXPECT_EQ(counted(0, "thread"), "0 threads");
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(2, "shared state"), "2 shared states");
  EXPECT_EQ(counted(Integer("18446744073709551617"), "token"), "18446744073709551617 tokens");
}

TEST(Integer, FitsAMachineWordOrNot) {
  EXPECT_EQ(to_uint32(Integer(0)), 0u);
  EXPECT_EQ(to_uint32(Integer("4294967295")), 4294967295u);
  EXPECT_EQ(to_uint32(Integer("4294967296")), std::nullopt);
  EXPECT_EQ(to_uint32(Integer(-1)), std::nullopt);
  EXPECT_EQ(to_int64(Integer("9223372036854775807")), INT64_MAX);
  EXPECT_EQ(to_int64(Integer("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(to_int64(Integer("9223372036854775808")), std::nullopt);
  EXPECT_EQ(to_int64(Integer("-9223372036854775809")), std::nullopt);
}

}  // namespace
}  // namespace heddle::base
