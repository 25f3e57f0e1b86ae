/// Standard streams, several models, units, colours, and names that are commands, too.

#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Input : public BinaryTest {
 protected:
  Input() {
    write("m.tts", kLock);
    write("m.prop", "2|4,4\n");
    write("safe.tts", kLock);
    write("safe.prop", "2|0,1\n");
    write("n.spec", kNet);
  }
};

TEST_F(Input, OfSeveralModelsIsAnsweredOneByOne) {
  const Outcome outcome = heddle({"verify", "safe.tts", "m.tts", "n.spec"});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("safe.tts: SAFE"));
  EXPECT_THAT(outcome.out, HasSubstr("\nm.tts: UNSAFE: the target "));
  EXPECT_THAT(outcome.out, HasSubstr("\nn.spec: UNSAFE"));
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 3);
}

TEST_F(Input, OfSeveralModelsHasTheWorstExitCode) {
  EXPECT_EQ(heddle({"verify", "safe.tts", "safe.tts"}).code, 0);
  EXPECT_EQ(heddle({"verify", "safe.tts", "safe.tts", "--steps", "1", "--engine", "backward"}).code,
            20);
  const Outcome outcome = heddle({"verify", "m.tts", "absent.tts", "safe.tts"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("safe.tts: SAFE"));
  EXPECT_THAT(outcome.err, HasSubstr("absent.tts"));
}

TEST_F(Input, OfSeveralModelsHasNoPlaceForOneOutput) {
  const Outcome outcome = heddle({"verify", "m.tts", "safe.tts", "--report", "r.html"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--report is about one model, but there are 2"));
  EXPECT_FALSE(exists("r.html"));
}

TEST_F(Input, MayBeCalledLikeACommand) {
  write("check", kLock);
  write("check.prop", "2|4,4\n");
  EXPECT_EQ(heddle({"verify", "check", "--format", "tts"}).code, 10);
  const Outcome engine = heddle({"engines", "cutoff"});
  EXPECT_EQ(engine.code, 0);
  EXPECT_THAT(engine.out, StartsWith("cutoff: "));
  EXPECT_THAT(engine.out, Not(HasSubstr("backward coverability search")));
}

TEST_F(Input, HasUnits) {
  EXPECT_EQ(heddle({"verify", "m.tts", "--timeout", "1m", "--memory", "2G"}).code, 10);
  EXPECT_EQ(heddle({"verify", "m.tts", "--timeout", "20000ms", "--memory", "500MB"}).code, 10);
  for (const char* wrong : {"1x", "m", "", "-1m", "1 m", "inf"})
    EXPECT_EQ(heddle({"verify", "m.tts", "--timeout", wrong}).code, 2) << wrong;
  const Outcome memory = heddle({"verify", "m.tts", "--memory", "2Q"});
  EXPECT_EQ(memory.code, 2);
  EXPECT_THAT(memory.err, HasSubstr("--memory 2G"));
}

TEST_F(Input, SaysWhetherThereAreColours) {
  EXPECT_THAT(heddle({"verify", "m.tts", "-q", "--color", "always"}).out, HasSubstr("\033[1;31m"));
  EXPECT_THAT(heddle({"verify", "m.tts", "-q", "--color", "never"}).out, Not(HasSubstr("\033[")));
  EXPECT_THAT(heddle({"verify", "m.tts", "-q"}).out, Not(HasSubstr("\033[")));
  EXPECT_EQ(heddle({"verify", "m.tts", "--color", "blue"}).code, 2);
}

TEST_F(Input, AsksForHelpAndVersionInShort) {
  EXPECT_EQ(heddle({"-V"}).out, heddle({"--version"}).out);
  EXPECT_EQ(heddle({"help", "verify"}).out, heddle({"verify", "--help"}).out);
  EXPECT_EQ(heddle({"help"}).out, heddle({"--help"}).out);
  EXPECT_EQ(heddle({"help", "nothing"}).code, 2);
}

TEST_F(Input, WithAnEqualsSignForAnAssignmentGetsTheRightHint) {
  write("a.bp", "decl x;\nvoid main() begin\n  x = 1;\nend\n");
  EXPECT_THAT(heddle({"verify", "a.bp"}).err, HasSubstr("hint: write x := "));
}

TEST_F(Input, ThatListsItsThreadsAssumesNothing) {
  const std::string peterson =
      std::string(std::getenv("HEDDLE_SOURCE_DIR")) + "/examples/context/peterson-2.bp";
  EXPECT_THAT(heddle({"verify", peterson, "--timeout", "20"}).out,
              HasSubstr("initial  the threads that the program lists  (the file)"));
}

TEST_F(Input, MayCallStatesByTheirNames) {
  write("named.tts", std::string("# shared state 2: all gone\n# local state 4: done\n") + kLock);
  EXPECT_EQ(heddle({"verify", "named.tts", "--target", "all gone|done^2"}).code, 10);
  const Outcome typo = heddle({"verify", "named.tts", "--target", "all gone|dune"});
  EXPECT_EQ(typo.code, 3);
  EXPECT_THAT(typo.err, HasSubstr("--target:1:10: error: no local state is called 'dune'"));
  EXPECT_THAT(typo.err, HasSubstr("hint: did you mean 'done'?"));
}

TEST_F(Input, WithACommentThatDoesNotEndIsNotEmpty) {
  write("a.lola", "{ a net\nPLACE p;\nMARKING p: 1;\n");
  EXPECT_THAT(heddle({"verify", "a.lola", "--target", "p>=1"}).err,
              HasSubstr("a.lola:1:1: error: expected 'PLACE', found a comment that does not end"));
}

TEST_F(Input, ThatNoEngineAcceptsGetsTheOneThingToChange) {
  const auto reason = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = heddle(arguments);
    EXPECT_EQ(outcome.code, 20) << outcome.out;
    EXPECT_THAT(outcome.out, StartsWith("UNKNOWN: no engine accepts the task"));
    const std::size_t begin = outcome.out.find("  reason   ") + 11;
    return outcome.out.substr(begin, outcome.out.find('\n', begin) - begin);
  };
  EXPECT_EQ(reason({"verify", "m.tts", "--contexts", "2"}),
            "leave out --contexts: backward, concolic, cutoff and 2 others accept it then");
  EXPECT_EQ(reason({"verify", "m.tts", "--engine", "explore"}),
            "leave out --engine: backward, concolic, cutoff and 2 others accept it then");
  write("deep.bp",
        "decl x;\nvoid f() begin if (*) then f(); fi end\n"
        "void main() begin start_thread goto l; f(); assert(x); l: f(); end\n");
  EXPECT_EQ(reason({"verify", "deep.bp"}),
            "onthefly does not accept it: its procedure 'f' is recursive");
}

TEST_F(Input, ComesFromStandardInputByADash) {
  const std::string command = "cd '" + folder().string() + "' && '" + std::getenv("HEDDLE_BINARY") +
                              "' verify - -q --report r.html <n.spec >out 2>&1";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 10) << read("out");
  EXPECT_THAT(read("r.html"), HasSubstr("y >= 2 -> y'"));
}

TEST_F(Input, IsNotAskedForPropertiesOfOtherModels) {
  write("p.bp", "decl x;\nvoid main() begin x := 1; end\n");
  for (const std::string property : {"termination", "no-deadlock"}) {
    const Outcome outcome = heddle({"verify", "p.bp", "--property", property});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err,
                HasSubstr("'" + property + "' is not a question about a Boolean program"));
  }
  EXPECT_EQ(heddle({"verify", "m.tts", "--property", "no-deadlock"}).code, 10);
  write("termination", "2|0,1\n");
  EXPECT_EQ(heddle({"verify", "m.tts", "--property", "termination"}).code, 0);
}

