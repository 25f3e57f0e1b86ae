#include "answer/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/builders.hpp"

namespace heddle::answer {
namespace {

using base::Integer;
using model::LocalState;
using model::SharedState;
using model::TransitionId;
using nlohmann::json;
using testing::HasSubstr;
using namespace heddle::test;

const Integer kHuge("1237940039285380274899124224");  // 2^90

const model::AnyKind kThreads = model::Tag<model::ThreadSystem>();

model::CountingQuestion question() {
  model::Region any = any_number(0, {0, 3});
  any.bounds[1].lower = 2;
  any.bounds[1].upper = kHuge;
  return {{any, exactly(1, {2, 2})}, {target(1, {0, 4})}, 3};
}

Trace trace_with_everything() {
  Trace trace{configuration(2, {1, 0, 3}), {}};
  trace.initial.counts.set(model::Counter(9u), kHuge);
  TraceStep broadcast{TransitionId(4u),
                      {{LocalState(1u), LocalState(2u), 1}, {LocalState(1u), LocalState(1u), 0}},
                      ThreadId(3u),
                      {{ThreadId(0u), LocalState(2u)}}};
  trace.blocks.push_back({1, {broadcast}});
  trace.blocks.push_back({1, {}});
  trace.blocks.push_back({kHuge, {{TransitionId(0u), {}, {}, {}}, {TransitionId(1u), {}, {}, {}}}});
  return trace;
}

ClosedThreadStates closed_states() {
  return {{SharedState(0u), SharedState(2u)},
          {{SharedState(0u), LocalState(1u)}, {SharedState(2u), LocalState(0u)}}};
}

BackwardBasis basis_with_everything() {
  const LinearInvariant equation{
      {{LocalState(0u), -2}, {LocalState(5u), kHuge}}, LinearInvariant::Relation::Equal, -7};
  const ConcurrentPlaces apart{
      {LocalState(0u), LocalState(4u)},
      {{LocalState(0u), LocalState(0u)}, {LocalState(0u), LocalState(4u)}}};
  return {{configuration(0, {1, 0, 2}), configuration(3, {})}, {equation, closed_states(), apart}};
}

PushdownInvariant stack_products() {
  const auto symbol = [](std::uint32_t value) { return model::StackSymbol(value); };
  const StackAutomaton automaton{{{true, {{symbol(2), 1}, {symbol(7), 0}}}, {false, {}}}};
  return {{automaton, {}}, {{model::SharedState(3u), {1, 0}, 4}, {model::SharedState(0u), {}, 0}}};
}

ConfigurationSets two_places() {
  using Kind = ConfigurationVariable::Kind;
  const model::boolean::NodeId node(4u);
  return {{3,
           {{{{}, node}, {{model::boolean::EdgeId(7u)}, node}}, {}},
           {{Kind::Shared, 0, 0}, {Kind::NextLocal, 1, 2}},
           {{1, 0, 1}, {0, 1, 2}}},
          {{1, 0, 0, 3}, {3, 1, 2, 1}}};
}

TurnFacts two_turns() { return {two_places(), {{0, 2, 3}, {1, 1, 0}}}; }

ProgramStacks two_frames() {
  const model::boolean::NodeId node(4u);
  return {{model::boolean::bit(100), 0},
          {{node, 1}, {node, model::boolean::bit(64)}},
          stack_products()};
}

ForwardCover two_maximal() {
  OmegaConfiguration first{SharedState(2u), configuration(0, {0, 3}).counts, {}};
  first.counts.set(model::Counter(7u), kHuge);
  first.unbounded = {LocalState(0u), LocalState(5u), LocalState(8u)};
  return {{first, {SharedState(0u), {}, {}}}};
}

std::vector<Verdict> verdicts() {
  std::vector<Verdict> all{Safe{basis_with_everything()},
                           Safe{BackwardBasis{}},
                           Safe{PathwiseProof{basis_with_everything()}},
                           Safe{PathwiseProof{}},
                           Safe{closed_states()},
                           Safe{ClosedThreadStates{}},
                           Unsafe{trace_with_everything()},
                           Unsafe{},
                           SafeUpTo{context_bound(kHuge), BackwardBasis{}},
                           SafeUpTo{context_bound(2), stack_products()},
                           Safe{two_places()},
                           Safe{two_turns()},
                           Safe{two_frames()},
                           Safe{two_maximal()},
                           Safe{ForwardCover{}}};
  for (int reason = 0; reason <= static_cast<int>(UnknownReason::EngineFailed); ++reason)
    all.push_back(Unknown{static_cast<UnknownReason>(reason), "because \"so\"\n"});
  return all;
}

TEST(Json, VerdictsSurviveARoundTrip) {
  for (const Verdict& verdict : verdicts()) {
    const auto read = verdict_from_json(verdict_to_json(verdict), kThreads);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, verdict);
  }
}

TEST(Json, StoredEvidenceSurvivesARoundTrip) {
  for (const Verdict& verdict : verdicts()) {
    const auto read = read_evidence(write_evidence({kThreads, "backward", question(), verdict}));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->kind, kThreads);
    EXPECT_EQ(read->engine, "backward");
    EXPECT_EQ(read->question, model::AnyQuestion(question()));
    EXPECT_EQ(read->verdict, verdict);
  }
}

