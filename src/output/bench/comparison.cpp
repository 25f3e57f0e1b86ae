#include "output/bench/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "output/bench/statistics.hpp"

namespace heddle::output::bench {

namespace {

using Key = std::pair<std::string, std::string>;

Key key_of(const Record& record) { return {record.path, record.tool}; }

bool is_slower(double before, double after, const Threshold& threshold) {
  return after > before * threshold.factor && after - before > threshold.seconds;
}

void file_times(const Change& change, const Threshold& threshold, Comparison& out) {
  const double before = change.before.cpu_seconds;
  const double after = change.after.cpu_seconds;
  ++out.both_solved;
  out.seconds_before += before;
  out.seconds_after += after;
  if (is_slower(before, after, threshold))
    out.slower.push_back(change);
  else if (is_slower(after, before, threshold))
    out.faster.push_back(change);
  else
    ++out.same;
}

void file(const Change& change, const Threshold& threshold, Comparison& out) {
  const bool before = change.before.outcome == CaseOutcome::Solved;
  const bool after = change.after.outcome == CaseOutcome::Solved;
  if (disagree(change.before, change.after))
    out.flipped.push_back(change);
  else if (before && after)
    file_times(change, threshold, out);
  else if (after)
    out.solved.push_back(change);
  else if (before)
    out.lost.push_back(change);
  else
    ++out.same;
}

double ratio(const Change& change) {
  return change.after.cpu_seconds / std::max(change.before.cpu_seconds, 1e-3);
}

/// How a case went, in a word or two: `safe`, `unknown (timeout)`.
std::string fate(const Record& record) {
  const std::string_view word =
      record.outcome == CaseOutcome::Solved ? to_string(record.verdict) : to_string(record.outcome);
  return record.reason.empty() ? std::string(word) : fmt::format("{} ({})", word, record.reason);
}

std::string change_line(const Change& change) {
  return fmt::format("  {}  {}: {} {:.2f} s → {} {:.2f} s\n", change.after.path, change.after.tool,
                     fate(change.before), change.before.cpu_seconds, fate(change.after),
                     change.after.cpu_seconds);
}

std::string time_line(const Change& change) {
  return fmt::format("  {}  {}: {:.2f} s → {:.2f} s ({:.2f}×)\n", change.after.path,
                     change.after.tool, change.before.cpu_seconds, change.after.cpu_seconds,
                     ratio(change));
}

std::string list_text(std::string_view title, const std::vector<Change>& changes,
                      std::string (*line)(const Change&)) {
  if (changes.empty()) return {};
  std::string out = fmt::format("{}:\n", title);
  for (const Change& change : changes) out += line(change);
  return out;
}

std::string settings_text(const Header& before, const Header& after) {
  std::string out;
  for (const auto& [name, value] : after)
    if (const std::string old = header_value(before, name); old != value && name != "date")
      out += fmt::format("{}: {} → {}\n", name, old.empty() ? "(nothing)" : old, value);
  return out;
}

std::string summary_line(const Comparison& c) {
  std::string out = fmt::format(
      "{} newly solved, {} lost, {} faster, {} slower, {} changed verdicts, {} as before; "
      "on {} cases solved by both: {:.2f} s → {:.2f} s of CPU",
      c.solved.size(), c.lost.size(), c.faster.size(), c.slower.size(), c.flipped.size(), c.same,
      c.both_solved, c.seconds_before, c.seconds_after);
  if (!c.only_before.empty()) out += fmt::format("; {} only in the old file", c.only_before.size());
  if (!c.only_after.empty()) out += fmt::format("; {} only in the new file", c.only_after.size());
  return out + "\n";
}

}  // namespace

Comparison compare(const Results& before, const Results& after, const Threshold& threshold) {
  std::map<Key, const Record*> old;
  for (const Record& record : before.records) old[key_of(record)] = &record;
  Comparison out;
  std::set<Key> seen;
  for (const Record& record : after.records) {
    seen.insert(key_of(record));
    if (const auto it = old.find(key_of(record)); it != old.end())
      file({*it->second, record}, threshold, out);
    else
      out.only_after.push_back(record);
  }
  for (const Record& record : before.records)
    if (!seen.contains(key_of(record))) out.only_before.push_back(record);
  std::ranges::stable_sort(out.slower, std::ranges::greater{}, ratio);
  std::ranges::stable_sort(out.faster, std::ranges::less{}, ratio);
  return out;
}

std::string comparison_text(const Results& before, const Results& after,
                            const Comparison& comparison) {
  return settings_text(before.header, after.header) +
         list_text("changed verdicts", comparison.flipped, change_line) +
         list_text("newly solved", comparison.solved, change_line) +
         list_text("lost", comparison.lost, change_line) +
         list_text("faster", comparison.faster, time_line) +
         list_text("slower", comparison.slower, time_line) + summary_line(comparison);
}

}  // namespace heddle::output::bench
