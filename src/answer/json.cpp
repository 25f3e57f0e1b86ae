#include "answer/json.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "answer/json_parts.hpp"

namespace heddle::answer {

using base::Integer;
using nlohmann::json;

namespace {

constexpr std::int64_t kGreatestJsonNumber = std::int64_t{1} << 53;
constexpr int kEvidenceVersion = 1;

constexpr std::array kUnknownReasons = {
    UnknownReason::TimeLimit,   UnknownReason::MemoryLimit,     UnknownReason::StepLimit,
    UnknownReason::Cancelled,   UnknownReason::CounterOverflow, UnknownReason::NotMonotone,
    UnknownReason::Unsupported, UnknownReason::Unconfirmed,     UnknownReason::EngineFailed};

constexpr std::array kStatuses = {EvidenceStatus::Confirmed, EvidenceStatus::NotChecked,
                                  EvidenceStatus::Refuted};

json payload(const Safe& safe) { return {{"certificate", certificate_to_json(safe.certificate)}}; }

json payload(const Unsafe& unsafe) { return {{"trace", trace_to_json(unsafe.trace)}}; }

json payload(const SafeUpTo& safe) {
  return {{"bound", {{"what", safe.bound.what}, {"value", integer_to_json(safe.bound.value)}}}};
}

json payload(const Unknown& unknown) {
  return {{"reason", to_string(unknown.reason)}, {"detail", unknown.detail}};
}

/// The enumerator whose name stands in the node.
template <class Enumerators>
typename Enumerators::value_type enumerator_from(const JsonNode& node, const Enumerators& all) {
  const std::string name = node.text();
  for (const auto candidate : all)
    if (to_string(candidate) == name) return candidate;
  node.fail("'" + name + "' is not known here");
  return all.front();
}

SafeUpTo safe_up_to_from(const JsonNode& node) {
  node.expect_fields({"verdict", "bound"});
  const JsonNode bound = node.field("bound");
  bound.expect_fields({"what", "value"});
  return {{bound.field("what").text(), bound.field("value").count()}};
}

Unknown unknown_from(const JsonNode& node) {
  node.expect_fields({"verdict", "reason", "detail"});
  return {enumerator_from(node.field("reason"), kUnknownReasons), node.field("detail").text()};
}

Verdict verdict_from(const JsonNode& node) {
  switch (node.field("verdict").one_of({"safe", "unsafe", "safe_up_to", "unknown"})) {
    case 0:
      node.expect_fields({"verdict", "certificate"});
      return Safe{certificate_from_json(node.field("certificate"))};
    case 1:
      node.expect_fields({"verdict", "trace"});
      return Unsafe{trace_from_json(node.field("trace"))};
    case 2: return safe_up_to_from(node);
    default: return unknown_from(node);
  }
}

StoredEvidence evidence_from(const JsonNode& node) {
  const JsonNode version = node.field("heddle_evidence");
  if (const Integer found = version.integer(); found != kEvidenceVersion)
    version.fail("version " + base::to_string(found) + " of stored evidence is not known, only " +
                 std::to_string(kEvidenceVersion));
  node.expect_fields({"heddle_evidence", "model_kind", "engine", "question", "answer"});
  return {node.field("model_kind").text(), node.field("engine").text(),
          question_from_json(node.field("question")), verdict_from(node.field("answer"))};
}

EngineMessage message_from(const JsonNode& node) {
  node.expect_fields({"answer", "statistics"});
  EngineMessage message{verdict_from(node.field("answer")), {}};
  const JsonNode statistics = node.field("statistics");
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const JsonNode pair = statistics.item(i);
    pair.expect_size(2);
    message.statistics.set(pair.item(0).text(), pair.item(1).real());
  }
  return message;
}

CheckResult check_from(const JsonNode& node) {
  node.expect_fields({"status", "why"});
  return {enumerator_from(node.field("status"), kStatuses), node.field("why").text()};
}

template <class T>
std::expected<T, std::string> read_document(const json& document, T (*read)(const JsonNode&)) {
  JsonProblem problem;
  T value = read(JsonNode(document, problem));
  if (problem) return std::unexpected(std::move(*problem));
  return value;
}

template <class T>
std::expected<T, std::string> read_text(std::string_view text, T (*read)(const JsonNode&)) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return std::unexpected("the text is not valid JSON");
  return read_document(document, read);
}

/// One line. Bytes that are not UTF-8 (from a file name, say) are replaced, not thrown over.
std::string write_text(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

json integer_to_json(const Integer& value) {
  const auto machine = base::to_int64(value);
  if (machine && *machine <= kGreatestJsonNumber && *machine >= -kGreatestJsonNumber)
    return *machine;
  return base::to_string(value);
}

json verdict_to_json(const Verdict& verdict) {
  json object = std::visit([](const auto& which) { return payload(which); }, verdict);
  object["verdict"] = verdict_name(verdict);
  return object;
}

std::expected<Verdict, std::string> verdict_from_json(const json& document) {
  return read_document(document, verdict_from);
}

std::string write_evidence(const StoredEvidence& evidence) {
  return write_text({{"heddle_evidence", kEvidenceVersion},
                     {"model_kind", evidence.model_kind},
                     {"engine", evidence.engine},
                     {"question", question_to_json(evidence.question)},
                     {"answer", verdict_to_json(evidence.verdict)}});
}

std::expected<StoredEvidence, std::string> read_evidence(std::string_view text) {
  return read_text(text, evidence_from);
}

std::string write_message(const EngineMessage& message) {
  json statistics = json::array();
  for (const auto& [name, value] : message.statistics.entries())
    statistics.push_back(json::array({name, value}));
  return write_text(
      {{"answer", verdict_to_json(message.verdict)}, {"statistics", std::move(statistics)}});
}

std::expected<EngineMessage, std::string> read_message(std::string_view text) {
  return read_text(text, message_from);
}

std::string write_check(const CheckResult& result) {
  return write_text({{"status", to_string(result.status)}, {"why", result.why}});
}

std::expected<CheckResult, std::string> read_check(std::string_view text) {
  return read_text(text, check_from);
}

}  // namespace heddle::answer
