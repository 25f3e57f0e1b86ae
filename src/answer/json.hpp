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

/// A verdict with its evidence, as it travels from a child process and as it is stored. It is read
/// as one about a model of that kind.
nlohmann::json verdict_to_json(const Verdict& verdict);
std::expected<Verdict, std::string> verdict_from_json(const nlohmann::json& json,
                                                      const model::AnyKind& kind);

/// A stored answer: the question that it answers, and the verdict.
struct StoredEvidence {
  model::AnyKind kind;
  std::string engine;
  model::AnyQuestion question;
  Verdict verdict;
};

std::string write_evidence(const StoredEvidence& evidence);
std::expected<StoredEvidence, std::string> read_evidence(std::string_view text);

/// What an engine's child process sends to the driver.
struct EngineMessage {
  Verdict verdict;
  base::Statistics statistics;
  std::optional<CheckResult> check = {};  ///< of the verdict as it is written here
};

std::string write_message(const EngineMessage& message);
std::expected<EngineMessage, std::string> read_message(std::string_view text,
                                                       const model::AnyKind& kind);

std::string write_check(const CheckResult& result);
std::expected<CheckResult, std::string> read_check(std::string_view text);

}  // namespace heddle::answer
