/// The skeleton of checkers, and the closed list of kinds of evidence.

#include "check/proof.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "answer/certificate.hpp"
#include "answer/json.hpp"
#include "check/certificates.hpp"
#include "check/check.hpp"
#include "model/counting.hpp"

namespace heddle::check::proof_test {
namespace {

using answer::CheckResult;
using answer::EvidenceStatus;

/// Writes down which steps were taken, and has a problem in one of them.
struct Recorder {
  std::string problem_in = "nowhere";
  bool throws = false;
  std::vector<std::string> taken = {};

  Problem step(const std::string& name) {
    taken.push_back(name);
    if (name != problem_in) return std::nullopt;
    if (throws) refute("thrown in " + name);
    return refuted("found in " + name);
  }
  Problem well_formed() { return step("form"); }
  Problem keeps_to_its_scope() { return step("scope"); }
  Problem contains_beginning() { return step("beginning"); }
  Problem is_closed() { return step("closure"); }
  Problem excludes_end() { return step("end"); }
  std::string confirmation() const { return "all of it"; }
};

const std::vector<std::string> kSteps = {"form", "scope", "beginning", "closure", "end"};

TEST(Proof, TakesAllFiveStepsInOrder) {
  Recorder checker;
  const CheckResult result = prove(checker);
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed);
  EXPECT_EQ(result.why, "all of it");
  EXPECT_EQ(checker.taken, kSteps);
}

TEST(Proof, EndsWithTheFirstProblemOfAnyStep) {
  for (const bool throws : {false, true})
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
      Recorder checker{kSteps[i], throws};
      const CheckResult result = prove(checker);
      EXPECT_EQ(result.status, EvidenceStatus::Refuted);
      EXPECT_EQ(result.why, (throws ? "thrown in " : "found in ") + kSteps[i]);
      EXPECT_EQ(checker.taken.size(), i + 1);
    }
}

struct WithoutScope : Recorder {
  NotNeeded keeps_to_its_scope() const { return "there is nothing to speak about"; }
};

TEST(Proof, AStepThatIsNotNeededIsArgued) {
  WithoutScope checker;
  EXPECT_EQ(prove(checker).status, EvidenceStatus::Confirmed);
  EXPECT_EQ(checker.taken, (std::vector<std::string>{"form", "beginning", "closure", "end"}));
  EXPECT_EQ(checker.keeps_to_its_scope().why(), "there is nothing to speak about");
}

// A checker that forgets a step, or only shrugs, is none: `prove` does not take it.
struct ForgetsForm : Recorder {
  void well_formed() = delete;
};
struct ForgetsScope : Recorder {
  void keeps_to_its_scope() = delete;
};
struct ForgetsBeginning : Recorder {
  void contains_beginning() = delete;
};
struct ForgetsClosure : Recorder {
  void is_closed() = delete;
};
struct ForgetsEnd : Recorder {
  void excludes_end() = delete;
};
struct Shrugs : Recorder {
  void excludes_end() {}
};
struct SaysYes : Recorder {
  bool excludes_end() { return true; }
};
static_assert(Checker<Recorder> && Checker<WithoutScope>);
static_assert(!Checker<ForgetsForm> && !Checker<ForgetsScope> && !Checker<ForgetsBeginning> &&
              !Checker<ForgetsClosure> && !Checker<ForgetsEnd>);
static_assert(!Checker<Shrugs> && !Checker<SaysYes>);
static_assert(!std::constructible_from<NotNeeded, std::string>, "an argument is a literal");

TEST(Proof, ACheckThatMustEndIsNotARefutation) {
  base::Limits limits;
  limits.steps = 1;
  base::RunContext context(limits);
  Problem problem;
  for (int i = 0; i < 3 && !problem; ++i) problem = count_step(context);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->status, EvidenceStatus::NotChecked);
}

// ---- the list of kinds ----

TEST(KindsOfEvidence, HaveDifferentNames) {
  const std::set<std::string_view> names(answer::kCertificateNames.begin(),
                                         answer::kCertificateNames.end());
  EXPECT_EQ(names.size(), std::variant_size_v<answer::Certificate>);
  EXPECT_FALSE(names.contains("trace"));
  EXPECT_FALSE(names.contains("none"));
}

TEST(KindsOfEvidence, AreWrittenUnderTheirNameAndReadBack) {
  base::for_each_type(answer::CertificateKinds{}, []<class Kind>() {
    const answer::Verdict verdict = answer::Safe{Kind{}};
    const nlohmann::json document = answer::verdict_to_json(verdict);
    EXPECT_EQ(document["certificate"]["kind"], Kind::kName);
    const auto read = answer::verdict_from_json(document, model::AnyKind());
    ASSERT_TRUE(read) << Kind::kName << ": " << read.error();
    EXPECT_TRUE(*read == verdict) << Kind::kName;
    EXPECT_EQ(answer::evidence_kind(verdict), Kind::kName);
  });
}

/// Every kind against an empty model of every kind: it speaks only about those in its list.
TEST(KindsOfEvidence, AreRefutedAboutOtherModels) {
  std::size_t about = 0;
  const auto offer = [&]<class Kind, class Model>(const Model& model) {
    const model::AnyTask task = model::Task<Model>{model, {}};
    base::RunContext context;
    const CheckResult result = check(task, answer::Safe{Kind{}}, context);
    const bool other = result.why == "the evidence is about another kind of model";
    const bool expected = !answer::kIsAbout<Kind, Model>;
    EXPECT_EQ(other, expected) << Kind::kName << ": " << result.why;
    about += !other;
  };
  base::for_each_type(answer::CertificateKinds{}, [&]<class Kind>() {
    base::for_each_type(model::Kinds{},
                        [&]<class Model>() { offer.template operator()<Kind>(Model{}); });
  });
  EXPECT_EQ(about, 17U);
}

/// A bound of which nothing is proved is refuted, whoever claims it.
TEST(KindsOfEvidence, ProveBoundsOnlyIfTheySaySo) {
  base::for_each_type(answer::CertificateKinds{}, []<class Kind>() {
    base::for_each_type(typename Kind::Models{}, []<class Model>() {
      const model::AnyTask task = model::Task<Model>{Model{}, {}};
      base::RunContext context;
      const CheckResult result =
          check(task, answer::SafeUpTo{answer::context_bound(1), Kind{}}, context);
      EXPECT_EQ(result.why == "a certificate of this kind proves no bound", Kind::Bounds::kIsEmpty)
          << Kind::kName << ": " << result.why;
    });
  });
}

}  // namespace
}  // namespace heddle::check::proof_test
