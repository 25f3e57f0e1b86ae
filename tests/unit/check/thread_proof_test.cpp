#include "check/c/thread_proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compositional/compositional.hpp"
#include "support/c_sources.hpp"

namespace heddle::check::c::thread_proof_test {
namespace {

using model::threads::PointInfo;
using model::threads::ThreadProgram;
using model::threads::ThreadProof;
using model::threads::Variable;
using Status = ProofCheck::Status;

/// A program with a right proof, to be spoilt.
class ForgedProofs : public testing::Test {
 protected:
  void SetUp() override {
    base::RunContext context;
    auto result = engine::compositional::prove(test::c_example("counter"), {}, context);
    ASSERT_TRUE(result.proof) << result.why;
    program = result.prepared->program;
    proof = *result.proof;
    ASSERT_EQ(check(), Status::Confirmed) << why;
  }

  Status check() {
    const ProofCheck result = check_thread_proof(program, proof, base::RunContext());
    why = result.why;
    return result.status;
  }

  /// The first point of a thread with a transition that assigns a variable of this kind.
  std::uint32_t point_before(std::size_t thread, Variable::Kind kind) const {
    for (const auto& t : program.threads[thread].transitions)
      for (const auto& a : t.assignments)
        if (program.variable(a.variable).kind == kind) return t.from.value;
    ADD_FAILURE() << "no such transition";
    return 0;
  }

  ThreadProgram program;
  ThreadProof proof;
  std::string why;
};

TEST_F(ForgedProofs, InvariantsThatAreTooWeak) {
  for (auto& invariant : proof.invariants) invariant.formula = term::constant(true);
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("bad point"), std::string::npos) << why;
}

TEST_F(ForgedProofs, InvariantsThatAreNotInductive) {
  for (auto& invariant : proof.invariants)
    invariant.formula = term::conjunction(
        {invariant.formula, term::equal(term::variable("counter", term::Sort::Integer),
                                        term::constant(base::Integer(0)))});
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedProofs, InvariantsThatAreMissing) {
  proof.invariants.clear();
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedProofs, InvariantsAboutLocalsOfOthers) {
  std::string foreign;
  for (const auto v : program.threads[2].locals) foreign = program.variable(v).term.name();
  ASSERT_FALSE(foreign.empty());
  proof.invariants[0].formula = term::conjunction(
      {proof.invariants[0].formula, term::equal(term::variable(foreign, term::Sort::Integer),
                                                term::constant(base::Integer(0)))});
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find(foreign), std::string::npos) << why;
}

TEST_F(ForgedProofs, FactsThatAreWrong) {
  // The thread claims to hold the mutex before it takes it.
  const std::uint32_t before = point_before(1, Variable::Kind::Owner);
  for (const auto& t : program.threads[1].transitions)
    for (const auto& a : t.assignments)
      if (program.variable(a.variable).kind == Variable::Kind::Owner)
        proof.facts[1][before] =
            term::equal(program.variable(a.variable).term, term::constant(base::Integer(2)));
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedProofs, FactsThatAreTooWeakForTheBlocks) {
  // Without knowing that it holds the mutex, its accesses do not commute.
  for (auto& thread : proof.facts)
    for (auto& fact : thread)
      if (!(fact.op() == term::Operator::Boolean)) fact = term::constant(true);
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedProofs, ABoundaryLeftOut) {
  // Thread 0 waits for the others at a join, behind its commit.
  bool found = false;
  for (std::size_t p = 1; p < proof.is_out[0].size(); ++p) {
    if (!proof.is_out[0][p] || program.threads[0].points[p].kind != PointInfo::Kind::Ordinary)
      continue;
    found = true;
    proof.is_out[0][p] = false;
  }
  ASSERT_TRUE(found);
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("committed"), std::string::npos) << why;
}

TEST_F(ForgedProofs, ABlockOfARacyProgram) {
  // The same invariants and blocks for the program without the lock.
  for (std::size_t t = 1; t <= 2; ++t)
    for (auto& transition : program.threads[t].transitions) {
      std::erase_if(transition.assignments, [&](const auto& a) {
        return program.variable(a.variable).kind == Variable::Kind::Owner;
      });
      transition.guard = term::constant(true);
    }
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedProofs, AnErrorLocationInsideABlock) {
  for (std::size_t p = 0; p < proof.is_out[0].size(); ++p)
    if (program.threads[0].points[p].kind == PointInfo::Kind::Error)
      proof.is_out[0][p] = proof.is_cut[0][p] = false;
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedProofs, AProgramWithAnotherBound) {
  // The program asserts something else than what was proved.
  for (auto& t : program.threads[0].transitions)
    if (program.threads[0].points[t.to.index()].kind == PointInfo::Kind::Error)
      t.guard = term::constant(true);
  for (auto& t : program.threads[0].transitions) {
    const auto is_error = program.threads[0].points[t.to.index()].kind == PointInfo::Kind::Error;
    if (!is_error && t.guard.op() == term::Operator::Not)
      t.guard = term::constant(true);
    else if (t.guard.op() == term::Operator::Variable)
      t.guard = term::negation(t.guard);
  }
  EXPECT_EQ(check(), Status::Refuted);
}

