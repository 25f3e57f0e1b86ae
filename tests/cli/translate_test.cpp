/// `heddle translate` to Remopla: what is written has the answer of what was read.

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class Remopla : public BinaryTest {
 protected:
  /// The first thread sets x; the other one sees it in its second turn at the earliest, if it asks
  /// for y before.
  Remopla() {
    write("p.bp",
          "decl x := 0, y := 0;\n"
          "void thread1() begin assume(y); x := 1; end\n"
          "void thread2() begin y := 1; assert(!x); end\n");
    write("one.bp", "decl x;\nvoid main() begin assert(x); end\n");
  }
  int answer(const std::string& file) { return heddle({"verify", file}).code; }
};

constexpr int kSafe = 0;
constexpr int kUnsafe = 10;

TEST_F(Remopla, HoldsTheReductionOfThreads) {
  for (const char* contexts : {"1", "2"}) {
    const Outcome written = heddle({"translate", "p.bp", "--contexts", contexts, "-o", "out.rem"});
    EXPECT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(answer("out.rem"), contexts[0] == '1' ? kSafe : kUnsafe) << contexts << " contexts";
  }
}

TEST_F(Remopla, HoldsOneThread) {
  const Outcome written = heddle({"translate", "one.bp", "--to", "rem"});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("SLIC_ERROR"));
  write("one.rem", written.out);
  EXPECT_EQ(answer("one.rem"), kUnsafe);
  const Outcome several = heddle({"translate", "p.bp", "--to", "rem"});
  EXPECT_EQ(several.code, 3);
  EXPECT_THAT(several.err, HasSubstr("--contexts K makes one thread of them"));
}

}  // namespace
}  // namespace heddle::cli
