/// Stored evidence that is false, or true of another question, where the suite is there.

#include <cstdlib>
#include <filesystem>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

constexpr int kRefuted = 71;
constexpr int kOtherQuestion = 20;

struct Forgery {
  const char* model;
  const char* evidence;
  std::vector<std::string> options;
  int code = kRefuted;
};

/// None of them answers the question that is put.
const std::vector<Forgery>& forgeries() {
  static const std::vector<Forgery> kAll = {
      {"safe-up-to-less/stall-then-grow.pds", "stg0.json", {"--contexts", "5"}, kOtherQuestion},
      {"safe-up-to-less/stall-then-grow.pds", "stg5.json", {"--contexts", "5"}, kOtherQuestion},
      {"safe-up-to-less/stall-then-grow.pds", "stg0n.json", {}},
      {"safe-up-to-less/bluetooth-1-1-broken.bp", "bt9.json", {"--contexts", "9"}, kOtherQuestion},
      {"evidence-question/mutex-broken.tts", "t1.json", {"--threads", "any"}, kOtherQuestion},
      {"evidence-question/mutex-broken.tts", "t1.json", {}, kOtherQuestion},
      {"evidence-question/mutex-broken.tts", "e3.json", {"--threads", "any"}, kOtherQuestion},
      {"evidence-question/mutex-broken.tts", "e4.json", {}, kOtherQuestion},
      {"evidence-question/p.bp", "z1.json", {}, kOtherQuestion},
      {"evidence-question/p.bp", "z2.json", {}, kOtherQuestion},
      {"evidence-question/p.bp", "z3.json", {}, kOtherQuestion},
      {"evidence-question/p.bp", "pl.json", {}, kOtherQuestion},
      {"cutoff/mutex.tts", "c0.json", {"--threads", "any"}, kOtherQuestion},
      {"cutoff/mutex.tts", "c1.json", {"--threads", "any"}},
      {"cutoff-net/mutex.spec", "t_mutex.json", {}, kOtherQuestion},
      {"one-listed-thread/one.bp", "forge_one.json", {}, kOtherQuestion},
      {"nested-atomic/nest.bp", "context-lazy.json", {"--threads", "2"}},
      {"nested-atomic/nest.bp", "context-joint.json", {"--threads", "2"}},
      {"nested-atomic/nest.bp", "context-backward.json", {"--threads", "2"}},
      {"context-choice/ch.bp", "ch_forged.json", {}},
      {"context-choice/nx.bp", "nx_forged.json", {}},
  };
  return kAll;
}

class ForgedSuite : public BinaryTest {};

TEST_F(ForgedSuite, IsNotConfirmed) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  const std::filesystem::path suite =
      std::filesystem::path(source ? source : ".") / "../shared/suites/forged";
  if (!std::filesystem::exists(suite)) GTEST_SKIP() << "there is no " << suite;
  for (const Forgery& forgery : forgeries()) {
    const std::filesystem::path model = suite / forgery.model;
    std::vector<std::string> words{"check", model, model.parent_path() / forgery.evidence};
    words.insert(words.end(), forgery.options.begin(), forgery.options.end());
    const Outcome outcome = heddle(words);
    EXPECT_EQ(outcome.code, forgery.code)
        << testing::PrintToString(words) << outcome.out << outcome.err;
  }
}

}  // namespace
}  // namespace heddle::cli
