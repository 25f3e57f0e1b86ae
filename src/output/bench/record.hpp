#pragma once

/// What a benchmark run measured: one record per case and tool. Data only.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::output::bench {

/// What an index expects, or a tool says. A verdict up to a bound claims nothing here.
enum class Claim { Safe, Unsafe, Unknown };

std::string_view to_string(Claim claim);
std::optional<Claim> claim_of(std::string_view word);

/// How a case went.
enum class CaseOutcome {
  Solved,       ///< a definite verdict that nothing speaks against
  Wrong,        ///< a definite verdict that contradicts the index
  Unconfirmed,  ///< Heddle's evidence was not confirmed, or was refuted
  Unknown,      ///< no definite verdict: a limit was reached, or the tool gave up
  Refused,      ///< the tool does not accept the input
  Error,        ///< the tool failed
};

std::string_view to_string(CaseOutcome outcome);
std::optional<CaseOutcome> outcome_of(std::string_view word);

struct Record {
  std::string path;  ///< as the suite names it
  std::string tool;
  CaseOutcome outcome = CaseOutcome::Unknown;
  Claim expected = Claim::Unknown;
  Claim verdict = Claim::Unknown;
  std::string evidence{};  ///< its status; empty for tools without evidence
  std::string reason{};    ///< why there is no verdict; may be empty
  double seconds = 0;      ///< on the wall clock
  double cpu_seconds = 0;
  double peak_memory_mb = 0;
  std::string task_class{};  ///< as Heddle describes the task; may be empty
  std::string key{};         ///< what was run (driver/bench/case_key.hpp); empty: nobody can tell

  friend bool operator==(const Record&, const Record&) = default;
};

/// Name and value, in order: version, date, machine, settings.
using Header = std::vector<std::pair<std::string, std::string>>;

struct Results {
  Header header;
  std::vector<Record> records;
};

/// The value of a header line; empty if there is none.
std::string header_value(const Header& header, std::string_view name);

/// The first two folders of a path: what the tables group by. "." if there is no folder.
std::string family_of(std::string_view path);

/// The tools in order of their first record.
std::vector<std::string> tools_of(const std::vector<Record>& records);

}  // namespace heddle::output::bench