TEST(Json, ConditionsOfTargetsSurviveARoundTrip) {
  using model::Condition;
  const Condition sums = Condition::at_least({{LocalState(0u), -2}, {LocalState(3u), kHuge}}, -7);
  const Condition both =
      Condition::all({sums, Condition::any({sums, Condition::all({sums, sums})})});
  for (const Condition& condition : {sums, both, Condition::any({}), Condition::all({})}) {
    auto asked = question();
    asked.targets[0].condition = condition;
    const auto read = read_evidence(write_evidence({kThreads, "forward", asked, Unsafe{}}));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->question, model::AnyQuestion(asked));
  }
}

/// The condition of the stored question replaced by another text.
std::string complaint_about_condition(const std::string& text) {
  auto asked = question();
  asked.targets[0].condition = model::Condition::any({});
  std::string stored = write_evidence({kThreads, "forward", asked, Unsafe{}});
  const std::size_t start = stored.find("\"condition\"");
  const std::size_t end = stored.find('}', start);
  if (end == std::string::npos) return "not found in " + stored;
  stored.replace(start, end + 1 - start, "\"condition\":" + text);
  const auto read = read_evidence(stored);
  return read ? "" : read.error();
}

TEST(Json, DamagedConditionsAreRejected) {
  using testing::HasSubstr;
  EXPECT_EQ(complaint_about_condition(R"({"all":[{"any":[]}]})"), "");
  EXPECT_THAT(complaint_about_condition(R"({})"), HasSubstr("condition"));
  EXPECT_THAT(complaint_about_condition(R"([])"), HasSubstr("condition"));
  EXPECT_THAT(complaint_about_condition(R"({"all":[],"any":[]})"), HasSubstr("condition"));
  EXPECT_THAT(complaint_about_condition(R"({"at_least":1,"sum":[0]})"), HasSubstr("pairs"));
  EXPECT_THAT(complaint_about_condition(R"({"at_least":1,"sum":[1,1,0,1]})"), HasSubstr("ascend"));
  EXPECT_THAT(complaint_about_condition(R"({"at_least":1,"sum":[0,0]})"), HasSubstr("zero"));
  EXPECT_THAT(complaint_about_condition(R"({"at_least":"x","sum":[]})"), HasSubstr("at_least"));
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += R"({"all":[)";
  EXPECT_NE(complaint_about_condition(deep), "");
  deep.clear();
  for (int i = 0; i < 600; ++i) deep += R"({"all":[)";
  for (int i = 0; i < 600; ++i) deep += "]}";
  EXPECT_THAT(complaint_about_condition(deep), HasSubstr("deep"));
}

TEST(Json, MessagesKeepStatisticsInOrder) {
  EngineMessage message{Unsafe{trace_with_everything()}, {}};
  message.statistics.set("zebra", 0.25);
  message.statistics.set("ant", 1e18);
  message.statistics.set("odd", std::nan(""));
  const auto read = read_message(write_message(message), kThreads);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->verdict, message.verdict);
  ASSERT_EQ(read->statistics.entries().size(), 3u);
  EXPECT_EQ(read->statistics.entries()[0], (std::pair<std::string, double>("zebra", 0.25)));
  EXPECT_EQ(read->statistics.entries()[1], (std::pair<std::string, double>("ant", 1e18)));
  EXPECT_TRUE(std::isnan(read->statistics.entries()[2].second));
}

TEST(Json, CheckResultsSurviveARoundTrip) {
  for (const auto status :
       {EvidenceStatus::Confirmed, EvidenceStatus::NotChecked, EvidenceStatus::Refuted}) {
    const auto read = read_check(write_check({status, "why not"}));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->status, status);
    EXPECT_EQ(read->why, "why not");
  }
}

