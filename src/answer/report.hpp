#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/projection.hpp"
#include "answer/verdict.hpp"
#include "base/diagnostic.hpp"
#include "base/run_context.hpp"

namespace heddle::answer {

/// `OtherQuestion`: whether it is right is left open, because it answers a question that was not
/// put.
enum class EvidenceStatus { Confirmed, NotChecked, Refuted, OtherQuestion };

/// "confirmed", "not_checked", "refuted", "other_question"
std::string_view to_string(EvidenceStatus status);

/// What a checker says about a claim.
struct CheckResult {
  EvidenceStatus status = EvidenceStatus::NotChecked;
  std::string why;  ///< what was checked if it is confirmed, otherwise the reason
  /// What the check has come across in the model, and the question does not ask about.
  base::Diagnostics warnings = {};
};

/// How one engine of the portfolio fared.
struct EngineRun {
  std::string engine;
  std::string outcome;  ///< a verdict name, "stopped", "not accepted", "crashed", "refuted", …
  std::string detail;
  double seconds = 0;
  double peak_memory_mb = 0;
};

/// The answer to a task, as shown to a person, a script or a stored file.
struct Report {
  Verdict verdict = Unknown{};
  CheckResult check;
  std::string engine;  ///< whose claim it is; empty if there is none
  /// The refuted or unconfirmed claim behind an Unknown verdict: its verdict name, or empty.
  std::string claim;
  std::optional<Bound> claimed_bound;  ///< of such a claim, if it is one up to a bound
  double seconds = 0;
  double peak_memory_mb = 0;  ///< of the largest child process
  base::Statistics statistics;
  std::vector<EngineRun> runs;           ///< in the order in which engines are started
  std::string task_class;                ///< what that order depends on, in words; may be empty
  std::optional<Projection> projection;  ///< if asked for
  /// Of a C program that is safe: an execution, confirmed, that ends in what C does not define.
  std::optional<Unsafe> fault;

  /// Behind the verdict, which is Unknown, is this claim.
  void set_claim(const Verdict& claimed) {
    claim = verdict_name(claimed);
    if (const auto* bounded = std::get_if<SafeUpTo>(&claimed)) claimed_bound = bounded->bound;
  }
};

}  // namespace heddle::answer
