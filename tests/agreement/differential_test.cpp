/// Campaigns of random models: what is played in which order, what is written down, and that a
/// crash is told and costs nothing but its model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "differential/block.hpp"
#include "differential/plan.hpp"
#include "differential/score.hpp"

namespace heddle::test::differential {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<const ModelKind*> all_kinds() {
  std::vector<const ModelKind*> kinds;
  for (const ModelKind& kind : model_kinds()) kinds.push_back(&kind);
  return kinds;
}

TEST(Differential, LongerCampaignsBeginWithShorterOnes) {
  const std::vector<Block> shorter = plan(all_kinds(), 5'000);
  const std::vector<Block> longer = plan(all_kinds(), 20'000);
  ASSERT_GT(longer.size(), shorter.size());
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
  std::map<std::string_view, std::uint64_t> next;
  std::uint64_t models = 0;
  for (const Block& block : longer) {
    EXPECT_EQ(block.first, next[block.kind->name]) << "no model twice, none left out";
    next[block.kind->name] += block.count;
    models += block.count;
  }
  EXPECT_EQ(next.size(), model_kinds().size());
  EXPECT_GE(models, 20'000u);
  EXPECT_LT(models, 20'000u + block_size(longer.back().kind[0]));
}

TEST(Differential, TheSameSeedGivesTheSameAnswers) {
  const ModelKind& kind = model_kinds().front();
  const Block block{&kind, 3, 30, 10};
  const auto without_time = [&](std::uint64_t seed) {
    BlockRecord record = play(block, seed, {});
    EXPECT_EQ(record.models, 10u);
    EXPECT_THAT(record.conflicts, IsEmpty());
    record.cpu_seconds = 0;
    return to_line(record);
  };
  EXPECT_EQ(without_time(1), without_time(1));
  EXPECT_NE(without_time(1), without_time(2));
}

std::uint64_t deadly_draw = 0;
pid_t who_survives = 0;

/// Kills whoever makes the deadly model, but for this process.
model::AnyTask deadly_model(Random& random) {
  if (Random copy = random; copy.next() == deadly_draw && getpid() != who_survives) {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
  }
  return model_kinds().front().random(random);
}

TEST(Differential, ACrashIsToldAndCostsItsModelOnly) {
  ModelKind kind = model_kinds().front();
  kind.random = deadly_model;
  const std::uint64_t seed = model_seed(kind, 1, 2);
  deadly_draw = Random(seed).next();
  who_survives = getpid();
  const BlockRecord record = play({&kind, 0, 0, 5}, 1, {});
  EXPECT_EQ(record.models, 5u);
  ASSERT_THAT(record.conflicts, SizeIs(1));
  EXPECT_EQ(record.conflicts[0].seed, seed);
  EXPECT_THAT(record.conflicts[0].what, HasSubstr("crashed: Segmentation fault"));
  EXPECT_FALSE(record.engines.empty()) << "the others were played";
}

class DifferentialFiles : public testing::Test {
 protected:
  DifferentialFiles()
      : folder(fs::temp_directory_path() / ("heddle-differential-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~DifferentialFiles() override { fs::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  fs::path folder;
};

TEST_F(DifferentialFiles, RecordsOfAllPartsAreReadAndCountOnce) {
  BlockRecord record{.kind = "Nets", .number = 7, .models = 3, .reached = 1};
  record.engines["backward"] = {{"safe", 2}, {"unsafe", 1}};
  record.conflicts = {{5, "backward: safe\nvars"}};
  BlockRecord other = record;
  other.number = 8;
  other.conflicts.clear();
  write("blocks-1-of-2.jsonl", "head\n" + to_line(record) + R"({"kind": "torn)");
  write("blocks-2-of-2.jsonl", "head\n" + to_line(record) + to_line(other));
  write("blocks-3-of-3.jsonl", "");
  const std::vector<BlockRecord> read = read_records(folder.string(), "head");
  ASSERT_THAT(read, SizeIs(2));
  EXPECT_EQ(to_line(read[0]), to_line(record));
  EXPECT_THAT(table(read), HasSubstr("| Nets | 6 | 2 | 0 | 1 | 0 |"));
  EXPECT_THAT(table(read), HasSubstr("| Nets | backward | 6 | 4 | 2 | 0 | 0 | 0 |"));
  EXPECT_THROW(read_records(folder.string(), "another head"), std::runtime_error);
  write("blocks-1-of-2.jsonl", "head\n{}\n");
  EXPECT_THROW(read_records(folder.string(), "head"), std::runtime_error);
}

}  // namespace
}  // namespace heddle::test::differential
