#include "driver/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "driver/bench/journal.hpp"
#include "driver/exit_code.hpp"
#include "driver/outputs.hpp"
#include "driver/question.hpp"
#include "output/bench/plot.hpp"
#include "output/bench/result_file.hpp"

namespace heddle::driver::bench {

namespace {

namespace fs = std::filesystem;

using base::Diagnostics;
using base::Parsed;
using output::bench::CaseOutcome;
using output::bench::Header;
using output::bench::header_value;
using output::bench::Record;
using output::bench::Results;

/// Finds the case and the tool that a record is about.
class TakesPart {
 public:
  TakesPart(const BenchRequest& request, const std::vector<Case>& cases) {
    for (const Case& one : cases) cases_.emplace(one.path, &one);
    for (const Tool& tool : request.tools) tools_.emplace(tool.name, &tool);
  }
  /// Nothing if the record is about another one.
  std::optional<std::pair<const Case*, const Tool*>> operator()(const Record& record) const {
    const auto entry = cases_.find(record.path);
    const auto tool = tools_.find(record.tool);
    if (entry == cases_.end() || tool == tools_.end()) return std::nullopt;
    return std::pair{entry->second, tool->second};
  }

 private:
  std::map<std::string, const Case*, std::less<>> cases_;
  std::map<std::string, const Tool*, std::less<>> tools_;
};

Diagnostics unwritable(const std::string& path, const std::string& why) {
  return complaint(path, "cannot be written: " + why);
}

std::string scatter_name(const Tool& tool) { return "scatter-" + tool.name + ".svg"; }

}  // namespace

bool is_evidence_against_us(const Record& record) {
  return record.tool == kOwnName &&
         (record.outcome == CaseOutcome::Wrong || record.outcome == CaseOutcome::Unconfirmed);
}

Parsed<Earlier> earlier_records(const Disk& disk, const BenchRequest& request, const Header& header,
                                const std::vector<Case>& cases) {
  Earlier earlier;
  const std::vector<std::string> files = result_files(request.output);
  if (!request.resume) return earlier;
  Header same = header;
  auto known = read_known(disk, files, same);
  if (!known) return std::unexpected(std::move(known.error()));
  std::map<std::pair<std::string, std::string>, Record> latest;
  const TakesPart takes_part(request, cases);
  const CaseKeys keys(disk, request.limits, header);
  std::set<std::pair<std::string, std::string>> stale;
  for (std::vector<Record>& records : *known)
    for (Record& record : records) {
      const std::pair what{record.path, record.tool};
      const auto part = takes_part(record);
      if (!part || record.key == keys.key(*part->first, *part->second))
        latest.insert_or_assign(what, std::move(record));
      else
        stale.insert(what);
    }
  for (auto& [what, record] : latest)
    (takes_part(record) ? earlier.current : earlier.others).push_back(std::move(record));
  for (const auto& what : stale) earlier.stale += !latest.contains(what);
  return earlier;
}

Parsed<void> write_results(Disk& disk, const BenchRequest& request, const Results& results) {
  std::optional<double> timeout;
  if (request.limits.time) timeout = request.limits.time->count();
  std::vector<OutputFile> files{
      {"results.tsv", to_tsv(results)},
      {"results.json", to_json(results)},
      {"cactus.svg", output::bench::cactus_svg(results.records, timeout)}};
  for (std::size_t i = 1; i < request.tools.size(); ++i)
    files.push_back({scatter_name(request.tools[i]),
                     output::bench::scatter_svg(results.records, request.tools[0].name,
                                                request.tools[i].name, timeout)});
  for (OutputFile& file : files) file.path = in_folder(request.output, file.path);
  if (const auto done = disk.write_all(files); !done)
    return std::unexpected(unwritable(done.error().path, done.error().why));
  return {};
}

Parsed<void> claim_results(Disk& disk, const BenchRequest& request,
                           const std::vector<Case>& cases) {
  std::error_code error;
  fs::create_directories(request.output, error);
  if (error) return std::unexpected(unwritable(request.output, error.message()));
  std::vector<std::string> inputs;
  for (const Case& one : cases) {
    inputs.push_back(one.file);
    inputs.push_back(one.target);
  }
  std::vector<std::string> names{result_name(request.shard, request.job)};
  if (!request.shard) names.insert(names.end(), {"results.json", "cactus.svg"});
  for (std::size_t i = 1; i < request.tools.size() && !request.shard; ++i)
    names.push_back(scatter_name(request.tools[i]));
  for (std::string& name : names) name = in_folder(request.output, name);
  return claim_outputs(disk, inputs, names);
}

void describe_settings(const BenchRequest& request, Header& header) {
  std::string tools;
  for (const Tool& tool : request.tools)
    tools += fmt::format("{}{} = {}", tools.empty() ? "" : "; ", tool.name, words_of(tool));
  header.emplace_back("limits", words_of(request.limits));
  header.emplace_back("tools", tools);
  header.emplace_back("jobs", std::to_string(request.jobs));
}

namespace {

/// Everything is read before anything is written.
struct Prepared {
  Campaign campaign;
  Earlier earlier;
};

Parsed<Prepared> prepare(Disk& disk, const BenchRequest& request, BenchRun& run) {
  auto suite = read_suite(disk, request.suite, request.takes);
  if (!suite) return std::unexpected(std::move(suite.error()));
  std::vector<Case> cases;
  for (std::size_t i = 0; i < suite->cases.size(); ++i)
    if (!request.shard || request.shard->has(i)) cases.push_back(std::move(suite->cases[i]));
  run.skipped = std::move(suite->skipped);
  run.results.header = request.header;
  describe_settings(request, run.results.header);
  auto earlier = earlier_records(disk, request, run.results.header, cases);
  if (!earlier) return std::unexpected(std::move(earlier.error()));
  if (auto claimed = claim_results(disk, request, cases); !claimed)
    return std::unexpected(std::move(claimed.error()));
  if (!request.resume && !request.shard) {
    std::vector<std::string> files = result_files(request.output);
    std::erase(files, in_folder(request.output, "results.tsv"));
    if (!files.empty())
      return std::unexpected(complaint(files[0], "is the result of a part of a suite",
                                       "give --resume to go on from there, or another --output"));
  }
  run.resumed = earlier->current.size();
  run.stale = earlier->stale;
  return Prepared{{std::move(cases), request.tools, request.limits, request.jobs},
                  std::move(*earlier)};
}

Diagnostics disk_full(const std::string& path, const std::string& why, std::size_t finished) {
  return complaint(
      path,
      "cannot be written: " + why + "; " + std::to_string(finished) + " finished cases are in it",
      "make room, and give the same command with --resume");
}

}  // namespace

Parsed<BenchRun> run_bench(Disk& disk, const BenchRequest& request, Runner& runner) {
  BenchRun run;
  auto prepared = prepare(disk, request, run);
  if (!prepared) return std::unexpected(std::move(prepared.error()));
  auto& [campaign, earlier] = *prepared;
  const std::string path = in_folder(request.output, result_name(request.shard, request.job));
  // A shard keeps to itself; the whole takes over what all of them know.
  std::vector<Record> so_far;
  if (!request.shard) so_far = earlier.others;
  so_far.insert(so_far.end(), earlier.current.begin(), earlier.current.end());
  if (auto begun = disk.write(path, to_tsv(Results{run.results.header, so_far})); !begun)
    return std::unexpected(unwritable(path, begun.error()));

  Journal journal(path);
  std::optional<std::string> failure;
  const std::size_t total = campaign.cases.size() * campaign.tools.size();
  output::bench::Progress progress{run.resumed, run.resumed, total, 0};
  progress.wrong =
      static_cast<std::size_t>(std::ranges::count_if(earlier.current, is_evidence_against_us));
  const CaseKeys keys(disk, request.limits, run.results.header);
  run.results.records =
      run_campaign(campaign, keys, earlier.current, runner, [&](const Record& record) {
        if (auto added = journal.add(tsv_line(record)); !added) failure = std::move(added.error());
        if (failure) return false;
        ++progress.done;
        if (is_evidence_against_us(record)) ++progress.wrong;
        if (request.on_progress) request.on_progress(progress);
        return true;
      });
  if (failure) return std::unexpected(disk_full(path, *failure, progress.done));
  run.interrupted_by = runner.interrupted_by();
  if (request.shard) return run;
  std::ranges::move(earlier.others, std::back_inserter(run.results.records));
  if (const auto written = write_results(disk, request, run.results); !written)
    return std::unexpected(written.error());
  return run;
}

int exit_code(const std::vector<Record>& records) {
  if (std::ranges::any_of(records, is_evidence_against_us)) return kRefuted;
  const bool failed = std::ranges::any_of(records, [](const Record& record) {
    return record.tool == kOwnName && record.outcome == CaseOutcome::Error;
  });
  return failed ? kInternalError : kDone;
}

int exit_code(const output::bench::Comparison& comparison, const Results& after) {
  const bool wrong =
      !comparison.flipped.empty() || std::ranges::any_of(after.records, is_evidence_against_us);
  return wrong ? kRefuted : kDone;
}

}  // namespace heddle::driver::bench
