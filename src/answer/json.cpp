#include "answer/json.hpp"

#include <algorithm>
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
    UnknownReason::Unsupported, UnknownReason::Incomplete,      UnknownReason::Unconfirmed,
    UnknownReason::EngineFailed};

constexpr std::array kBoundKinds = {BoundKind::Contexts, BoundKind::Threads};

constexpr std::array kStatuses = {EvidenceStatus::Confirmed, EvidenceStatus::NotChecked,
                                  EvidenceStatus::Refuted, EvidenceStatus::OtherQuestion};

json payload(const Safe& safe) { return {{"certificate", certificate_to_json(safe.certificate)}}; }

json payload(const Unsafe& unsafe) {
  return {{"trace", std::visit([](const auto& run) { return run_to_json(run); }, unsafe.trace)}};
}

json payload(const SafeUpTo& safe) {
  return {{"bound",
           {{"what", to_string(safe.bound.what)}, {"value", integer_to_json(safe.bound.value)}}},
          {"certificate", certificate_to_json(safe.certificate)}};
}

json payload(const Cutoff& cutoff) { return cutoff_to_json(cutoff); }

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
  node.expect_fields({"verdict", "bound", "certificate"});
  const JsonNode bound = node.field("bound");
  bound.expect_fields({"what", "value"});
  return {{enumerator_from(bound.field("what"), kBoundKinds), bound.field("value").count()},
          certificate_from_json(node.field("certificate"))};
}

Unknown unknown_from(const JsonNode& node) {
  node.expect_fields({"verdict", "reason", "detail"});
  return {enumerator_from(node.field("reason"), kUnknownReasons), node.field("detail").text()};
}

Verdict verdict_from(const JsonNode& node, const model::AnyKind& kind) {
  switch (node.field("verdict").one_of({"safe", "unsafe", "safe_up_to", "cutoff", "unknown"})) {
    case 0:
      node.expect_fields({"verdict", "certificate"});
      return Safe{certificate_from_json(node.field("certificate"))};
    case 1:
      node.expect_fields({"verdict", "trace"});
      return Unsafe{run_from_json(node.field("trace"), kind)};
    case 2: return safe_up_to_from(node);
    case 3: return cutoff_from_json(node);
    default: return unknown_from(node);
  }
}

/// Fails unless this is a document of this version.
void expect_evidence(const JsonNode& node) {
  const JsonNode version = node.field("heddle_evidence");
  if (const Integer found = version.integer(); found != kEvidenceVersion)
    version.fail("version " + base::to_string(found) + " of stored evidence is not known, only " +
                 std::to_string(kEvidenceVersion));
  node.expect_fields({"heddle_evidence", "model_kind", "engine", "question", "answer"});
}

model::AnyKind kind_from(const JsonNode& node) {
  const std::string name = node.name();
  const auto kind = model::find_kind(name);
  if (!kind) node.fail("'" + name + "' is not a kind of model");
  return kind.value_or(model::AnyKind());
}

StoredEvidence evidence_from(const JsonNode& node) {
  expect_evidence(node);
  const model::AnyKind kind = kind_from(node.field("model_kind"));
  return {kind, node.field("engine").name(), question_from_json(node.field("question"), kind),
          verdict_from(node.field("answer"), kind)};
}

base::Statistics statistics_from(const JsonNode& node) {
  base::Statistics statistics;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const JsonNode pair = node.item(i);
    pair.expect_size(2);
    statistics.set(pair.item(0).text(), pair.item(1).real());
  }
  return statistics;
}

json warning_to_json(const base::Diagnostic& warning) {
  return {{"file", warning.location.file},
          {"line", warning.location.line},
          {"column", warning.location.column},
          {"message", warning.message},
          {"hint", warning.hint}};
}

base::Diagnostic warning_from(const JsonNode& node) {
  node.expect_fields({"file", "line", "column", "message", "hint"});
  base::Diagnostic warning;
  warning.severity = base::Severity::Warning;
  warning.location = {node.field("file").text(), node.field("line").number(),
                      node.field("column").number()};
  warning.message = node.field("message").text();
  warning.hint = node.field("hint").text();
  return warning;
}

