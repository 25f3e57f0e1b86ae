/// `heddle translate` to Remopla and to one thread: what is written has the answer of what was
/// read.

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class Translating : public BinaryTest {
 protected:
  /// The first thread sets x; the other one sees it in its second turn at the earliest, if it asks
  /// for y before.
  Translating() {
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

TEST_F(Translating, RemoplaHoldsTheReductionOfThreads) {
  for (const char* contexts : {"1", "2"}) {
    const Outcome written = heddle({"translate", "p.bp", "--contexts", contexts, "-o", "out.rem"});
    EXPECT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(answer("out.rem"), contexts[0] == '1' ? kSafe : kUnsafe) << contexts << " contexts";
  }
}

TEST_F(Translating, RemoplaHoldsOneThread) {
  const Outcome written = heddle({"translate", "one.bp", "--to", "rem"});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("SLIC_ERROR"));
  write("one.rem", written.out);
  EXPECT_EQ(answer("one.rem"), kUnsafe);
  const Outcome several = heddle({"translate", "p.bp", "--to", "rem"});
  EXPECT_EQ(several.code, 3);
  EXPECT_THAT(several.err, HasSubstr("--contexts K makes one thread of them"));
}

/// The second thread does what the first one fails by: within one context each, if it begins.
TEST_F(Translating, AnyThreadMayHaveTheFirstTurn) {
  write("q.bp",
        "decl x := 0;\n"
        "void thread1() begin assert(!x); end\n"
        "void thread2() begin x := 1; end\n");
  const auto reduce = [&](const char* file, const char* out, const char* first) {
    const Outcome written =
        heddle({"translate", file, "--contexts", "1", "--first", first, "-o", out});
    EXPECT_EQ(written.code, 0) << written.err;
  };
  for (const char* out : {"out.bp", "out.rem"}) {
    reduce("q.bp", out, "first");
    EXPECT_EQ(answer(out), kSafe);
    reduce("q.bp", out, "any");
    EXPECT_EQ(answer(out), kUnsafe);
  }
  write("q.pds", "3\nPDA 0 0\n1 0 -> 2 0\nPDA 0 0\n0 0 -> 1 0\n");
  write("q.init", "0|0,0\n");
  write("q.spec", "2|0,0\n");
  reduce("q.pds", "first.pds", "first");
  EXPECT_EQ(answer("first.pds"), kSafe);
  reduce("q.pds", "any.pds", "any");
  EXPECT_EQ(answer("any.pds"), kUnsafe);
  EXPECT_THAT(heddle({"translate", "q.bp", "--to", "bp", "--first", "any"}).err,
              HasSubstr("give --contexts as well"));
  EXPECT_THAT(heddle({"translate", "q.bp", "--to", "bp", "--contexts", "1", "--first", "2"}).err,
              HasSubstr("it is first or any"));
}

}  // namespace
}  // namespace heddle::cli
