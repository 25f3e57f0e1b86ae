#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace heddle::base {
namespace {

TEST(Printable, KeepsTextAndReplacesTheRest) {
  EXPECT_EQ(printable("a\tb \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x99\x82"),
            "a\tb \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x99\x82");
  EXPECT_EQ(printable("\x1b[31m"), "?[31m");
  EXPECT_EQ(printable("\xE9t\xE9"), "?t?");          // Latin-1
  EXPECT_EQ(printable("\xC0\xAF"), "??");            // an overlong '/'
  EXPECT_EQ(printable("\xED\xA0\x80"), "???");       // half of a surrogate pair
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "????");  // beyond the last character
  EXPECT_EQ(printable("\xC2\x9B"
                      "0m"),
            "??0m");                                    // a control sequence in one character
  EXPECT_EQ(printable("ab\xE2\x82"), "ab??");           // cut off
  EXPECT_EQ(printable("safe\xE2\x80\xAE"), "safe???");  // what follows would run backwards
}

}  // namespace
}  // namespace heddle::base