json check_to_json(const CheckResult& result) {
  json warnings = json::array();
  for (const base::Diagnostic& warning : result.warnings)
    warnings.push_back(warning_to_json(warning));
  return {{"status", to_string(result.status)}, {"why", result.why}, {"warnings", warnings}};
}

CheckResult check_from(const JsonNode& node) {
  node.expect_fields({"status", "why", "warnings"});
  CheckResult result{enumerator_from(node.field("status"), kStatuses), node.field("why").text()};
  const JsonNode warnings = node.field("warnings");
  for (std::size_t i = 0; i < warnings.size(); ++i)
    result.warnings.push_back(warning_from(warnings.item(i)));
  return result;
}

EngineMessage message_from(const JsonNode& node, const model::AnyKind& kind) {
  node.expect_fields({"answer", "statistics"}, {"check"});
  EngineMessage message{verdict_from(node.field("answer"), kind),
                        statistics_from(node.field("statistics"))};
  if (node.has("check")) message.check = check_from(node.field("check"));
  return message;
}

template <class T, class... Kind>
std::expected<T, std::string> read_document(const json& document,
                                            T (*read)(const JsonNode&, const Kind&...),
                                            const Kind&... kind) {
  JsonProblem problem;
  T value = read(JsonNode(document, problem), kind...);
  if (problem) return std::unexpected(std::move(*problem));
  return value;
}

template <class T, class... Kind>
std::expected<T, std::string> read_text(std::string_view text,
                                        T (*read)(const JsonNode&, const Kind&...),
                                        const Kind&... kind) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return std::unexpected("the text is not valid JSON");
  return read_document(document, read, kind...);
}

/// Reads JSON for its end alone.
struct EndOfJson final : nlohmann::json_sax<json> {
  std::size_t byte = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t at, const std::string&, const json::exception&) override {
    byte = at;
    return false;
  }
};

/// One line. Bytes that are not UTF-8 (from a file name, say) are replaced, not thrown over.
std::string write_text(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::optional<std::size_t> end_of_json(std::string_view text) {
  EndOfJson end;
  if (json::sax_parse(text, &end)) return std::nullopt;
  return std::min(text.size(), end.byte == 0 ? 0 : end.byte - 1);
}

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

std::expected<Verdict, std::string> verdict_from_json(const json& document,
                                                      const model::AnyKind& kind) {
  return read_document(document, verdict_from, kind);
}

std::string write_evidence(const StoredEvidence& evidence) {
  return write_text({{"heddle_evidence", kEvidenceVersion},
                     {"model_kind", model::kind_name(evidence.kind)},
                     {"engine", evidence.engine},
                     {"question", question_to_json(evidence.question)},
                     {"answer", verdict_to_json(evidence.verdict)}});
}

std::expected<StoredEvidence, std::string> read_evidence(std::string_view text) {
  return read_text(text, evidence_from);
}

namespace {

json statistics_to_json(const base::Statistics& statistics) {
  json list = json::array();
  for (const auto& [name, value] : statistics.entries()) list.push_back(json::array({name, value}));
  return list;
}

}  // namespace

std::string write_message(const EngineMessage& message) {
  json fields = {{"answer", verdict_to_json(message.verdict)},
                 {"statistics", statistics_to_json(message.statistics)}};
  if (message.check) fields["check"] = check_to_json(*message.check);
  return write_text(std::move(fields));
}

std::expected<EngineMessage, std::string> read_message(std::string_view text,
                                                       const model::AnyKind& kind) {
  return read_text(text, message_from, kind);
}

std::string write_check(const CheckResult& result) { return write_text(check_to_json(result)); }

std::expected<CheckResult, std::string> read_check(std::string_view text) {
  return read_text(text, check_from);
}

}  // namespace heddle::answer