TEST(Json, IntegersAreNumbersUpTo2To53AndStringsAbove) {
  const Integer limit("9007199254740992");
  EXPECT_EQ(integer_to_json(limit), json(9007199254740992));
  EXPECT_EQ(integer_to_json(limit + 1), json("9007199254740993"));
  EXPECT_EQ(integer_to_json(-limit), json(-9007199254740992));
  EXPECT_EQ(integer_to_json(-limit - 1), json("-9007199254740993"));
}

TEST(Json, WarningsOfChecksSurviveARoundTrip) {
  base::Diagnostic warning;
  warning.severity = base::Severity::Warning;
  warning.location = {"a.c", 3, 7};
  warning.message = "executions end here";
  warning.hint = "ask";
  const auto warned = read_check(write_check({EvidenceStatus::Confirmed, "", {warning}}));
  ASSERT_TRUE(warned);
  EXPECT_EQ(warned->warnings, base::Diagnostics{warning});
}

TEST(Json, TextThatIsNotUtf8IsReplacedNotThrownOver) {
  const auto read = read_check(write_check({EvidenceStatus::Refuted, "file \xff.tts"}));
  ASSERT_TRUE(read) << read.error();
  EXPECT_THAT(read->why, HasSubstr("file "));
}

TEST(Json, NoPrefixOfADocumentIsAccepted) {
  const std::string whole = write_evidence(
      {model::Tag<model::PetriNet>(), "backward", question(), Safe{basis_with_everything()}});
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read_evidence(std::string_view(whole).substr(0, length)));
}

/// Replaces one value of a good document, which must make reading fail with this message.
struct Damage {
  const char* pointer;
  const char* value;
  const char* message;
};

class DamagedTrace : public testing::TestWithParam<Damage> {};
class DamagedBasis : public testing::TestWithParam<Damage> {};
class DamagedProof : public testing::TestWithParam<Damage> {};
class DamagedClosedStates : public testing::TestWithParam<Damage> {};

void expect_message(const Verdict& verdict, const Damage& damage) {
  json document = json::parse(write_evidence({kThreads, "backward", question(), verdict}));
  document[json::json_pointer(damage.pointer)] = json::parse(damage.value);
  const auto read = read_evidence(document.dump());
  ASSERT_FALSE(read) << document;
  EXPECT_EQ(read.error(), damage.message);
}

TEST_P(DamagedTrace, IsRejectedWithThePath) {
  expect_message(Unsafe{trace_with_everything()}, GetParam());
}

TEST_P(DamagedBasis, IsRejectedWithThePath) {
  expect_message(Safe{basis_with_everything()}, GetParam());
}

TEST_P(DamagedProof, IsRejectedWithThePath) {
  expect_message(Safe{PathwiseProof{basis_with_everything()}}, GetParam());
}

