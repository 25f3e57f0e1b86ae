/// Lemmas about pairs of threads: they need not hold, and nothing may depend on it.

#include "engine/onthefly/reachable_pairs.hpp"

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/onthefly/search.hpp"
#include "support/threads_task.hpp"

namespace heddle::engine::onthefly {
namespace {

using model::boolean::Flow;

const std::vector<model::ThreadsInMain> kAnyNumber = {{0, std::nullopt}};

/// A lock around a longer section, after whose work comes more.
const std::string kLock =
    "decl lock := 0, x := 0;\nvoid main() begin\n top: atomic { assume(!lock); lock := 1; }\n"
    " x := 1; skip; assert(x); x := 0; skip; skip; lock := 0; goto top; end";
/// The same, taken in two steps.
const std::string kTornLock =
    "decl lock := 0, x := 0;\nvoid main() begin\n top: assume(!lock); lock := 1;\n"
    " x := 1; skip; assert(x); x := 0; skip; skip; lock := 0; goto top; end";
/// Two threads are at the end together only if four have counted; that is no failure.
const std::string kFour =
    "decl c0 := 0, c1 := 0, c2 := 0, x := 0;\nvoid main() begin\n"
    " c0, c1, c2 := !c0, c1 ^ c0, c2 | (c0 & c1);\n assume(c2); x := 1; last: assert(x);\n"
    " goto last; end";
/// The same, and then one of them fails.
const std::string kFourFail =
    "decl c0 := 0, c1 := 0, c2 := 0, x := 0;\nvoid main() begin\n"
    " c0, c1, c2 := !c0, c1 ^ c0, c2 | (c0 & c1);\n assume(c2); x := !x; assert(x); end";

/// With lemmas: `safe`, `unsafe`, or `refuted` if a lemma does not hold.
std::string answer_with_lemmas(const std::string& text, std::size_t threads) {
  const model::ProgramTask task = test::any_threads_task(text);
  const Flow flow = *model::boolean::unfold(task.model);
  base::RunContext context;
  const auto pairs = ReachablePairs::find(flow, threads, context);
  if (!pairs) return "none";
  const auto found = search_with_lemmas(flow, kAnyNumber, {}, *pairs, context);
  if (!found) return "refuted";
  if (const auto* run = std::get_if<answer::ProgramRun>(&*found)) {
    EXPECT_EQ(check::check(task, answer::Unsafe{*run}, context).status,
              answer::EvidenceStatus::Confirmed);
    return "unsafe";
  }
  const auto checked =
      check::check(task, answer::Safe{std::get<answer::ProgramBasis>(*found)}, context);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  return "safe";
}

TEST(ReachablePairs, LemmasMakeProofs) {
  EXPECT_EQ(answer_with_lemmas(kLock, 2), "safe");
  EXPECT_EQ(answer_with_lemmas(kLock, 3), "safe");
}

TEST(ReachablePairs, LemmasThatDoNotHoldAreNoticed) {
  EXPECT_EQ(answer_with_lemmas(kLock, 1), "refuted");
  EXPECT_EQ(answer_with_lemmas(kTornLock, 2), "none");  // it fails
  EXPECT_EQ(answer_with_lemmas(kTornLock, 1), "refuted");
  for (std::size_t threads = 1; threads < 4; ++threads) {
    EXPECT_NE(answer_with_lemmas(kFour, threads), "unsafe") << threads;
    const std::string failing = answer_with_lemmas(kFourFail, threads);
    EXPECT_TRUE(failing == "refuted" || failing == "unsafe") << threads << ' ' << failing;
  }
  EXPECT_EQ(answer_with_lemmas(kFourFail, 5), "none");
}

TEST(ReachablePairs, ALemmaIncludesTheElementAndHasNoStateThatWasFound) {
  const Flow flow = *model::boolean::unfold(test::any_threads_task(kLock).model);
  base::RunContext context;
  const auto pairs = ReachablePairs::find(flow, 3, context);
  ASSERT_TRUE(pairs);
  std::size_t lemmas = 0;
  for (std::uint32_t a = 0; a < flow.nodes.size(); ++a)
    for (std::uint32_t b = a; b < flow.nodes.size(); ++b)
      for (const bool lock : {false, true}) {
        const Element element{model::boolean::Cube::all().with(0, lock).with(1, true),
                              {{model::boolean::NodeId(a), {}},
                               {model::boolean::NodeId(b), {}},
                               {model::boolean::NodeId(b), {}}}};
        const auto lemma = pairs->generalised(element);
        if (!lemma) continue;
        ++lemmas;
        EXPECT_TRUE(includes(*lemma, element));
        EXPECT_LE(lemma->threads.size(), 2u);
        for (const auto& state : model::boolean::initial_states(flow, 3))
          EXPECT_FALSE(covers(state, *lemma));
      }
  EXPECT_GT(lemmas, 0u);
}

}  // namespace
}  // namespace heddle::engine::onthefly
