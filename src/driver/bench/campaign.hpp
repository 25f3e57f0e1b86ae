#pragma once

/// All cases of a suite under all tools, some of them at once.

#include <functional>
#include <optional>
#include <vector>

#include "driver/bench/case_key.hpp"
#include "driver/bench/runner.hpp"
#include "driver/bench/suite.hpp"
#include "driver/bench/tool.hpp"
#include "output/bench/record.hpp"

namespace heddle::driver::bench {

struct Campaign {
  std::vector<Case> cases;
  std::vector<Tool> tools;
  Limits limits;
  unsigned jobs = 1;  ///< processes at once
};

/// Called with each record as it is made. If it is false, nothing more is started or heard of.
using OnRecord = std::function<bool(const output::bench::Record&)>;

/// The records of all cases and tools: those in `finished` are taken over, the rest is run. In
/// order of cases, then tools. After an interruption (ask the runner) some are missing.
std::vector<output::bench::Record> run_campaign(const Campaign& campaign, const CaseKeys& keys,
                                                const std::vector<output::bench::Record>& finished,
                                                Runner& runner, const OnRecord& on_record);

}  // namespace heddle::driver::bench
