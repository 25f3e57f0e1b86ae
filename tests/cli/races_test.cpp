/// `heddle races`, `show --movers` and `translate --to smt2`.

#include <nlohmann/json.hpp>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// Threads of any number add to x under m; `main` reads it as GUARD says.
constexpr const char* kAdding = R"(#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x, limit = 3;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  pthread_mutex_lock(&m);
  x = x + limit;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, add, 0);
#ifndef BROKEN
  pthread_mutex_lock(&m);
#endif
  int seen = x;
#ifndef BROKEN
  pthread_mutex_unlock(&m);
#endif
  return seen;
}
)";

class RacesCommand : public BinaryTest {
 protected:
  RacesCommand() { write("adding.c", kAdding); }
};

TEST_F(RacesCommand, SaysWhatKeepsThreadsApart) {
  const Outcome outcome = heddle({"races", "adding.c"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("evidence confirmed"));
  EXPECT_THAT(outcome.out, ContainsRegex("x +mutex m\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("limit +only read\n"));
}

TEST_F(RacesCommand, ShowsTheRaceWithBothPlaces) {
  const Outcome outcome = heddle({"races", "adding.c", "-DBROKEN"});
  EXPECT_EQ(outcome.code, 10) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("data race: x (int)"));
  EXPECT_THAT(outcome.out, HasSubstr("line 7"));
  EXPECT_THAT(outcome.out, HasSubstr("line 17"));
  EXPECT_THAT(outcome.out, HasSubstr("holding m"));
}

TEST_F(RacesCommand, ListsPairsThatAreLeft) {
  const Outcome outcome =
      heddle({"races", "adding.c", "-DBROKEN", "--engine", "compositional", "--steps", "2000"});
  EXPECT_EQ(outcome.code, 20) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("neither confirmed nor excluded"));
  EXPECT_THAT(outcome.out, HasSubstr("x: written at line 7 by add holding m, and read at line 17 "
                                     "by main holding no mutex"));
}

TEST_F(RacesCommand, HasTheJsonAndTheEvidenceOfVerify) {
  const Outcome outcome = heddle({"races", "adding.c", "--json", "--evidence", "e.json"});
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report.at("verdict"), "safe");
  EXPECT_EQ(report.at("evidence").at("kind"), "race_freedom");
  EXPECT_EQ(report.at("evidence").at("status"), "confirmed");
  EXPECT_EQ(heddle({"check", "adding.c", "e.json", "--property", "no-data-race"}).code, 0);
  EXPECT_NE(heddle({"check", "adding.c", "e.json", "--property", "no-data-race", "-DBROKEN"}).code,
            0);
  EXPECT_EQ(heddle({"races"}).code, 2);
}

TEST_F(RacesCommand, MoversAreListedBesideTheSource) {
  const Outcome outcome = heddle({"show", "adding.c", "--movers"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("R +6 \\|   pthread_mutex_lock"));
  EXPECT_THAT(outcome.out, ContainsRegex("L +8 \\|   pthread_mutex_unlock"));
  EXPECT_THAT(outcome.out, Not(ContainsRegex("> [A-Z]* +7 \\|")));
  EXPECT_EQ(heddle({"show", "adding.c", "--movers", "--quotient"}).code, 2);
}

TEST_F(RacesCommand, ClausesAreWrittenForHornSolvers) {
  const Outcome modular = heddle({"translate", "adding.c", "--to", "smt2"});
  EXPECT_EQ(modular.code, 0) << modular.err;
  EXPECT_THAT(modular.out, HasSubstr("(set-logic HORN)"));
  EXPECT_THAT(modular.out, HasSubstr("(check-sat)"));
  const Outcome plain = heddle({"translate", "adding.c", "--to", "smt2", "--no-reduction"});
  EXPECT_GT(plain.out.size(), modular.out.size());
  EXPECT_EQ(heddle({"translate", "adding.c", "--to", "smt2", "--encoding", "product"}).code, 3);
  EXPECT_EQ(heddle({"translate", "adding.c", "--to", "smt2", "--encoding", "none"}).code, 2);
}

}  // namespace
}  // namespace heddle::cli
