#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Show : public BinaryTest {
 protected:
  Show() {
    write("lock.tts", kLock);
    write("net.spec", kNet);
  }
};

TEST_F(Show, DrawsAThreadSystemToStandardOutputAndToAFile) {
  const Outcome outcome = heddle({"show", "lock.tts"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("<?xml"));
  EXPECT_EQ(heddle({"show", "lock.tts", "-o", "lock.svg"}).code, 0);
  EXPECT_EQ(read("lock.svg"), outcome.out);
}

TEST_F(Show, WritesNetsForGraphviz) {
  EXPECT_EQ(heddle({"show", "net.spec", "-o", "net.dot"}).code, 0);
  EXPECT_THAT(read("net.dot"), StartsWith("digraph net {"));
}

TEST_F(Show, EvidenceForAnotherQuestionSaysSo) {
  heddle({"verify", "lock.tts", "--target", "2|4,4", "--evidence", "trace.json"});
  EXPECT_EQ(heddle({"show", "lock.tts", "trace.json", "--target", "2|4,4"}).code, 0);
  const Outcome other = heddle({"show", "lock.tts", "trace.json", "--target", "2|4"});
  EXPECT_EQ(other.code, 20);
  EXPECT_THAT(other.out, HasSubstr("ANOTHER QUESTION: "));
  EXPECT_THAT(other.err, HasSubstr("the evidence answers another question: "));
}

TEST_F(Show, DrawsWhateverEvidenceThereIs) {
  write("lock.prop", "2|0,1\n");
  const std::string source = std::string(std::getenv("HEDDLE_SOURCE_DIR")) + "/examples/";
  const auto drawn = [&](const std::string& file, const char* engine) {
    const Outcome made = heddle({"verify", file, "--engine", engine, "--evidence", "e.json", "-q"});
    EXPECT_THAT(made.code, testing::AnyOf(0, 10, 21)) << file << made.err;
    const Outcome outcome = heddle({"show", file, "e.json"});
    EXPECT_EQ(outcome.code, 0) << file << ", " << engine << ": " << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("<?xml")) << file;
    return outcome.out;
  };
  EXPECT_THAT(drawn("lock.tts", "backward"), HasSubstr(": a basis"));
  EXPECT_THAT(drawn("lock.tts", "cover"), HasSubstr("no target is reachable from these "));
  EXPECT_THAT(drawn("net.spec", "backward"), HasSubstr(": a trace"));
  EXPECT_THAT(drawn(source + "context/peterson-2.bp", "context-joint"),
              HasSubstr("no assertion can fail, for the threads that the program lists"));
  EXPECT_THAT(drawn(source + "pushdown/recursive-lock.pds", "pushdown"),
              HasSubstr("is unreachable"));
  heddle({"cutoff", "lock.tts", "--evidence", "c.json", "-q"});
  write("p.bp", "decl x := 0;\nvoid main() begin while (1) do x := !x; od; end\n");
  heddle({"cutoff", "p.bp", "--evidence", "p.json", "-q"});
  EXPECT_THAT(heddle({"show", "p.bp", "p.json"}).out, HasSubstr("main:2"))
      << "of a program, where its threads can be";
  const Outcome grid = heddle({"show", "lock.tts", "c.json"});
  EXPECT_EQ(grid.code, 0) << grid.err;
  EXPECT_THAT(grid.out, StartsWith("<?xml"));
}

TEST_F(Show, ATargetOfSeveralThreadsIsOneTarget) {
  const Outcome joint = heddle({"show", "lock.tts", "--target", "1|1,2^2"});
  EXPECT_THAT(joint.out, HasSubstr(">target with 1|2 ×2<"));
  EXPECT_THAT(joint.out, HasSubstr(">target ×2 with 1|1<"));
  const Outcome single = heddle({"show", "lock.tts", "--target", "1|1"});
  EXPECT_THAT(single.out, HasSubstr(">target<"));
}

TEST_F(Show, DrawsPushdownSystems) {
  const std::string source = std::string(std::getenv("HEDDLE_SOURCE_DIR")) + "/examples/pushdown/";
  EXPECT_EQ(heddle({"show", source + "even-depth.pds", "-o", "p.dot"}).code, 0);
  const std::string dot = read("p.dot");
  EXPECT_THAT(dot, StartsWith("digraph pushdown {"));
  EXPECT_THAT(dot, HasSubstr("t0_0_0 [label=\"0 | 0\", fillcolor=\"#d3efd9\"")) << "initial";
  EXPECT_THAT(dot, HasSubstr("t0_0_0 -> t0_1_0 [")) << "0 0 -> 1 0 1";
  EXPECT_THAT(dot, HasSubstr("t0_3_0 -> t0_3_pop [")) << "3 0 -> 3 -";
  EXPECT_THAT(dot, HasSubstr("call: a symbol is pushed"));
}

