/// C programs on the command line: several files, options of compilers, task files, interleavings,
/// witnesses, pictures.

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/sha256.hpp"
#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Both threads may read 0; line 9 is the lost update.
constexpr const char* kCounter = R"(#include <assert.h>
#include <pthread.h>
#include "counter.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  int seen = counter;
  if (__VERIFIER_nondet_int() == 17) pthread_mutex_lock(&lock);
  UPDATE(seen);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  increment();
  pthread_join(t, 0);
  if (counter != 2) reach_error();
  return 0;
}
)";
constexpr const char* kCounterHeader = R"(extern int counter;
void increment(void);
#define UPDATE(x) counter = (x) + 1
)";
constexpr const char* kIncrement = R"(#include "counter.h"
int counter;
void increment(void) {
  counter = counter + STEP;
}
)";

class CPrograms : public BinaryTest {
 protected:
  CPrograms() {
    write("main.c", kCounter);
    write("counter.h", kCounterHeader);
    write("increment.c", kIncrement);
  }
  Outcome verify(std::vector<std::string> further) const {
    std::vector<std::string> words = {"verify", "main.c", "increment.c", "-DSTEP=1"};
    words.insert(words.end(), further.begin(), further.end());
    return heddle(words);
  }
};

TEST_F(CPrograms, FilesAreLinkedAndInterleavingsShowTheSource) {
  const Outcome outcome = verify({});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("UPDATE(seen);"));
  EXPECT_THAT(outcome.out, HasSubstr("pthread_create(&t, 0, add, 0);"));
  EXPECT_THAT(outcome.out, HasSubstr("creates add 1"));
  EXPECT_THAT(outcome.out, HasSubstr("reads counter = 0"));
  EXPECT_THAT(outcome.out, HasSubstr("(int)"));
  EXPECT_THAT(outcome.out, HasSubstr("increment.c:4 in increment"));
  EXPECT_THAT(outcome.out, HasSubstr("evidence confirmed"));
}

TEST_F(CPrograms, JsonHasTheInterleavingLineByLine) {
  const auto report = nlohmann::json::parse(verify({"--json"}).out);
  const auto& steps = report.at("trace").at("steps");
  const auto update = std::ranges::find_if(
      steps, [](const auto& step) { return step.at("text") == "UPDATE(seen);"; });
  ASSERT_NE(update, steps.end()) << steps.dump(1);
  EXPECT_EQ(update->at("file"), "main.c");
  EXPECT_EQ(update->at("line"), 8);
  EXPECT_EQ(update->at("column"), 3);
  EXPECT_EQ(update->at("function"), "add");
  EXPECT_EQ(update->at("thread"), 1);
  EXPECT_EQ(update->at("name"), "add 1");
  EXPECT_EQ(update->at("changes").at(0).at("variable"), "counter");
  EXPECT_EQ(update->at("changes").at(0).at("type"), "int");
  EXPECT_EQ(update->at("changes").at(0).at("after"), "1");
  EXPECT_EQ(report.at("trace").at("violation").at("line"), 16);
}

