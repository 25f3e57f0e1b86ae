#include "library/answer.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace heddle::library {

namespace {

using nlohmann::json;

std::optional<std::string> text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

/// Numbers up to 2^53 are numbers, larger ones are digits; nobody counts steps beyond.
std::int64_t number_at(const json& object, const char* key, std::int64_t otherwise) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return otherwise;
  return found->get<std::int64_t>();
}

std::string in_words(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Keeps a text as long as the answer lives.
const char* keep(heddle_answer& answer, std::string text) {
  return answer.texts.emplace_back(std::move(text)).c_str();
}
const char* keep(heddle_answer& answer, const std::optional<std::string>& text) {
  return text ? keep(answer, *text) : nullptr;
}

heddle_step step_of(heddle_answer& answer, const json& row) {
  auto& details = answer.details.emplace_back();
  for (const char* key : {"details", "notes"})
    for (const json& text : row.at(key)) details.push_back(keep(answer, in_words(text)));
  auto& changes = answer.changes.emplace_back();
  for (const json& change : row.at("changes"))
    changes.push_back({keep(answer, in_words(change.at("name"))), number_at(change, "thread", -1),
                       keep(answer, in_words(change.at("value")))});
  heddle_step step{};
  step.first = number_at(row, "first", 0);
  step.last = number_at(row, "last", 0);
  step.thread = number_at(row, "thread", -1);
  step.name = keep(answer, in_words(row.at("name")));
  step.text = keep(answer, in_words(row.at("text")));
  step.details = details.data();
  step.detail_count = details.size();
  step.file = keep(answer, text_at(row, "file"));
  step.line = number_at(row, "line", 0);
  step.column = number_at(row, "column", 0);
  step.changes = changes.data();
  step.change_count = changes.size();
  return step;
}

void take_proof(heddle_answer& answer, const json& proof) {
  for (const json& words : proof.at("words")) answer.proof.push_back(words.get<std::string>());
  for (const json& line : proof.at("lines"))
    answer.invariants.push_back({keep(answer, in_words(line.at("threads"))),
                                 keep(answer, in_words(line.at("holds"))),
                                 keep(answer, text_at(line, "file")), number_at(line, "line", 0),
                                 number_at(line, "column", 0)});
}

heddle_verdict verdict_of(const std::string& word) {
  static const std::map<std::string, heddle_verdict> verdicts{{"safe", HEDDLE_SAFE},
                                                              {"unsafe", HEDDLE_UNSAFE},
                                                              {"safe_up_to", HEDDLE_SAFE_UP_TO},
                                                              {"unknown", HEDDLE_UNKNOWN},
                                                              {"cutoff", HEDDLE_CUTOFF_FOUND}};
  return verdicts.at(word);
}

}  // namespace

void take_json(heddle_answer& answer, json object) {
  answer.verdict = verdict_of(object.at("verdict").get<std::string>());
  answer.reason = text_at(object, "reason");
  answer.detail = text_at(object, "detail");
  answer.engine = text_at(object, "engine");
  answer.headline = text_at(object, "headline").value_or("");
  answer.cutoff = number_at(object, "cutoff", -1);
  answer.seconds = object.value("seconds", 0.0);
  if (const auto bound = object.find("bound"); bound != object.end() && bound->is_object())
    answer.bound = in_words(bound->at("value")) + " " + bound->at("what").get<std::string>();
  const json& evidence = object.at("evidence");
  answer.evidence_kind = evidence.at("kind").get<std::string>();
  answer.check_text = evidence.at("why").get<std::string>();
  answer.confirmed = evidence.at("status") == "confirmed";
  if (const auto run = object.find("run"); run != object.end() && run->is_object()) {
    for (const json& row : run->at("steps")) answer.steps.push_back(step_of(answer, row));
    answer.reached = run->at("reached").get<std::string>();
  }
  if (const auto proof = object.find("proof"); proof != object.end() && proof->is_object())
    take_proof(answer, *proof);
  answer.json = object.dump(2);
}

}  // namespace heddle::library

namespace {

const char* or_null(const std::optional<std::string>& text) {
  return text ? text->c_str() : nullptr;
}

}  // namespace

void heddle_answer_free(heddle_answer* answer) { delete answer; }

heddle_verdict heddle_answer_verdict(const heddle_answer* answer) { return answer->verdict; }
heddle_failure_kind heddle_failure(const heddle_answer* answer) { return answer->failure; }
const char* heddle_error(const heddle_answer* answer) { return answer->errors.c_str(); }
const char* heddle_headline(const heddle_answer* answer) { return answer->headline.c_str(); }
const char* heddle_reason(const heddle_answer* answer) { return or_null(answer->reason); }
const char* heddle_detail(const heddle_answer* answer) { return or_null(answer->detail); }
const char* heddle_bound(const heddle_answer* answer) { return or_null(answer->bound); }
int64_t heddle_cutoff(const heddle_answer* answer) { return answer->cutoff; }
const char* heddle_engine(const heddle_answer* answer) { return or_null(answer->engine); }
double heddle_seconds(const heddle_answer* answer) { return answer->seconds; }
int heddle_confirmed(const heddle_answer* answer) { return answer->confirmed ? 1 : 0; }
const char* heddle_evidence_kind(const heddle_answer* answer) {
  return answer->evidence_kind.c_str();
}
const char* heddle_check_text(const heddle_answer* answer) { return answer->check_text.c_str(); }
const char* heddle_evidence(const heddle_answer* answer) { return or_null(answer->evidence); }
const char* heddle_json(const heddle_answer* answer) { return or_null(answer->json); }
const char* heddle_output(const heddle_answer* answer) { return answer->output.c_str(); }
size_t heddle_step_count(const heddle_answer* answer) { return answer->steps.size(); }
const heddle_step* heddle_step_at(const heddle_answer* answer, size_t index) {
  return index < answer->steps.size() ? &answer->steps[index] : nullptr;
}
const char* heddle_reached(const heddle_answer* answer) { return or_null(answer->reached); }
size_t heddle_proof_line_count(const heddle_answer* answer) { return answer->proof.size(); }
const char* heddle_proof_line(const heddle_answer* answer, size_t index) {
  return index < answer->proof.size() ? answer->proof[index].c_str() : nullptr;
}
size_t heddle_invariant_count(const heddle_answer* answer) { return answer->invariants.size(); }
const heddle_invariant* heddle_invariant_at(const heddle_answer* answer, size_t index) {
  return index < answer->invariants.size() ? &answer->invariants[index] : nullptr;
}