/// Clang would read it again, and find nothing in a pipe.
TEST_F(Input, OfACProgramComesThroughAPipe) {
  write("fails.c",
        "#include <assert.h>\nint x;\nint main(void) {\n  x = 1;\n  assert(!x);\n  return 0;\n}\n");
  write("wrong.c", "int main(void) {\n  return x;\n}\n");
  const auto by_pipe = [this](const std::string& name) {
    const std::string command = "cd '" + folder().string() + "' && cat " + name + " | '" +
                                std::getenv("HEDDLE_BINARY") +
                                "' verify - --format c --json >out 2>&1";
    return WEXITSTATUS(std::system(command.c_str()));
  };
  const int code = by_pipe("fails.c");
  if (read("out").find("HEDDLE_C") != std::string::npos) GTEST_SKIP() << "built without C";
  EXPECT_EQ(code, 10) << read("out");
  EXPECT_EQ(nlohmann::json::parse(read("out"))["trace"]["steps"][0]["file"], "-");
  EXPECT_EQ(by_pipe("wrong.c"), 3);
  EXPECT_THAT(read("out"), HasSubstr("-:2:10: error: use of undeclared identifier 'x'"));
}

TEST_F(Input, GoesToStandardOutputByADash) {
  const Outcome outcome = heddle({"verify", "m.tts", "-q", "--sarif", "-"});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  const std::size_t begin = outcome.out.find('{');
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(outcome.out.substr(begin))["version"], "2.1.0");
  EXPECT_FALSE(exists("-"));
}

}  // namespace
}  // namespace heddle::cli
