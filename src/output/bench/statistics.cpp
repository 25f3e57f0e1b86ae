#include "output/bench/statistics.hpp"

#include <algorithm>
#include <map>

namespace heddle::output::bench {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

Summary summarise(const std::vector<Record>& records, const std::string& tool,
                  const std::string& family) {
  Summary summary;
  std::vector<double> solved;
  for (const Record& record : records) {
    if (record.tool != tool || (!family.empty() && family_of(record.path) != family)) continue;
    ++summary.cases;
    ++summary.outcomes[static_cast<std::size_t>(record.outcome)];
    summary.cpu_seconds += record.cpu_seconds;
    summary.peak_memory_mb = std::max(summary.peak_memory_mb, record.peak_memory_mb);
    if (record.outcome == CaseOutcome::Solved) solved.push_back(record.cpu_seconds);
  }
  summary.median_cpu_seconds = median(std::move(solved));
  return summary;
}

std::vector<std::string> families_of(const std::vector<Record>& records) {
  std::vector<std::string> families;
  for (const Record& record : records)
    if (const std::string family = family_of(record.path); !std::ranges::count(families, family))
      families.push_back(family);
  return families;
}

std::vector<Pair> pairs_of(const std::vector<Record>& records, const std::string& ours,
                           const std::string& theirs) {
  std::map<std::string_view, const Record*> others;
  for (const Record& record : records)
    if (record.tool == theirs) others[record.path] = &record;
  std::vector<Pair> pairs;
  for (const Record& record : records)
    if (const auto other = others.find(record.path); record.tool == ours && other != others.end())
      pairs.push_back({&record, other->second});
  return pairs;
}

bool disagree(const Record& one, const Record& other) {
  const bool definite = one.verdict != Claim::Unknown && other.verdict != Claim::Unknown;
  return definite && one.verdict != other.verdict;
}

CommonTime common_time(const std::vector<Pair>& pairs) {
  CommonTime time;
  for (const auto& [ours, theirs] : pairs) {
    if (ours->outcome != CaseOutcome::Solved || theirs->outcome != CaseOutcome::Solved) continue;
    ++time.cases;
    time.ours += ours->cpu_seconds;
    time.theirs += theirs->cpu_seconds;
  }
  return time;
}

}  // namespace heddle::output::bench
