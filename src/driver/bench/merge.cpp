#include "driver/bench/merge.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <system_error>

#include "driver/bench/bench.hpp"
#include "driver/question.hpp"

namespace heddle::driver::bench {

namespace {

namespace fs = std::filesystem;

using base::Parsed;
using output::bench::Header;
using output::bench::header_value;
using output::bench::Record;

Parsed<std::vector<std::string>> files_of(const std::vector<std::string>& sources) {
  std::vector<std::string> files;
  for (const std::string& source : sources) {
    std::error_code ignored;
    if (!fs::is_directory(source, ignored)) {
      files.push_back(source);
      continue;
    }
    const std::vector<std::string> inside = result_files(source);
    if (inside.empty())
      return std::unexpected(complaint(source, "holds no results of 'heddle bench'"));
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

/// Of the parts that files are named after, those that are not there.
std::vector<std::string> missing_parts(const std::vector<std::string>& files) {
  static const std::regex part(R"(shard-(\d{1,9})-of-(\d{1,9})(-job-\d+)?\.tsv)");
  std::map<std::size_t, std::set<std::size_t>> there;
  bool has_whole = false;
  for (const std::string& file : files) {
    std::smatch match;
    const std::string name = fs::path(file).filename().string();
    if (std::regex_match(name, match, part))
      there[std::stoul(match[2])].insert(std::stoul(match[1]));
    else
      has_whole = true;
  }
  std::vector<std::string> missing;
  if (has_whole || there.size() != 1) return missing;  // then nobody can tell
  const auto& [of, parts] = *there.begin();
  for (std::size_t i = 1; i <= of; ++i)
    if (!parts.contains(i)) missing.push_back(std::to_string(i) + " of " + std::to_string(of));
  return missing;
}

/// A part case by case: the records of all tools for each.
using CaseRecords = std::vector<std::vector<Record>>;

CaseRecords by_case(std::vector<Record>&& records) {
  CaseRecords cases;
  std::map<std::string, std::size_t> place;
  for (Record& record : records) {
    const auto [it, is_new] = place.emplace(record.path, cases.size());
    if (is_new) cases.emplace_back();
    cases[it->second].push_back(std::move(record));
  }
  return cases;
}

std::vector<Record> interleaved(std::vector<CaseRecords> parts, std::size_t& replaced) {
  std::vector<Record> out;
  std::map<std::pair<std::string, std::string>, std::size_t> place;
  bool more = true;
  for (std::size_t i = 0; more; ++i) {
    more = false;
    for (CaseRecords& part : parts) {
      if (i >= part.size()) continue;
      more = true;
      for (Record& record : part[i]) {
        const auto [it, is_new] = place.emplace(std::pair{record.path, record.tool}, out.size());
        if (is_new) {
          out.push_back(std::move(record));
        } else if (!(out[it->second] == record) && !record.key.empty()) {
          ++replaced;
          out[it->second] = std::move(record);
        }
      }
    }
  }
  return out;
}

/// As `words_of` tells limits.
std::optional<std::chrono::duration<double>> time_limit(const Header& header) {
  const std::string words = header_value(header, "limits");
  double seconds = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), seconds);
  const bool is_time = error == std::errc{} && std::string_view(end).starts_with(" s ");
  if (!is_time) return std::nullopt;
  return std::chrono::duration<double>(seconds);
}

}  // namespace

Parsed<Merged> merge(Disk& disk, const MergeRequest& request) {
  const auto files = files_of(request.sources);
  if (!files) return std::unexpected(files.error());
  Merged merged;
  auto known = read_known(disk, *files, merged.results.header);
  if (!known) return std::unexpected(std::move(known.error()));
  std::vector<CaseRecords> parts;
  for (std::vector<Record>& records : *known) parts.push_back(by_case(std::move(records)));
  merged.results.records = interleaved(std::move(parts), merged.replaced);
  merged.missing = missing_parts(*files);
  BenchRequest whole;
  whole.output = request.output;
  whole.limits.time = time_limit(merged.results.header);
  for (const std::string& tool : tools_of(merged.results.records))
    whole.tools.push_back({tool, OtherTool{}});
  if (auto claimed = claim_results(disk, whole, {}); !claimed)
    return std::unexpected(std::move(claimed.error()));
  if (auto written = write_results(disk, whole, merged.results); !written)
    return std::unexpected(std::move(written.error()));
  return merged;
}

}  // namespace heddle::driver::bench