/// A proof that needs to count threads.
class ForgedLemmas : public testing::Test {
 protected:
  void SetUp() override {
    base::RunContext context;
    auto result = engine::compositional::prove(
        test::c_program(
            "#include <assert.h>\n#include <pthread.h>\n"
            "extern int __VERIFIER_nondet_int(void);\n"
            "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n"
            "int s, t;\n"
            "void *work(void *u) { __VERIFIER_atomic_begin(); t++; __VERIFIER_atomic_end();\n"
            "  assert(s < t); __VERIFIER_atomic_begin(); s++; __VERIFIER_atomic_end(); return u; "
            "}\n"
            "int main(void) { int n = __VERIFIER_nondet_int();\n"
            "  for (int i = 0; i < n; i++) { pthread_t id; pthread_create(&id, 0, work, 0); }\n"
            "  return 0; }\n"),
        {}, context);
    ASSERT_TRUE(result.proof) << result.why;
    program = result.prepared->program;
    proof = *result.proof;
    ASSERT_NE(proof.lemma.op(), term::Operator::Boolean);
    ASSERT_EQ(check(), Status::Confirmed) << why;
  }

  Status check() {
    const ProofCheck result = check_thread_proof(program, proof, base::RunContext());
    why = result.why;
    return result.status;
  }

  static term::Term is_zero(const std::string& name) {
    return term::equal(term::variable(name, term::Sort::Integer), term::constant(base::Integer(0)));
  }

  ThreadProgram program;
  ThreadProof proof;
  std::string why;
};

TEST_F(ForgedLemmas, ThatAreTooWeak) {
  proof.lemma = term::constant(true);
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedLemmas, ThatAreNotInductive) {
  proof.lemma = term::conjunction({proof.lemma, is_zero("s")});
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("the lemma"), std::string::npos) << why;
}

TEST_F(ForgedLemmas, ThatDoNotHoldAtTheBeginning) {
  proof.lemma = term::conjunction({proof.lemma, term::negation(is_zero("s"))});
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("beginning"), std::string::npos) << why;
}

TEST_F(ForgedLemmas, ThatSpeakAboutOneOfMany) {
  ASSERT_TRUE(program.threads[1].is_replicated);
  proof.lemma = term::conjunction(
      {proof.lemma, is_zero(program.variable(*program.threads[1].self).term.name())});
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("may not"), std::string::npos) << why;
}

TEST_F(ForgedLemmas, ThatCountWhereNobodyStands) {
  proof.lemma = term::conjunction({proof.lemma, is_zero("at!1!99999")});
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("may not"), std::string::npos) << why;
}

/// A ticket lock: that two threads have different tickets is about two of them.
class ForgedPairs : public testing::Test {
 public:
  using Invariant = ThreadProof::Invariant;

  ForgedPairs() {
    base::RunContext context;
    proved = engine::compositional::prove(
        test::c_program(
            "#include <assert.h>\n#include <pthread.h>\nextern void __VERIFIER_assume(int);\n"
            "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n"
            "unsigned next, serving; int inside;\n"
            "void *work(void *u) {\n"
            "  __VERIFIER_atomic_begin(); unsigned mine = next; __VERIFIER_assume(next != -1u);\n"
            "  next++; __VERIFIER_atomic_end(); __VERIFIER_assume(mine == serving);\n"
            "  __VERIFIER_atomic_begin(); assert(inside == 0); inside = 1;\n"
            "  __VERIFIER_atomic_end();\n"
            "  __VERIFIER_atomic_begin(); inside = 0; serving++; __VERIFIER_atomic_end();\n"
            "  return u; }\n"
            "int main(void) { while (1) { pthread_t id; pthread_create(&id, 0, work, 0); } }\n"),
        {}, context);
  }

  void begin_with_the_genuine() {
    program = proved.prepared->program;
    proof = *proved.proof;
  }

  Status check() {
    const ProofCheck result = check_thread_proof(program, proof, base::RunContext());
    why = result.why;
    return result.status;
  }

  static bool is_pair(const Invariant& invariant) { return invariant.at.size() == 2; }

  Invariant& pair() { return *std::ranges::find_if(proof.invariants, is_pair); }

  // What is forged. Each test case is a process of its own, and the genuine proof takes time: they
  // are one case.
  void that_are_missing();
  void that_are_too_weak();
  void of_threads_that_can_meet();
  void that_hold_for_two_threads_but_not_beside_a_third();
  void in_the_wrong_order();
  void of_a_thread_of_which_there_is_one();
  void about_a_third_thread();
  void of_a_program_that_gives_one_ticket_twice();

  engine::compositional::CompositionalResult proved;
  ThreadProgram program;
  ThreadProof proof;
  std::string why;
};

void ForgedPairs::that_are_missing() {
  std::erase_if(proof.invariants, is_pair);
  EXPECT_EQ(check(), Status::Refuted);
}

