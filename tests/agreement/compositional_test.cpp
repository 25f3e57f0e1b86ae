/// Random C programs through `compositional`, with and without reduction, and `explore`.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/compositional/compositional.hpp"
#include "engine/explore/explore.hpp"
#include "support/random_c.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::compositional_test {
namespace {

using Answer = engine::compositional::CompositionalResult::Answer;
using engine::explore::ExploreVerdict;

Answer answer_with(const model::CTask& task, bool reduction) {
  engine::compositional::ProveOptions options;
  options.reduction = reduction;
  base::RunContext context;
  const auto result = engine::compositional::prove(task.model, options, context);
  if (result.proof) {
    base::RunContext checking;
    const answer::Verdict verdict =
        answer::Safe{answer::ThreadInvariants{result.prepared->covering, *result.proof}};
    const auto checked = check::check(task, verdict, checking);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                 << task_text(task);
  }
  return result.answer;
}

TEST(RandomCPrograms, AreAnsweredAlikeWithAndWithoutReduction) {
  unsigned decided = 0, safe = 0;
  const unsigned cases = random_cases(3);
  for (unsigned i = 0; i < cases; ++i) {
    Random random(61'000'000 + i);
    const model::CTask task = random_c_task(random);
    base::RunContext exploring;
    const auto truth =
        engine::explore::explore(task.model, model::c::Property::Reach, {}, exploring);
    const bool fails = truth.verdict == ExploreVerdict::Unsafe;
    for (const bool reduction : {true, false}) {
      const Answer answer = answer_with(task, reduction);
      if (answer == Answer::Unknown) continue;
      ++decided;
      safe += answer == Answer::Safe ? 1 : 0;
      EXPECT_EQ(answer == Answer::Unsafe, fails) << task_text(task);
    }
  }
  EXPECT_GE(decided, cases);
  EXPECT_GE(safe, 1U);
}

}  // namespace
}  // namespace heddle::test::compositional_test