TEST_P(DamagedClosedStates, IsRejectedWithThePath) {
  expect_message(Safe{closed_states()}, GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Json, DamagedTrace,
    testing::Values(
        Damage{"/heddle_evidence", "2",
               "at /heddle_evidence: version 2 of stored evidence is not known, only 1"},
        Damage{"/extra", "0", "at /: field 'extra' is unknown"},
        Damage{"/engine", "1", "at /engine: expected a string, found number"},
        Damage{"/question/initial", "{}", "at /question/initial: expected an array, found object"},
        Damage{"/question/initial/0/bounds/0", "[0,0]",
               "at /question/initial/0/bounds/0: expected 3 items, found 2"},
        Damage{"/question/initial/0/bounds/1/0", "0",
               "at /question/initial/0/bounds/1: counters should ascend"},
        Damage{"/question/initial/0/bounds/1/2", "1",
               "at /question/initial/0/bounds/1/2: the upper bound is below the lower"},
        Damage{"/question/targets/0/shared", "-1",
               "at /question/targets/0/shared: expected a number from 0 to 4294967295, found -1"},
        Damage{"/question/contexts", "0",
               "at /question/contexts: a thread needs at least one context"},
        Damage{"/answer/verdict", "\"perhaps\"",
               "at /answer/verdict: expected one of 'safe', 'unsafe', 'safe_up_to', 'cutoff', "
               "'unknown', found 'perhaps'"},
        Damage{"/answer/verdict", "\"safe\"", "at /answer: field 'certificate' is missing"},
        Damage{"/answer/trace/initial", "[0,1]",
               "at /answer/trace/initial: expected a shared state and then pairs of a counter and "
               "its count"},
        Damage{"/answer/trace/initial/2", "0",
               "at /answer/trace/initial/2: a count of zero should be left out"},
        Damage{"/answer/trace/initial/2", "1.5",
               "at /answer/trace/initial/2: expected an integer, as a number or a string of "
               "digits, found number"},
        Damage{"/answer/trace/initial/2", "\"1 \"",
               "at /answer/trace/initial/2: expected an integer, as a number or a string of "
               "digits, found string"},
        Damage{"/answer/trace/initial/3", "0",
               "at /answer/trace/initial/3: counters should ascend"},
        Damage{"/answer/trace/initial/3", "4294967296",
               "at /answer/trace/initial/3: expected a number from 0 to 4294967295, found "
               "4294967296"},
        Damage{"/answer/trace/steps/0/flows/0/2", "-1",
               "at /answer/trace/steps/0/flows/0/2: a count should not be negative, found -1"},
        Damage{"/answer/trace/steps/0/chosen/0", "[1]",
               "at /answer/trace/steps/0/chosen/0: expected 2 items, found 1"},
        Damage{"/answer/trace/steps/0", "{}",
               "at /answer/trace/steps/0: field 'transition' is missing"},
        Damage{"/answer/trace/steps/2/repeat", "0",
               "at /answer/trace/steps/2/repeat: a block should be run at least once"}));

INSTANTIATE_TEST_SUITE_P(
    Json, DamagedBasis,
    testing::Values(
        Damage{"/answer/certificate/kind", "\"miracle\"",
               "at /answer/certificate/kind: expected one of 'backward_basis', "
               "'closed_thread_states', 'pathwise_proof', 'program_basis', "
               "'pushdown_invariant', 'context_relations', 'configuration_sets', "
               "'turn_facts', 'program_stacks', 'forward_cover', 'exploration', "
               "'thread_invariants', 'race_freedom', 'termination_proof', "
               "'deadlock_freedom', found 'miracle'"},
        Damage{"/answer/certificate/minimal/1/0", "null",
               "at /answer/certificate/minimal/1/0: expected an integer, as a number or a string "
               "of digits, found null"},
        Damage{"/answer/certificate/relative_to/0/weights/1/0", "0",
               "at /answer/certificate/relative_to/0/weights/1: entries should ascend"},
        Damage{"/answer/certificate/relative_to/0/weights/1/1", "0",
               "at /answer/certificate/relative_to/0/weights/1: a weight of zero should be left "
               "out"},
        Damage{"/answer/certificate/relative_to/0/relation", "\">=\"",
               "at /answer/certificate/relative_to/0/relation: expected one of '=', '<=', found "
               "'>='"},
        Damage{"/answer/certificate/relative_to/2/markable/1", "0",
               "at /answer/certificate/relative_to/2/markable/1: entries should ascend"},
        Damage{"/answer/certificate/relative_to/2/together/0/1/1", "0",
               "at /answer/certificate/relative_to/2/together/0/1/1: entries should ascend"},
        Damage{"/answer/certificate/relative_to/1/shared/1", "0",
               "at /answer/certificate/relative_to/1/shared/1: entries should ascend"},
        Damage{"/answer/certificate/relative_to/1/states/1", "[0,1]",
               "at /answer/certificate/relative_to/1/states/1: entries should ascend"}));

INSTANTIATE_TEST_SUITE_P(
    Json, DamagedProof,
    testing::Values(
        Damage{"/answer/certificate/formula", "\"false\"",
               "at /answer/certificate: field 'formula' is unknown"},
        Damage{"/answer/certificate/spaghetti", "{\"minimal\":[]}",
               "at /answer/certificate/spaghetti: field 'relative_to' is missing"},
        Damage{"/answer/certificate/spaghetti/kind", "\"backward_basis\"",
               "at /answer/certificate/spaghetti: field 'kind' is unknown"},
        Damage{"/answer/certificate/spaghetti/minimal/0/2", "0",
               "at /answer/certificate/spaghetti/minimal/0/2: a count of zero should be left "
               "out"}));

INSTANTIATE_TEST_SUITE_P(
    Json, DamagedClosedStates,
    testing::Values(Damage{"/answer/certificate/minimal", "[]",
                           "at /answer/certificate: field 'minimal' is unknown"},
                    Damage{"/answer/certificate/states/1", "[0,1]",
                           "at /answer/certificate/states/1: entries should ascend"}));

TEST(Json, ABoundIsOnSomethingThatIsKnown) {
  nlohmann::json document = verdict_to_json(SafeUpTo{context_bound(2), BackwardBasis{}});
  EXPECT_EQ(document["bound"], (nlohmann::json{{"what", "contexts"}, {"value", 2}}));
  document["bound"]["what"] = "steps";
  const auto read = verdict_from_json(document, kThreads);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), "at /bound/what: 'steps' is not known here");
}

