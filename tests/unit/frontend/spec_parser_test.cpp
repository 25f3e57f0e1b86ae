#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "parsing.hpp"

namespace heddle::frontend::spec_parser_test {
namespace {

using model::CounterBound;
using model::PetriNet;
using model::PlaceId;
using model::PlaceUpdate;
using model::Region;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlaceId p(0u), q(1u), r(2u);

PetriNet net(const std::string& text) { return parsed<model::PetriNet>("spec", text).model; }

/// The single rule of a net with places p, q, r.
model::PetriTransition rule(const std::string& text) {
  const PetriNet read = net("vars p q r rules " + text);
  EXPECT_EQ(read.transitions.size(), 1u);
  return read.transitions.empty() ? model::PetriTransition{} : read.transitions[0];
}

TEST(SpecParser, ReadsPlacesInOrder) {
  EXPECT_THAT(net("vars\n  lock _x\n a1 # more\n b\nrules\n").places,
              ElementsAre("lock", "_x", "a1", "b"));
}

TEST(SpecParser, GuardsAreBoundsSortedByPlace) {
  const auto t = rule("r in [1,3], p >= 2, q = 0 -> ;");
  EXPECT_THAT(t.guard, ElementsAre(CounterBound{p, 2, std::nullopt}, CounterBound{q, 0, 0},
                                   CounterBound{r, 1, 3}));
  EXPECT_FALSE(model::is_monotone(t));
}

TEST(SpecParser, GuardsThatSayNothingAreNotStored) {
  EXPECT_THAT(rule("true -> ;").guard, IsEmpty());
  EXPECT_THAT(rule("p >= 0, true -> ;").guard, IsEmpty());
}

TEST(SpecParser, ARuleWithoutAGuardIsAlwaysEnabled) {
  const auto t = rule("-> p' = p + 1;");
  EXPECT_THAT(t.guard, IsEmpty());
  EXPECT_THAT(t.updates, ElementsAre(PlaceUpdate{p, {{p, 1}}, 1}));
}

TEST(SpecParser, UpdatesShiftResetAndTransfer) {
  const auto t = rule("p >= 1 -> p' = p - 1, q' = 4, r' = r+q+r+ 2;");
  EXPECT_THAT(t.updates, ElementsAre(PlaceUpdate{p, {{p, 1}}, -1}, PlaceUpdate{q, {}, 4},
                                     PlaceUpdate{r, {{q, 1}, {r, 2}}, 2}));
  EXPECT_TRUE(t.updates.at(0).is_shift());
}

TEST(SpecParser, UpdatesThatChangeNothingAreNotStored) {
  EXPECT_THAT(rule("true -> p' = p, q' = q + 0;").updates, IsEmpty());
}

TEST(SpecParser, TermsComeInAnyOrderAndWithWeights) {
  EXPECT_THAT(rule("true -> p' = 3 + p - 1 + 20 * q + 0*r, r' = 1 - 5, q' = 0;").updates,
              ElementsAre(PlaceUpdate{p, {{p, 1}, {q, 20}}, 2}, PlaceUpdate{q, {}, 0},
                          PlaceUpdate{r, {}, -4}));
}

TEST(SpecParser, NumbersAreExact) {
  const auto t = rule("p >= 340282366920938463463374607431768211456 -> p' = p - 1;");
  EXPECT_EQ(base::to_string(t.guard.at(0).lower), "340282366920938463463374607431768211456");
}

TEST(SpecParser, CommentsOfARuleAreItsNote) {
  const PetriNet read = net(
      "# file\nvars p # places\nrules\n# enter\n#  slowly\np >= 1 # if any\n-> p' = p - 1; # done\n"
      "true -> ; true -> ; # third\n# end\ninit p = 0\n");
  ASSERT_EQ(read.transitions.size(), 3u);
  EXPECT_EQ(read.transitions[0].note, "enter\nslowly\nif any\ndone");
  EXPECT_EQ(read.transitions[0].line, 6u);
  EXPECT_EQ(read.transitions[1].note, "");
  EXPECT_EQ(read.transitions[2].note, "third");
  EXPECT_EQ(read.transitions[2].name, "");
}

TEST(SpecParser, UnnamedPlacesAreUnboundedInitially) {
  const auto file = parsed<model::PetriNet>("spec", "vars p q r rules init q = 0, r in [1,3]");
  const Region expected{model::SharedState(0u), {{p, 0, std::nullopt}, {r, 1, 3}}};
  EXPECT_THAT(file.initial, ElementsAre(expected));
}

TEST(SpecParser, TargetsAreConjunctionsAsWritten) {
  const auto file = parsed<model::PetriNet>(
      "spec", "vars p q r rules init p = 1 target q >= 1, p = 0\n r >= 0\n q in [1,2]");
  const model::SharedState s(0u);
  EXPECT_THAT(file.targets, ElementsAre(Region{s, {{p, 0, 0}, {q, 1, std::nullopt}}},
                                        Region{s, {{r, 0, std::nullopt}}}, Region{s, {{q, 1, 2}}}));
  EXPECT_THAT(file.warnings, IsEmpty());
}

TEST(SpecParser, TheQuestionMayBeMissing) {
  const auto file = parsed<model::PetriNet>("spec", "vars p rules true -> p' = p + 1;");
  EXPECT_THAT(file.initial, IsEmpty());
  EXPECT_THAT(file.targets, IsEmpty());
}

TEST(SpecParser, InvariantsAreClaims) {
  const PetriNet read = net("vars p q r rules invariants q = 2, p = 1\n r = 1\n p = 0");
  ASSERT_EQ(read.claimed_invariants.size(), 2u);
  EXPECT_THAT(read.claimed_invariants.at(0),
              ElementsAre(model::WeightedPlace{p, 1}, model::WeightedPlace{q, 2}));
}

TEST(SpecWarnings, AListThatStartsInTheMiddleOfALine) {
  const auto file = parsed<model::PetriNet>(
      "spec", "vars p q\nrules\ntarget p >= 1 q >= 1\ninvariants\np = 1 q = 1\n");
  EXPECT_EQ(file.targets.size(), 2u);
  EXPECT_THAT(brief(file.warnings),
              ElementsAre("3:15 'q' a new target starts in the middle of a line",
                          "5:7 'q' a new invariant starts in the middle of a line"));
  EXPECT_EQ(file.warnings.at(0).hint, "is a ',' missing? put every target on a line of its own");
  EXPECT_EQ(file.warnings.at(0).severity, base::Severity::Warning);
}

TEST(SpecWarnings, ASecondUpdateOfAPlaceDoesNotCount) {
  const auto file = parsed<model::PetriNet>("spec", "vars p rules true -> p' = p + 1, p' = 0;");
  EXPECT_THAT(brief(file.warnings), ElementsAre("1:34 'p' place 'p' is updated twice"));
  EXPECT_THAT(file.model.transitions.at(0).updates, ElementsAre(PlaceUpdate{p, {{p, 1}}, 1}));
}

TEST(SpecWarnings, TokensThatAreCopied) {
  const auto file = parsed<model::PetriNet>("spec", "vars p q rules true -> p' = p + q;");
  EXPECT_THAT(brief(file.warnings),
              ElementsAre("1:33 'q' the tokens of 'q' are copied: this update reads them, and none "
                          "removes them"));
  EXPECT_EQ(file.warnings.at(0).hint, "write \"q' = 0\" if they should move");
  EXPECT_THAT(
      parsed<model::PetriNet>("spec", "vars p q rules true -> p' = p + q, q' = q;").warnings,
      IsEmpty());
}

TEST(SpecParser, LineEndsOfOtherSystemsAndForeignBytesInComments) {
  const PetriNet read =
      net("\xEF\xBB\xBFvars p\r\nrules\r\n# caf\xE9\r\np>=1->p'=p-1;\r\ninit p=0");
  EXPECT_EQ(read.transitions.at(0).note, "caf?");
}

}  // namespace
}  // namespace heddle::frontend::spec_parser_test
