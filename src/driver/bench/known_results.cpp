#include "driver/bench/known_results.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "driver/question.hpp"
#include "output/bench/result_file.hpp"

namespace heddle::driver::bench {

namespace {

namespace fs = std::filesystem;

using base::Parsed;
using output::bench::Header;
using output::bench::header_value;
using output::bench::Record;

/// What resumed runs must share; the date and the number of jobs may differ.
constexpr std::array kIdentity{"version", "build", "limits", "tools"};

constexpr std::string_view kWhole = "results.tsv";

bool is_result_name(const std::string& name) {
  return name == kWhole || (name.starts_with("shard-") && name.ends_with(".tsv"));
}

/// Numbers get so many digits that their order is that of texts.
std::string with_wide_numbers(const std::string& name) {
  constexpr std::size_t kDigits = 12;
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    if (end == i) {
      out += name[i++];
      continue;
    }
    out.append(kDigits - std::min(kDigits, end - i), '0').append(name, i, end - i);
    i = end;
  }
  return out;
}

}  // namespace

std::string in_folder(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

std::string result_name(const std::optional<Shard>& shard, const std::string& job) {
  if (!shard) return std::string(kWhole);
  return "shard-" + std::to_string(shard->part) + "-of-" + std::to_string(shard->of) +
         (job.empty() ? "" : "-job-" + job) + ".tsv";
}

std::vector<std::string> result_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_result_name(entry.path().filename().string())) files.push_back(entry.path().string());
  std::ranges::sort(files, {}, with_wide_numbers);
  return files;
}

std::optional<std::string> difference(const Header& before, const Header& now) {
  for (const char* name : kIdentity)
    if (header_value(before, name) != header_value(now, name)) return name;
  return std::nullopt;
}

Parsed<std::vector<std::vector<Record>>> read_known(const Disk& disk,
                                                    const std::vector<std::string>& files,
                                                    Header& header) {
  std::vector<std::vector<Record>> known;
  for (const std::string& path : files) {
    const auto text = disk.peek(path);
    if (!text) return std::unexpected(complaint(path, "cannot be read: " + text.error()));
    if (text->find('\n') == std::string::npos) continue;  // killed before its first line
    auto results = output::bench::read_results(path, *text);
    if (!results) return std::unexpected(std::move(results.error()));
    if (header.empty()) header = results->header;
    if (const auto name = difference(results->header, header))
      return std::unexpected(complaint(
          path,
          "is of another run: the " + *name +
              " of that run differ: " + header_value(results->header, *name),
          "results belong together whose version, build, limits and tools are the same: give the "
          "same options, or another --output"));
    known.push_back(std::move(results->records));
  }
  return known;
}

}  // namespace heddle::driver::bench
