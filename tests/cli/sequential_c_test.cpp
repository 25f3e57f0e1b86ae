/// `heddle translate FILE.c --to c --contexts K`: threads as a sequential program.

#include <cstdlib>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class TranslatingC : public BinaryTest {
 protected:
  TranslatingC() {
    write("p.c",
          "#include <pthread.h>\n#include <assert.h>\n"
          "unsigned char x;\n"
          "void *f(void *u) { x = 1; return u; }\n"
          "int main(void) { pthread_t t;\n"
          "  pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }\n");
  }
};

TEST_F(TranslatingC, HoldsTheReductionOfThreads) {
  for (const char* contexts : {"1", "2"}) {
    const Outcome written =
        heddle({"translate", "p.c", "--to", "c", "--contexts", contexts, "-o", "out.c"});
    EXPECT_EQ(written.code, 0) << written.err;
    EXPECT_THAT(written.err, HasSubstr("a sequential program of 2 threads at most"));
    EXPECT_EQ(heddle({"verify", "out.c"}).code, contexts[0] == '1' ? 0 : 10)
        << contexts << " contexts";
  }
}

TEST_F(TranslatingC, SaysWhatItCannotDo) {
  const auto refused = [&](std::vector<std::string> more, int code) {
    std::vector<std::string> words = {"translate", "p.c", "--to", "c"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = heddle(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(refused({}, 3), HasSubstr("give --contexts"));
  EXPECT_THAT(refused({"--unroll", "2"}, 2), HasSubstr("give --contexts as well"));
  EXPECT_THAT(refused({"--contexts", "2", "--unroll", "0"}, 2), HasSubstr("--unroll"));
  EXPECT_THAT(refused({"--contexts", "2", "--first", "any"}, 3), HasSubstr("that of main"));
  EXPECT_THAT(refused({"--contexts", "2", "--property", "no-deadlock"}, 3),
              HasSubstr("reach or memory"));
  EXPECT_THAT(refused({"--contexts", "100000"}, 3), HasSubstr("more than 256 contexts"));
  write("p.c",
        "#include <pthread.h>\nvoid *f(void *u) { return u; }\nint main(void) { for (;;) {\n"
        "pthread_t t; pthread_create(&t, 0, f, 0); } }\n");
  EXPECT_THAT(refused({"--contexts", "2"}, 3), HasSubstr("without --unroll (line 4)"));
}

/// Compilers find nothing to warn about.
TEST_F(TranslatingC, ExamplesCompileWithoutWarnings) {
  const std::filesystem::path folder =
      std::filesystem::path(std::getenv("HEDDLE_SOURCE_DIR")) / "examples" / "c";
  std::size_t compiled = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".c") continue;
    const Outcome written = heddle({"translate", file.path().string(), "--to", "c", "--contexts",
                                    "2", "--unroll", "3", "-o", "out.c"});
    ASSERT_EQ(written.code, 0) << file.path() << written.err;
    const std::string compile =
        "gcc -std=c11 -Wall -Wextra -Werror -O1 -c -o /dev/null " + at("out.c").string();
    EXPECT_EQ(std::system(compile.c_str()), 0) << file.path();
    ++compiled;
  }
  EXPECT_GE(compiled, 30u);
}

}  // namespace
}  // namespace heddle::cli
