#include "driver/time_share.hpp"

#include <unistd.h>

#include <numeric>
#include <vector>

#include "driver/system_memory.hpp"

namespace heddle::driver {
namespace {

std::vector<double> weights(std::size_t searches, unsigned processors) {
  std::vector<double> out;
  for (std::size_t i = 0; i < searches; ++i) out.push_back(search_weight(i, searches, processors));
  return out;
}

TEST(TimeShare, WeightsOfSearchesAddUpToOneAndNeverGrow) {
  for (unsigned processors = 1; processors <= 5; ++processors)
    for (std::size_t searches = 1; searches <= 12; ++searches) {
      const std::vector<double> all = weights(searches, processors);
      EXPECT_NEAR(std::accumulate(all.begin(), all.end(), 0.0), 1, 1e-9);
      EXPECT_TRUE(std::ranges::is_sorted(all, std::greater())) << searches << " " << processors;
      EXPECT_GT(all.back(), 0);
    }
}

TEST(TimeShare, TheFirstTwoOfManyHaveHalfAProcessorAndMoreOnTwoProcessors) {
  for (std::size_t searches = 2; searches <= 12; ++searches) {
    EXPECT_GE(2 * weights(searches, 2)[0], 0.5);
    EXPECT_GE(2 * weights(searches, 2)[1], 0.5);
  }
  EXPECT_GE(2 * weights(3, 2)[2], 0.5);
}

TEST(TimeShare, WhatIsServedIsTimeByWeight) {
  TimeShare share{0.25};
  share.charge(Seconds(2));
  share.charge(Seconds(1));
  EXPECT_EQ(share.used, Seconds(3));
  EXPECT_EQ(share.served, Seconds(12));
}

TEST(TimeShare, SlicesGrowUpToALimit) {
  EXPECT_GT(slice_after(Seconds(0)), Seconds(0));
  EXPECT_GT(slice_after(Seconds(0.5)), slice_after(Seconds(0)));
  EXPECT_EQ(slice_after(Seconds(10)), slice_after(Seconds(1000)));
}

TEST(TimeShare, ProcessorTimeIsChargedWithinBounds) {
  EXPECT_EQ(charge_for(Seconds(0.6), Seconds(1)), Seconds(0.6)) << "a busy machine";
  EXPECT_EQ(charge_for(Seconds(2), Seconds(1)), Seconds(1)) << "two threads";
  EXPECT_GT(charge_for(Seconds(0), Seconds(1)), Seconds(0)) << "asleep";
}

TEST(SystemMemory, IsShortBelowASixteenth) {
  EXPECT_TRUE(is_short_of_memory("MemTotal:  16000 kB\nMemFree: 9 kB\nMemAvailable:   999 kB\n"));
  EXPECT_FALSE(is_short_of_memory("MemTotal:  16000 kB\nMemFree: 9 kB\nMemAvailable:  1001 kB\n"));
  EXPECT_FALSE(is_short_of_memory("MemTotal:  16000 kB\n")) << "nobody knows";
  EXPECT_FALSE(is_short_of_memory("MemTotal:"));
}

TEST(SystemMemory, KnowsHowMuchAProcessHolds) {
  EXPECT_GT(resident_mb(getpid()), 0u);
  EXPECT_EQ(resident_mb(-1), 0u);
}

}  // namespace
}  // namespace heddle::driver
