#pragma once

/// The JSON forms of verdicts and evidence, documented in docs/evidence.md and
/// docs/answer.schema.json. Reading is total: any text gives a value or a message, never an
/// exception.

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/cutoff.hpp"
#include "answer/report.hpp"
#include "answer/verdict.hpp"
#include "model/task.hpp"

namespace heddle::answer {

/// How many bytes there are before the text stops being JSON, or before a number that nothing can
/// hold; nothing if all of it can be read.
std::optional<std::size_t> end_of_json(std::string_view text);

/// An exact integer: a JSON number up to 2^53, a decimal string above.
nlohmann::json integer_to_json(const base::Integer& value);

/// A verdict with its evidence, as it travels from a child process and as it is stored.
nlohmann::json verdict_to_json(const Verdict& verdict);
std::expected<Verdict, std::string> verdict_from_json(const nlohmann::json& json);

/// A stored answer: the question that it answers, and the verdict.
struct StoredEvidence {
  std::string model_kind;  ///< model::kind_name
  std::string engine;
  model::Question question;
  Verdict verdict;
};

std::string write_evidence(const StoredEvidence& evidence);
std::expected<StoredEvidence, std::string> read_evidence(std::string_view text);

/// What an engine's child process sends to the driver.
struct EngineMessage {
  Verdict verdict;
  base::Statistics statistics;
};

std::string write_message(const EngineMessage& message);
std::expected<EngineMessage, std::string> read_message(std::string_view text);

/// The same two for cutoffs.
struct StoredCutoff {
  std::string model_kind;
  std::string engine;
  std::vector<model::Region> initial;
  Cutoff cutoff;
};

std::string write_cutoff_evidence(const StoredCutoff& evidence);
std::expected<StoredCutoff, std::string> read_cutoff_evidence(std::string_view text);
/// Is this evidence of a cutoff, as far as one can tell before reading it?
bool is_cutoff_evidence(std::string_view text);

struct CutoffMessage {
  CutoffAnswer answer;
  base::Statistics statistics;
};

std::string write_cutoff_message(const CutoffMessage& message);
std::expected<CutoffMessage, std::string> read_cutoff_message(std::string_view text);

std::string write_check(const CheckResult& result);
std::expected<CheckResult, std::string> read_check(std::string_view text);

}  // namespace heddle::answer