TEST(Json, BoundsOnThreadsAreReadAgain) {
  const Verdict claim = SafeUpTo{thread_bound(3), Exploration{17}};
  const nlohmann::json document = verdict_to_json(claim);
  EXPECT_EQ(document["bound"], (nlohmann::json{{"what", "threads"}, {"value", 3}}));
  const auto read = verdict_from_json(document, model::Tag<model::CProgram>());
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, claim);
}

TEST(Json, TheExamplesOfTheDocumentationAreReadable) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "HEDDLE_SOURCE_DIR is not set: run this with ctest";
  std::ifstream page(std::string(source) + "/docs/evidence.md");
  ASSERT_TRUE(page);
  int examples = 0;
  std::string line;
  while (std::getline(page, line)) {
    if (line != "```json") continue;
    std::string example;
    while (std::getline(page, line) && line != "```") example += line + "\n";
    const auto read = read_evidence(example);
    EXPECT_TRUE(read) << read.error() << example;
    ++examples;
  }
  EXPECT_GE(examples, 4);
}

/// The row of a kind in the table of kinds: its name, the models that it is about.
template <class... Kinds>
std::vector<std::string> expected_rows(base::TypeList<Kinds...>) {
  const auto models = []<class... Models>(base::TypeList<Models...>) {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + std::string(model::Kind<Models>::kName) + "s"), ...);
    return text;
  };
  return {
      ("| `" + std::string(Kinds::kName) + "` | " + models(typename Kinds::Models{}) + " |")...};
}

TEST(Json, TheTableOfTheDocumentationListsEveryKindOfEvidence) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "HEDDLE_SOURCE_DIR is not set: run this with ctest";
  std::ifstream page(std::string(source) + "/docs/evidence.md");
  const std::string text(std::istreambuf_iterator<char>(page), {});
  for (const std::string& row : expected_rows(CertificateKinds{}))
    EXPECT_NE(text.find("\n" + row), std::string::npos) << row;
}

TEST(Json, TheSchemaNamesEveryKindOfEvidence) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "HEDDLE_SOURCE_DIR is not set: run this with ctest";
  std::ifstream file(std::string(source) + "/docs/answer.schema.json");
  const auto schema = nlohmann::json::parse(file);
  std::vector<std::string> expected = {"trace"};
  expected.insert(expected.end(), kCertificateNames.begin(), kCertificateNames.end());
  expected.emplace_back("none");
  EXPECT_EQ(schema.at("properties").at("evidence").at("properties").at("kind").at("enum"),
            nlohmann::json(expected));
}

TEST(Json, GarbageIsRejected) {
  for (const char* text : {"", "{", "null", "[]", "17", "\"x\"", "{}", "\xff\xfe", "[[[[[[[["})
    EXPECT_FALSE(read_evidence(text)) << text;
  EXPECT_EQ(read_message("nonsense", kThreads).error(), "the text is not valid JSON");
  EXPECT_EQ(read_check("[]").error(), "at /: expected an object, found array");
}

TEST(Json, NumbersThatNothingCanHoldAreRejected) {
  for (const char* number : {"1e400", "-1e400", "1e999999999999"}) {
    const std::string text = "{\"heddle_evidence\": " + std::string(number) + "}";
    EXPECT_FALSE(read_evidence(text)) << number;
    const auto end = end_of_json(text);
    ASSERT_TRUE(end) << number;
    EXPECT_GE(*end, text.find(number));
    EXPECT_LT(*end, text.size());
  }
  EXPECT_EQ(end_of_json("{\"a\": 1}"), std::nullopt);
  EXPECT_EQ(end_of_json("{\"a\": }"), 6U);
  EXPECT_EQ(end_of_json(""), 0U);
}

TEST(Json, TextsAndMessagesHaveNoControlCharacters) {
  const auto plain = [](const std::string& text) { return text.find('\x1b') == std::string::npos; };
  json evidence = json::parse(write_evidence({kThreads, "test", question(), Unknown{}}));
  evidence["engine"] = "\x1b[2J";
  const auto read = read_evidence(evidence.dump());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->engine, "?[2J");
  evidence["\x1b[2J"] = 1;
  const auto refused = read_evidence(evidence.dump());
  ASSERT_FALSE(refused);
  EXPECT_TRUE(plain(refused.error())) << refused.error();
}

TEST(Json, DeepNestingDoesNotExhaustTheStack) {
  EXPECT_FALSE(read_evidence(std::string(1000000, '[')));
  EXPECT_FALSE(read_evidence(std::string(1000000, '[') + std::string(1000000, ']')));
}

}  // namespace
}  // namespace heddle::answer
