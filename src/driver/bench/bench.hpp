#pragma once

/// `heddle bench`: a suite, run and written down.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/bench/campaign.hpp"
#include "driver/disk.hpp"
#include "output/bench/comparison.hpp"
#include "output/bench/record.hpp"
#include "output/bench/table.hpp"

namespace heddle::driver::bench {

struct BenchRequest {
  std::string suite;  ///< a folder or an index
  PathFilter takes = [](const std::string&) { return true; };
  std::vector<Tool> tools;  ///< Heddle first
  Limits limits;
  unsigned jobs = 1;
  std::string output;  ///< a folder
  bool resume = false;
  output::bench::Header header;                                     ///< see describe_settings
  std::function<void(const output::bench::Progress&)> on_progress;  ///< may be empty
};

struct BenchRun {
  std::map<std::string, std::size_t> skipped;  ///< cases by the reason
  output::bench::Results results;
  std::size_t resumed = 0;            ///< records of an earlier run
  std::optional<int> interrupted_by;  ///< a signal; the results are written nevertheless
};

/// Adds what must be the same for a run to be resumed: tools, limits and options.
void describe_settings(const BenchRequest& request, output::bench::Header& header);

/// The name of a setting in which two runs differ, if there is one.
std::optional<std::string> difference(const output::bench::Header& before,
                                      const output::bench::Header& now);

/// A number for this very program, so that a run is not resumed by another build of it.
std::string program_fingerprint();

/// Runs the suite. What an earlier run found about cases that do not take part now is kept. While
/// it runs, `results.tsv` in the output folder grows by a line per case; in the end it is put in
/// order, with `results.json`, `cactus.svg` and a `scatter-TOOL.svg` per other tool beside it. The
/// error says what is wrong with the suite, the folder, or the run to resume.
base::Parsed<BenchRun> run_bench(Disk& disk, const BenchRequest& request, Runner& runner);

/// 71 if a verdict of Heddle is wrong or unconfirmed, 70 if Heddle failed on a case, else 0.
int exit_code(const std::vector<output::bench::Record>& records);
/// 71 if a verdict changed its side or a new one of Heddle is wrong or unconfirmed, else 0.
int exit_code(const output::bench::Comparison& comparison, const output::bench::Results& after);

}  // namespace heddle::driver::bench