void ForgedPairs::that_are_too_weak() {
  for (Invariant& invariant : proof.invariants)
    if (is_pair(invariant)) invariant.formula = term::constant(true);
  EXPECT_EQ(check(), Status::Refuted);
}

void ForgedPairs::of_threads_that_can_meet() {
  // Two threads that wait: claimed to be impossible, one pair after the other.
  std::size_t refuted = 0;
  const ThreadProof original = proof;
  for (std::size_t i = 0; i < original.invariants.size(); ++i) {
    if (!is_pair(original.invariants[i])) continue;
    proof = original;
    const bool is_impossible = original.invariants[i].formula.op() == term::Operator::Boolean;
    proof.invariants[i].formula = term::constant(false);
    if (is_impossible) continue;
    if (check() == Status::Refuted) ++refuted;
  }
  EXPECT_GE(refuted, 1U);
}

void ForgedPairs::that_hold_for_two_threads_but_not_beside_a_third() {
  // Of two threads that wait, one took the last ticket: true until a third one takes the next.
  const term::Term next = term::variable("next", term::Sort::Integer);
  std::string mine;
  std::uint32_t waiting = 0;
  for (const auto& t : program.threads[1].transitions)
    for (const auto& a : t.assignments)
      if (a.value.op() == term::Operator::Variable && a.value.name() == "next" &&
          program.variable(a.variable).owner) {
        mine = program.variable(a.variable).term.name();
        waiting = t.to.value;
      }
  ASSERT_FALSE(mine.empty());
  const auto is_last = [&](const std::string& ticket) {
    return term::equal(next, term::sum({term::variable(ticket, term::Sort::Integer),
                                        term::constant(base::Integer(1))}));
  };
  bool is_found = false;
  for (Invariant& invariant : proof.invariants)
    if (is_pair(invariant) && invariant.at[0] == invariant.at[1] &&
        invariant.at[0].second == waiting) {
      is_found = true;
      invariant.formula = term::conjunction(
          {invariant.formula, term::disjunction({is_last(mine), is_last(mine + "!2")})});
    }
  ASSERT_TRUE(is_found);
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("beside"), std::string::npos) << why;
}

void ForgedPairs::in_the_wrong_order() {
  for (Invariant& invariant : proof.invariants)
    if (is_pair(invariant) && invariant.at[0] != invariant.at[1]) {
      std::swap(invariant.at[0], invariant.at[1]);
      break;
    }
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("order"), std::string::npos) << why;
}

void ForgedPairs::of_a_thread_of_which_there_is_one() {
  Invariant twice = pair();
  const std::uint32_t entry = program.threads[0].entry.value;
  twice.at = {{model::threads::ThreadIndex(std::size_t{0}), entry},
              {model::threads::ThreadIndex(std::size_t{0}), entry}};
  twice.formula = term::constant(false);
  proof.invariants.push_back(twice);
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("there is one"), std::string::npos) << why;
}

void ForgedPairs::about_a_third_thread() {
  pair().formula = term::conjunction(
      {pair().formula, term::equal(term::variable("serving!3", term::Sort::Integer),
                                   term::constant(base::Integer(0)))});
  EXPECT_EQ(check(), Status::Refuted);
  EXPECT_NE(why.find("may not"), std::string::npos) << why;
}

void ForgedPairs::of_a_program_that_gives_one_ticket_twice() {
  // The same invariants for tickets that are not counted.
  for (auto& transition : program.threads[1].transitions)
    std::erase_if(transition.assignments,
                  [&](const auto& a) { return program.variable(a.variable).name == "next"; });
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedPairs, AreRefuted) {
  ASSERT_TRUE(proved.proof) << proved.why;
  begin_with_the_genuine();
  ASSERT_TRUE(std::ranges::any_of(proof.invariants, is_pair));
  ASSERT_EQ(check(), Status::Confirmed) << why;
  void (ForgedPairs::* const all[])() = {
      &ForgedPairs::that_are_missing,
      &ForgedPairs::that_are_too_weak,
      &ForgedPairs::of_threads_that_can_meet,
      &ForgedPairs::that_hold_for_two_threads_but_not_beside_a_third,
      &ForgedPairs::in_the_wrong_order,
      &ForgedPairs::of_a_thread_of_which_there_is_one,
      &ForgedPairs::about_a_third_thread,
      &ForgedPairs::of_a_program_that_gives_one_ticket_twice};
  for (const auto forge : all) {
    begin_with_the_genuine();
    (this->*forge)();
  }
}

TEST_F(ForgedProofs, TheWrongShape) {
  proof.is_cut.pop_back();
  EXPECT_EQ(check(), Status::Refuted);
}

TEST_F(ForgedProofs, TimeThatIsOverConfirmsNothing) {
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::now();
  const ProofCheck result = check_thread_proof(program, proof, base::RunContext(limits));
  EXPECT_EQ(result.status, Status::Unfinished);
}

}  // namespace
}  // namespace heddle::check::c::thread_proof_test