TEST_F(CPrograms, OptionsAreThoseOfCompilers) {
  write("step.h", "#define STEP 1\n");
  EXPECT_EQ(heddle({"verify", "main.c", "increment.c", "-include", "step.h", "-q"}).code, 10);
  EXPECT_EQ(heddle({"verify", "main.c", "increment.c", "-q", "--", "-DSTEP=1"}).code, 10);
  write("standard.c",
        "#if __STDC_VERSION__ != 199901L || __SIZEOF_POINTER__ != 4\n#error no\n#endif\n"
        "int main() { return 0; }\n");
  EXPECT_EQ(heddle({"verify", "standard.c", "-std=c99", "-m32", "-q"}).code, 0);
  EXPECT_EQ(heddle({"verify", "standard.c", "-q", "--", "-std=c99", "-m32"}).code, 0);
  EXPECT_EQ(heddle({"verify", "standard.c", "-q"}).code, 3);
  const Outcome unknown = heddle({"verify", "standard.c", "--", "--no-such-flag"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("--no-such-flag"));
}

TEST_F(CPrograms, ErrorsOfClangHaveFileLineColumnAndCaret) {
  const Outcome outcome = heddle({"verify", "main.c", "increment.c"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("increment.c:4:23: error: use of undeclared identifier"));
  EXPECT_THAT(outcome.err,
              HasSubstr("\n      counter = counter + STEP;\n" + std::string(26, ' ') + "^^^^"));
}

TEST_F(CPrograms, UnknownPropertiesAreAnsweredWithTheKnownOnes) {
  const Outcome outcome = verify({"--property", "no-data-rase"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("'no-data-rase' is neither a property nor a file"));
  EXPECT_THAT(outcome.err, HasSubstr("one of: reach, no-data-race,"));
}

TEST_F(CPrograms, WithoutAssertionsNothingCanFail) {
  write("idle.c", "int main(void) { return 0; }\n");
  const std::string said = "nothing can fail: the program has no assertion";
  EXPECT_THAT(heddle({"verify", "idle.c"}).err, HasSubstr(said));
  EXPECT_THAT(heddle({"verify", "idle.c", "--property", "no-overflow"}).err, Not(HasSubstr(said)));
  EXPECT_THAT(verify({}).err, Not(HasSubstr(said)));
}

TEST_F(CPrograms, OnlyCFilesAreLinked) {
  write("net.spec", kNet);
  write("alone.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(heddle({"verify", "alone.c", "net.spec"}).out, HasSubstr("\nnet.spec: UNSAFE"));
  const Outcome outcome = heddle({"verify", "main.c", "net.spec", "increment.c"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("C files are linked into one program and cannot stand beside other models"));
}

TEST_F(CPrograms, CompileCommandsGiveTheOptionsOfEachFile) {
  write(
      "compile_commands.json",
      R"([{"directory": ")" + folder().string() +
          R"(", "file": "main.c", "command": "cc -c main.c"},
            {"directory": ")" +
          folder().string() +
          R"(", "file": "increment.c", "arguments": ["cc", "-DSTEP=1", "-O2", "-c", "increment.c"]}])");
  EXPECT_EQ(heddle({"verify", "main.c", "increment.c", "--compile-commands",
                    "compile_commands.json", "-q"})
                .code,
            10);
  write("other.c", "int x;\n");
  const Outcome missing =
      heddle({"verify", "main.c", "other.c", "--compile-commands", "compile_commands.json"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("there is no command for other.c"));
}

TEST_F(CPrograms, TaskFilesAreRunAsTheyAre) {
  write("task.yml",
        "format_version: '2.0'\ninput_files: [main.c, increment.c]\nproperties:\n"
        "  - property_file: ../properties/unreach-call.prp\n    expected_verdict: true\n"
        "options: {language: C, data_model: ILP32}\n");
  const Outcome outcome = heddle({"verify", "task.yml", "-DSTEP=1", "--svcomp"});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  EXPECT_THAT(outcome.out, EndsWith("\nFALSE(unreach-call)\n"));
  EXPECT_EQ(heddle({"verify", "task.yml", "-DSTEP=1", "--evidence", "e.json", "-q"}).code, 10);
  EXPECT_EQ(heddle({"check", "task.yml", "e.json", "-DSTEP=1"}).code, 0);
  write("broken.yml", "input_files: []\n");
  EXPECT_EQ(heddle({"verify", "broken.yml"}).code, 3);
}

TEST_F(CPrograms, EvidenceOfSeveralFilesIsCheckedAndReplayed) {
  ASSERT_EQ(verify({"--evidence", "e.json", "-q"}).code, 10);
  EXPECT_EQ(heddle({"check", "main.c", "increment.c", "e.json", "-DSTEP=1"}).code, 0);
  const Outcome all = heddle({"replay", "main.c", "increment.c", "e.json", "-DSTEP=1", "--all"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("counter = counter + STEP;"));
  EXPECT_EQ(heddle({"check", "main.c"}).code, 2);
}

TEST_F(CPrograms, LastLineOfTheCompetition) {
  EXPECT_THAT(verify({"--svcomp"}).out, EndsWith("\nFALSE(unreach-call)\n"));
  EXPECT_THAT(verify({"--svcomp", "--property", "no-data-race"}).out,
              EndsWith("\nFALSE(no-data-race)\n"));
  write("fine.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(heddle({"verify", "fine.c", "--svcomp", "-q"}).out, EndsWith("\nTRUE\n"));
  EXPECT_THAT(verify({"--svcomp", "--steps", "1", "-q"}).out, EndsWith("\nUNKNOWN\n"));
  EXPECT_EQ(verify({"--svcomp", "--json"}).code, 2);
}

TEST_F(CPrograms, TerminationIsAnsweredInItsOwnWords) {
  write("ends.c", "int main(void) { for (int i = 0; i < 3; i++); return 0; }\n");
  write("runs.c", "int main(void) { for (;;); }\n");
  write("waits.c",
        "#include <pthread.h>\n"
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "int main(void) {\n  pthread_mutex_lock(&m);\n  pthread_mutex_lock(&m);\n}\n");
  const auto ask = [&](const char* file, std::vector<std::string> options) {
    options.insert(options.begin(), {"verify", file, "--property", "termination"});
    return heddle(options);
  };
  const Outcome ends = ask("ends.c", {"--svcomp"});
  EXPECT_EQ(ends.code, 0) << ends.err;
  EXPECT_THAT(ends.out, StartsWith("TERMINATES under every scheduler"));
  EXPECT_THAT(ends.out, EndsWith("\nTRUE\n"));
  const Outcome runs = ask("runs.c", {"--svcomp", "--witness", "w.graphml"});
  EXPECT_EQ(runs.code, 10) << runs.err;
  EXPECT_THAT(runs.out, StartsWith("RUNS FOR EVER under some scheduler (no fairness assumed)"));
  EXPECT_THAT(runs.out, HasSubstr("can be repeated for ever"));
  EXPECT_THAT(runs.out, EndsWith("\nFALSE(termination)\n"));
  const Outcome waits = ask("waits.c", {"--svcomp"});
  EXPECT_EQ(waits.code, 10) << waits.err;
  EXPECT_THAT(waits.out, StartsWith("CAN BLOCK FOR EVER"));
  EXPECT_THAT(waits.out, HasSubstr("main 0 waits for mutex m, which it holds itself (line 5)"));
  EXPECT_THAT(waits.out, EndsWith("\nFALSE(termination)\n"));
  const auto report = nlohmann::json::parse(ask("runs.c", {"--json"}).out);
  EXPECT_EQ(report.at("verdict"), "unsafe");
  EXPECT_EQ(report.at("violation"), "lasso");
  EXPECT_GT(report.at("trace").at("violation").at("loop_steps"), 0);
  const auto blocked = nlohmann::json::parse(ask("waits.c", {"--json"}).out);
  EXPECT_EQ(blocked.at("violation"), "blocked");
  EXPECT_EQ(blocked.at("trace").at("violation").at("waits").at(0).at("line"), 5);
  EXPECT_EQ(nlohmann::json::parse(ask("ends.c", {"--json"}).out).at("violation"), nullptr);
}

/// What of the elements and references of a GraphML text is wrong; empty if nothing.
std::string graphml_mistake(const std::string& text) {
  std::vector<std::string> open;
  std::set<std::string> keys, nodes;
  std::vector<std::string> wanted;
  const std::regex element(R"re(<(/?)([a-z]+)([^<>]*?)(/?)>)re");
  const std::regex attribute(R"re(([a-z.]+)="([^"]*)")re");
  for (std::sregex_iterator at(text.begin(), text.end(), element), end; at != end; ++at) {
    const std::string name = (*at)[2], rest = (*at)[3];
    if ((*at)[1].length() > 0) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
      continue;
    }
    for (std::sregex_iterator a(rest.begin(), rest.end(), attribute); a != end; ++a) {
      const std::string what = (*a)[1], value = (*a)[2];
      if (name == "key" && what == "id") keys.insert(value);
      if (name == "node" && what == "id") nodes.insert(value);
      if (name == "edge") wanted.push_back(value);
      if (name == "data" && !keys.contains(value)) return "undeclared key " + value;
    }
    if ((*at)[4].length() == 0) open.push_back(name);
  }
  for (const std::string& node : wanted)
    if (!nodes.contains(node)) return "no node " + node;
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

TEST_F(CPrograms, ViolationWitnessesInGraphMl) {
  ASSERT_EQ(verify({"--witness", "w.graphml", "-q"}).code, 10);
  const std::string text = read("w.graphml");
  EXPECT_EQ(graphml_mistake(text), "") << text;
  const auto has = [&](const std::string& key, const std::string& value) {
    EXPECT_THAT(text, HasSubstr("<data key=\"" + key + "\">" + value + "</data>"));
  };
  has("witness-type", "violation_witness");
  has("sourcecodelang", "C");
  has("specification", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
  has("programfile", "main.c");
  has("programhash", base::sha256(kCounter));
  has("architecture", "64bit");
  has("createThread", "1");
  has("enterFunction", "increment");
  has("originfile", "increment.c");
  has("violation", "true");
  EXPECT_THAT(text, HasSubstr("<data key=\"startline\">8</data><data key=\"endline\">8</data>"
                              "<data key=\"threadId\">1</data>"));
  EXPECT_THAT(text, HasSubstr("<data key=\"assumption\">\\result == "));
  EXPECT_THAT(text, HasSubstr("<data key=\"assumption.resultfunction\">__VERIFIER_nondet_int<"));
}

/// Both formats number threads by their creations: each has one of its own, before its first step,
/// which enters its function.
TEST_F(CPrograms, WitnessesTellEveryCreation) {
  write("two.c",
        "#include <assert.h>\n#include <pthread.h>\nint x;\n"
        "void *add(void *p) {\n  x = x + 1;\n  return 0;\n}\n"
        "int main(void) {\n  pthread_t a, b;\n"
        "  pthread_create(&a, 0, add, 0), pthread_create(&b, 0, add, 0);\n"
        "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(x == 2);\n}\n");
  ASSERT_EQ(heddle({"verify", "two.c", "--witness", "w.graphml", "-q"}).code, 10);
  const std::string graph = read("w.graphml");
  EXPECT_EQ(graphml_mistake(graph), "") << graph;
  const auto element = [](const std::string& key, const std::string& value) {
    return "<data key=\"" + key + "\">" + value + "</data>";
  };
  for (const std::string number : {"1", "2"}) {
    const std::size_t created = graph.find(element("createThread", number));
    const std::size_t begun = graph.find(element("threadId", number));
    ASSERT_NE(begun, std::string::npos) << graph;
    EXPECT_LT(created, begun) << graph;
    EXPECT_TRUE(graph.substr(begun).starts_with(element("threadId", number) +
                                                element("enterFunction", "add")))
        << graph;
  }
  ASSERT_EQ(heddle({"verify", "two.c", "--witness", "w.yml", "-q"}).code, 10);
  const std::string text = read("w.yml");
  const std::regex created("type: function_enter");
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), created),
                          std::sregex_iterator()),
            2)
      << text;
}

TEST_F(CPrograms, ViolationWitnessesInYaml) {
  ASSERT_EQ(verify({"--witness", "w.yml", "--property", "no-data-race", "-q"}).code, 10);
  const std::string text = read("w.yml");
  EXPECT_THAT(text, HasSubstr("- entry_type: violation_sequence\n"));
  EXPECT_THAT(text, HasSubstr("format_version: \"2.2\"\n"));
  EXPECT_THAT(text, HasSubstr("\"main.c\": \"" + base::sha256(kCounter) + "\"\n"));
  EXPECT_THAT(text, HasSubstr("LTL(G ! data-race)"));
  EXPECT_THAT(text, HasSubstr("type: function_enter\n          action: follow\n"
                              "          thread_id: 0\n"));
  const std::string last = text.substr(text.rfind("- segment:"));
  const std::regex target("type: target");
  EXPECT_EQ(
      std::distance(std::sregex_iterator(last.begin(), last.end(), target), std::sregex_iterator()),
      2)
      << last;
}

TEST_F(CPrograms, NoWitnessWithoutAViolation) {
  write("fine.c", "int main(void) { return 0; }\n");
  const Outcome outcome = heddle({"verify", "fine.c", "--witness", "w.graphml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("w.graphml: warning: is not written"));
  EXPECT_FALSE(exists("w.graphml"));
}

TEST_F(CPrograms, RacesAreToldWithBothAccesses) {
  const Outcome outcome = verify({"--property", "no-data-race"});
  EXPECT_THAT(outcome.out, HasSubstr("data race: counter (int) is "));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(" by add 1 at line "), HasSubstr(" by main 0 at "),
                                 HasSubstr(" holding no lock")));
}

TEST_F(CPrograms, TemplatesAreDrawnAndPrinted) {
  ASSERT_EQ(heddle({"show", "main.c", "increment.c", "-DSTEP=1", "-o", "t.dot"}).code, 0);
  const std::string dot = read("t.dot");
  EXPECT_THAT(dot, AllOf(HasSubstr("add (thread)"), HasSubstr("main (thread)"),
                         HasSubstr("label=\"increment\""), HasSubstr("8  UPDATE(seen);"),
                         HasSubstr("label=\"creates\"")));
  const Outcome text = heddle({"translate", "main.c", "increment.c", "-DSTEP=1", "--to", "model"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("global counter: int"), HasSubstr("function add("),
                              HasSubstr("main.c:8:3")));
  write("net.spec", kNet);
  EXPECT_EQ(heddle({"translate", "net.spec", "--to", "model"}).code, 3);
}

/// A macro stands where it is used, a line of a header where it is written.
TEST_F(CPrograms, PlacesOfMacrosAndHeadersAreRight) {
  std::filesystem::create_directory(at("include"));
  write("include/check.h",
        "#include <assert.h>\n"
        "#define CHECK(x) do { \\\n    assert(x); \\\n  } while (0)\n"
        "static int shared;\n"
        "static inline void bump(void) {\n  shared = shared + 1;\n}\n");
  write("places.c",
        "#include \"include/check.h\"\n"
        "int main(void) {\n  bump();\n  int x = 1;  CHECK(shared == 2);\n  return x;\n}\n");
  const Outcome outcome = heddle({"verify", "places.c", "--json", "--sarif", "log.sarif"});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  const auto answer = nlohmann::json::parse(outcome.out);
  const auto& violation = answer["trace"]["violation"];
  EXPECT_EQ(violation["file"], "places.c");
  EXPECT_EQ(violation["line"], 4);
  EXPECT_EQ(violation["column"], 15);
  std::set<std::string> places;
  for (const auto& step : answer["trace"]["steps"])
    places.insert(step["file"].get<std::string>() + ":" + std::to_string(step["line"].get<int>()));
  EXPECT_TRUE(places.contains("./include/check.h:7")) << testing::PrintToString(places);
  const auto result = nlohmann::json::parse(read("log.sarif"))["runs"][0]["results"][0];
  const auto& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startLine"], 4);
  EXPECT_EQ(region["startColumn"], 15);
  std::set<std::string> files;
  for (const auto& step : result["codeFlows"][0]["threadFlows"][0]["locations"])
    files.insert(step["location"]["physicalLocation"]["artifactLocation"]["uri"]);
  EXPECT_THAT(files, testing::ElementsAre("include/check.h", "places.c"));
}

}  // namespace
}  // namespace heddle::cli