TEST_F(Show, EvidenceThatIsNotConfirmedIsNotReadInToWords) {
  heddle({"verify", "lock.tts", "--target", "2|0,1", "--engine", "cover", "--evidence", "e.json"});
  const Outcome outcome = heddle({"show", "lock.tts", "e.json", "--target", "2|4"});
  EXPECT_EQ(outcome.code, 20);
  EXPECT_THAT(outcome.out, HasSubstr("ANOTHER QUESTION: "));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("no target is reachable from")));
}

/// A picture of a C program has no fact that the program does not have: a run ends where an
/// assertion fails, and what control never gets to is not drawn.
TEST_F(Show, ACProgramEndsWhereItFails) {
  write("c.c",
        "#include <assert.h>\nint x;\nint main(void) {\n  int a = x;\n  assert(a == 1);\n"
        "  x = 2;\n  return 0;\n}\n");
  const Outcome drawn = heddle({"show", "c.c", "-o", "c.dot"});
  if (drawn.err.find("HEDDLE_C") != std::string::npos) GTEST_SKIP() << "built without C";
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const std::string dot = read("c.dot");
  std::set<std::string> nodes, reached;
  std::string failing;
  std::istringstream lines(dot);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.find_first_not_of(' ');
    const std::size_t arrow = line.find(" -> ");
    if (arrow != std::string::npos) {
      reached.insert(line.substr(arrow + 4, line.find_first_of(" ;", arrow + 4) - arrow - 4));
      EXPECT_NE(line.substr(name, arrow - name), failing) << line;
    } else if (name != std::string::npos && line.substr(name, 1) == "f" &&
               line.find(" [label") != std::string::npos) {
      const std::string node = line.substr(name, line.find(' ', name) - name);
      if (!nodes.empty() || line.find("main") == std::string::npos) nodes.insert(node);
      if (line.find("\\nfail ") != std::string::npos) failing = node;
    }
  }
  EXPECT_FALSE(failing.empty()) << dot;
  std::size_t without_edge = 0;
  for (const std::string& node : nodes) without_edge += reached.contains(node) ? 0 : 1;
  EXPECT_LE(without_edge, 1u) << "only the first line: " << dot;
  EXPECT_THAT(dot, HasSubstr("an assertion fails")) << "in the legend";
}

TEST_F(Show, DrawsTheQuotientAndThePathOfATrace) {
  const Outcome plain = heddle({"show", "lock.tts", "--quotient"});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("(c) the quotient"));
  heddle({"verify", "lock.tts", "--target", "2|4,4", "--evidence", "trace.json"});
  const Outcome path =
      heddle({"show", "lock.tts", "--quotient", "trace.json", "--target", "2|4,4"});
  EXPECT_EQ(path.code, 0) << path.err;
  EXPECT_THAT(path.out, HasSubstr(" chosen\""));
  heddle({"verify", "lock.tts", "--target", "2|0,1", "--engine", "backward", "--evidence",
          "basis.json"});
  const Outcome basis =
      heddle({"show", "lock.tts", "--quotient", "basis.json", "--target", "2|0,1"});
  EXPECT_EQ(basis.code, 3);
  EXPECT_THAT(basis.err,
              HasSubstr("holds no trace: its verdict is 'safe', its evidence 'backward_basis'"));
  const Outcome net = heddle({"show", "net.spec", "--quotient"});
  EXPECT_EQ(net.code, 3);
  EXPECT_THAT(net.err, HasSubstr("is a Petri net, which has no diagram of thread states"));
}

TEST_F(Show, ThePicturesOfTheDocumentationAreThoseThatItDraws) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "HEDDLE_SOURCE_DIR is not set: run this with ctest";
  const std::filesystem::path root(source);
  const auto example = [&](const char* name) { return root / "examples/thread-system" / name; };
  const auto documented = [&](const char* name) {
    std::ifstream file(root / "docs/engines" / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string gloves = example("gloves.tts");
  heddle({"verify", gloves, "--engine", "concolic", "--evidence", "gloves.json"});
  EXPECT_EQ(heddle({"show", gloves, "--quotient", "gloves.json"}).out,
            documented("concolic-gloves.svg"));
  EXPECT_EQ(heddle({"show", example("mutex-broken.tts"), "--quotient"}).out,
            documented("concolic-mutex-broken.svg"));
}

TEST_F(Show, ExplainsWrongUse) {
  EXPECT_EQ(heddle({"show"}).code, 2);
  const Outcome kind = heddle({"show", "lock.tts", "-o", "lock.jpg"});
  EXPECT_EQ(kind.code, 2);
  EXPECT_THAT(kind.err, HasSubstr(".svg, .png, .pdf or .dot"));
  EXPECT_EQ(heddle({"show", "lock.tts", "t.json", "-o", "t.dot"}).code, 2);
  EXPECT_EQ(heddle({"show", "lock.tts", "net.spec"}).code, 3) << "not evidence";
  EXPECT_EQ(heddle({"show", "lock.tts", "--quotient", "-o", "q.dot"}).code, 2);
  EXPECT_EQ(heddle({"show", "nowhere.tts"}).code, 3);
}

}  // namespace
}  // namespace heddle::cli
