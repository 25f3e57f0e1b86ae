#include "driver/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

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
using output::bench::Header;
using output::bench::header_value;
using output::bench::Outcome;
using output::bench::Record;
using output::bench::Results;

/// What resumed runs must share; the date and the number of jobs may differ.
constexpr std::array kIdentity{"version", "build", "limits", "tools"};

bool is_evidence_against_us(const Record& record) {
  return record.tool == kOwnName &&
         (record.outcome == Outcome::Wrong || record.outcome == Outcome::Unconfirmed);
}

std::string words_of(const Tool& tool) {
  if (const auto* other = std::get_if<OtherTool>(&tool.how))
    return other->command + (other->rules.words.empty() ? "" : " (" + other->rules.words + ")");
  std::string out = "verify";
  for (const std::string& word : std::get<OwnTool>(tool.how).arguments) out += " " + word;
  return out;
}

std::string in_folder(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

/// The file that grows while the suite runs. What an earlier run left there is replaced as a whole.
class Journal {
 public:
  explicit Journal(const std::string& path) : out_(path, std::ios::binary | std::ios::app) {}
  void add(const Record& record) { out_ << tsv_line(record) << std::flush; }
  bool good() const { return out_.good(); }

 private:
  std::ofstream out_;
};

/// The records of the run that is to be resumed; none if there was no such run.
Parsed<std::vector<Record>> earlier_records(Disk& disk, const BenchRequest& request,
                                            const Header& header) {
  const std::string path = in_folder(request.output, "results.tsv");
  if (!request.resume || !disk.exists(path)) return std::vector<Record>{};
  const bool is_input = disk.is_protected(path);  // then it is written as little as others are
  const auto text = disk.read(path);
  if (!text) return std::unexpected(complaint(path, "cannot be read: " + text.error()));
  if (!is_input) disk.release(path);
  auto results = output::bench::read_results(path, *text);
  if (!results) return std::unexpected(std::move(results.error()));
  if (const auto name = difference(results->header, header))
    return std::unexpected(
        complaint(path,
                  "cannot be resumed: the " + *name +
                      " of that run differ: " + header_value(results->header, *name),
                  "give the same options, another --output, or leave --resume out to start anew"));
  return std::move(results->records);
}

/// Takes those records out of `records` that are not about a case and a tool of the campaign.
std::vector<Record> take_others(std::vector<Record>& records, const Campaign& campaign) {
  const auto takes_part = [&](const Record& record) {
    return std::ranges::count(campaign.cases, record.path, &Case::path) > 0 &&
           std::ranges::count(campaign.tools, record.tool, &Tool::name) > 0;
  };
  const auto others = std::ranges::stable_partition(records, takes_part);
  std::vector<Record> out(std::make_move_iterator(others.begin()),
                          std::make_move_iterator(others.end()));
  records.erase(others.begin(), others.end());
  return out;
}

Diagnostics unwritable(const std::string& path, const std::string& why) {
  return complaint(path, "cannot be written: " + why);
}

std::string scatter_name(const Tool& tool) { return "scatter-" + tool.name + ".svg"; }

Parsed<void> write_all(Disk& disk, const BenchRequest& request, const Results& results) {
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

/// Before the first case is run.
Parsed<void> claim_results(Disk& disk, const BenchRequest& request, const Suite& suite) {
  std::vector<std::string> inputs;
  for (const Case& one : suite.cases) {
    inputs.push_back(one.file);
    inputs.push_back(one.target);
  }
  std::vector<std::string> names{"results.tsv", "results.json", "cactus.svg"};
  for (std::size_t i = 1; i < request.tools.size(); ++i)
    names.push_back(scatter_name(request.tools[i]));
  for (std::string& name : names) name = in_folder(request.output, name);
  return claim_outputs(disk, inputs, names);
}

}  // namespace

void describe_settings(const BenchRequest& request, Header& header) {
  std::string limits;
  if (request.limits.time) limits += fmt::format("{:g} s ", request.limits.time->count());
  if (request.limits.memory_mb) limits += fmt::format("{} MB ", *request.limits.memory_mb);
  limits += limits.empty() ? "none" : "a case";
  std::string tools;
  for (const Tool& tool : request.tools)
    tools += fmt::format("{}{} = {}", tools.empty() ? "" : "; ", tool.name, words_of(tool));
  header.emplace_back("limits", limits);
  header.emplace_back("tools", tools);
  header.emplace_back("jobs", std::to_string(request.jobs));
}

std::optional<std::string> difference(const Header& before, const Header& now) {
  for (const char* name : kIdentity)
    if (header_value(before, name) != header_value(now, name)) return name;
  return std::nullopt;
}

Parsed<BenchRun> run_bench(Disk& disk, const BenchRequest& request, Runner& runner) {
  auto suite = read_suite(disk, request.suite, request.takes);
  if (!suite) return std::unexpected(std::move(suite.error()));
  BenchRun run;
  run.skipped = std::move(suite->skipped);
  run.results.header = request.header;
  describe_settings(request, run.results.header);
  auto finished = earlier_records(disk, request, run.results.header);
  if (!finished) return std::unexpected(std::move(finished.error()));

  std::error_code error;
  fs::create_directories(request.output, error);
  if (error) return std::unexpected(unwritable(request.output, error.message()));
  if (auto claimed = claim_results(disk, request, *suite); !claimed)
    return std::unexpected(std::move(claimed.error()));
  const Campaign campaign{std::move(suite->cases), request.tools, request.limits, request.jobs};
  std::vector<Record> others = take_others(*finished, campaign);
  run.resumed = finished->size();
  const std::string journal_path = in_folder(request.output, "results.tsv");
  std::vector<Record> so_far = others;
  so_far.insert(so_far.end(), finished->begin(), finished->end());
  const auto begun =
      disk.write(journal_path, to_tsv(Results{run.results.header, std::move(so_far)}));
  if (!begun) return std::unexpected(unwritable(journal_path, begun.error()));
  Journal journal(journal_path);
  if (!journal.good()) return std::unexpected(unwritable(journal_path, "is the folder read-only?"));

  const std::size_t total = campaign.cases.size() * campaign.tools.size();
  output::bench::Progress progress{run.resumed, run.resumed, total, 0};
  progress.wrong =
      static_cast<std::size_t>(std::ranges::count_if(*finished, is_evidence_against_us));
  run.results.records = run_campaign(campaign, *finished, runner, [&](const Record& record) {
    journal.add(record);
    ++progress.done;
    if (is_evidence_against_us(record)) ++progress.wrong;
    if (request.on_progress) request.on_progress(progress);
  });
  run.interrupted_by = runner.interrupted_by();
  std::ranges::move(others, std::back_inserter(run.results.records));
  if (const auto written = write_all(disk, request, run.results); !written)
    return std::unexpected(written.error());
  return run;
}

int exit_code(const std::vector<Record>& records) {
  if (std::ranges::any_of(records, is_evidence_against_us)) return kRefuted;
  const bool failed = std::ranges::any_of(records, [](const Record& record) {
    return record.tool == kOwnName && record.outcome == Outcome::Error;
  });
  return failed ? kInternalError : kDone;
}

int exit_code(const output::bench::Comparison& comparison, const Results& after) {
  const bool wrong =
      !comparison.flipped.empty() || std::ranges::any_of(after.records, is_evidence_against_us);
  return wrong ? kRefuted : kDone;
}

}  // namespace heddle::driver::bench
