#pragma once

/// `heddle bench`: a suite, run and written down.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "driver/bench/campaign.hpp"
#include "driver/bench/fingerprint.hpp"
#include "driver/bench/known_results.hpp"
#include "driver/bench/shard.hpp"
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
  std::optional<Shard> shard;    ///< of the suite's cases; nothing: all of them
  std::string job;               ///< of Slurm, which runs the shard; may be empty
  output::bench::Header header;  ///< see describe_settings
  std::function<void(const output::bench::Progress&)> on_progress;  ///< may be empty
};

struct BenchRun {
  std::map<std::string, std::size_t> skipped;  ///< cases by the reason
  output::bench::Results results;
  std::size_t resumed = 0;  ///< records of an earlier run
  std::size_t stale = 0;    ///< records of an earlier run that were run again: see CaseKeys
  std::optional<int> interrupted_by;  ///< a signal; the results are written nevertheless
};

/// Adds what must be the same for a run to be resumed: tools, limits and options.
void describe_settings(const BenchRequest& request, output::bench::Header& header);

/// Runs the suite. What an earlier run found about cases that do not take part now is kept. While
/// it runs, `results.tsv` in the output folder grows by a line per case; in the end it is put in
/// order, with `results.json`, `cactus.svg` and a `scatter-TOOL.svg` per other tool beside it. A
/// shard writes to a file of its own instead, and nothing else. The error says what is wrong with
/// the suite, the folder, or the run to resume; if the disk is full in the middle, what was
/// finished by then has been written.
base::Parsed<BenchRun> run_bench(Disk& disk, const BenchRequest& request, Runner& runner);

/// What is known of the cases from earlier runs: `current` is what need not be run again, `stale`
/// what was run on other files or options, `others` what is about other cases or tools.
struct Earlier {
  std::vector<output::bench::Record> current;
  std::vector<output::bench::Record> others;
  std::size_t stale = 0;
};
base::Parsed<Earlier> earlier_records(const Disk& disk, const BenchRequest& request,
                                      const output::bench::Header& header,
                                      const std::vector<Case>& cases);

/// `results.tsv`, `results.json` and the plots, all or none of them.
base::Parsed<void> write_results(Disk& disk, const BenchRequest& request,
                                 const output::bench::Results& results);

/// Before the first case is run: can the results be written, and is none of them an input?
base::Parsed<void> claim_results(Disk& disk, const BenchRequest& request,
                                 const std::vector<Case>& cases);

/// Is a verdict of Heddle wrong, or unconfirmed?
bool is_evidence_against_us(const output::bench::Record& record);

/// 71 if a verdict of Heddle is wrong or unconfirmed, 70 if Heddle failed on a case, else 0.
int exit_code(const std::vector<output::bench::Record>& records);
/// 71 if a verdict changed its side or a new one of Heddle is wrong or unconfirmed, else 0.
int exit_code(const output::bench::Comparison& comparison, const output::bench::Results& after);

}  // namespace heddle::driver::bench
