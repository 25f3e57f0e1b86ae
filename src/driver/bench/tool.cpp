#include "driver/bench/tool.hpp"
#include "driver/exit_code.hpp"
#include "driver/shell.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace heddle::driver::bench {

namespace {

using nlohmann::json;
using output::bench::CaseOutcome;
using output::bench::Record;

/// What Heddle may take beyond its time before it counts as stuck: it kills its own children
/// within a fraction of this.
constexpr std::chrono::duration<double> kGrace{5};
constexpr std::size_t kLongestLine = 4096;  // std::regex recurses over a line
constexpr int kShellCannotRun = 126;
constexpr int kShellCannotFind = 127;

void replace_all(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

Command own_command(const OwnTool& own, const Case& entry, const Limits& limits) {
  Command command{
      {own.program, "verify", entry.file, "--json", "--settings=none"}, std::nullopt, std::nullopt};
  const auto add = [&](const char* option, std::string value) {
    command.words.insert(command.words.end(), {option, std::move(value)});
  };
  if (!entry.format.empty()) add("--format", entry.format);
  if (!entry.target.empty()) add("--property", entry.target);
  if (!entry.initial.empty()) add("--initial", entry.initial);
  if (limits.time) add("--timeout", fmt::format("{:g}", limits.time->count()));
  if (limits.memory_mb) add("--memory", std::to_string(*limits.memory_mb));
  command.words.insert(command.words.end(), own.arguments.begin(), own.arguments.end());
  if (limits.time) command.limit = *limits.time + kGrace;
  return command;
}

Command other_command(const OtherTool& other, const Case& entry, const Limits& limits) {
  std::string text = other.command;
  const std::string time = limits.time ? fmt::format("{:g}", limits.time->count()) : "";
  const std::string memory = limits.memory_mb ? std::to_string(*limits.memory_mb) : "";
  replace_all(text, "{file}", shell_quoted(entry.file));
  replace_all(text, "{target}", shell_quoted(entry.target));
  replace_all(text, "{initial}", shell_quoted(entry.initial));
  replace_all(text, "{timeout}", time);
  replace_all(text, "{memory}", memory);
  return {{"/bin/sh", "-c", text}, limits.time, limits.memory_mb};
}

bool is_definite(Claim claim) { return claim != Claim::Unknown; }

/// Why there is no answer, if the process did not end by itself.
std::string violent_end(const ProcessEnd& end) {
  if (end.overdue) return "timeout";
  return end.signal ? fmt::format("killed by signal {}", *end.signal) : std::string();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string text_at(const json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

CaseOutcome own_outcome(const Record& record, int code) {
  if (code == kRefuted) return CaseOutcome::Unconfirmed;
  if (!is_definite(record.verdict))
    return code == kUnknown || code == kSafeUpTo ? CaseOutcome::Unknown : CaseOutcome::Error;
  if (code != (record.verdict == Claim::Safe ? kDone : kUnsafe)) return CaseOutcome::Error;
  if (is_definite(record.expected) && record.expected != record.verdict) return CaseOutcome::Wrong;
  return record.evidence == "confirmed" ? CaseOutcome::Solved : CaseOutcome::Unconfirmed;
}

void read_own_answer(const ProcessEnd& end, Record& record) {
  const json answer = json::parse(end.output, nullptr, false);
  if (end.code == kBadInput) {
    record.outcome = CaseOutcome::Refused;
    record.reason = first_line(end.errors);
  } else if (!end.code || !answer.is_object()) {
    record.outcome = end.overdue ? CaseOutcome::Unknown : CaseOutcome::Error;
    record.reason = end.code ? fmt::format("exit code {}: {}", *end.code, first_line(end.errors))
                             : violent_end(end);
  } else {
    record.verdict = output::bench::claim_of(text_at(answer, "verdict")).value_or(Claim::Unknown);
    record.reason = text_at(answer, "reason");
    record.task_class = text_at(answer, "task_class");
    if (const auto evidence = answer.find("evidence"); evidence != answer.end())
      record.evidence = text_at(*evidence, "status");
    record.outcome = own_outcome(record, *end.code);
  }
}

bool occurs(const std::regex& pattern, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, std::min(end, kLongestLine));
    if (std::regex_search(line.begin(), line.end(), pattern)) return true;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return false;
}

Claim claim_in(const VerdictRules& rules, const ProcessEnd& end) {
  if (rules.unsafe_exit && end.code == rules.unsafe_exit) return Claim::Unsafe;
  if (rules.safe_exit && end.code == rules.safe_exit) return Claim::Safe;
  for (const auto& [pattern, claim] :
       {std::pair{&rules.unsafe, Claim::Unsafe}, std::pair{&rules.safe, Claim::Safe}})
    if (occurs(*pattern, end.output) || occurs(*pattern, end.errors)) return claim;
  return Claim::Unknown;
}

/// A verdict that was printed counts, however the process ended after it.
void read_other_answer(const VerdictRules& rules, const ProcessEnd& end, Record& record) {
  record.reason = violent_end(end);
  const bool not_started = end.code == kShellCannotRun || end.code == kShellCannotFind;
  if (!end.overdue && !not_started) record.verdict = claim_in(rules, end);
  if (is_definite(record.verdict)) {
    const bool wrong = is_definite(record.expected) && record.expected != record.verdict;
    record.outcome = wrong ? CaseOutcome::Wrong : CaseOutcome::Solved;
  } else {
    record.outcome = end.signal || not_started ? CaseOutcome::Error : CaseOutcome::Unknown;
    if (record.reason.empty()) record.reason = fmt::format("exit code {}", *end.code);
    if (not_started) record.reason += ": " + first_line(end.errors);
  }
}

}  // namespace

Command command_for(const Tool& tool, const Case& entry, const Limits& limits) {
  if (const auto* own = std::get_if<OwnTool>(&tool.how)) return own_command(*own, entry, limits);
  return other_command(std::get<OtherTool>(tool.how), entry, limits);
}

Record judge(const Tool& tool, const Case& entry, const ProcessEnd& end) {
  Record record{.path = entry.path, .tool = tool.name, .expected = entry.expected};
  record.seconds = end.seconds;
  record.cpu_seconds = end.cpu_seconds;
  record.peak_memory_mb = end.peak_memory_mb;
  if (const auto* other = std::get_if<OtherTool>(&tool.how))
    read_other_answer(other->rules, end, record);
  else
    read_own_answer(end, record);
  return record;
}

}  // namespace heddle::driver::bench
