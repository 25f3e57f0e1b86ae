#pragma once

/// Answers of any kind as stored evidence, offered to the checker: of the model that they are
/// about, of another one, or corrupted. Whether what is confirmed is true is for the naive searches
/// to say.

#include <cstdint>
#include <expected>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "answer/json.hpp"
#include "model/task.hpp"
#include "support/agreement.hpp"
#include "support/truth.hpp"

namespace heddle::test {

struct Claim {
  std::string kind;  ///< "Petri net: backward_basis", "pushdown system: trace"
  nlohmann::json document;
  answer::StoredEvidence stored;
};

/// Every kind of claim that there is, whether or not an engine makes it: what tests have to meet.
std::vector<std::string> all_claim_kinds();

/// What engines say about the task, with their evidence; each claim once, none above 40 kB. Cutoffs
/// are among them.
std::vector<Claim> claims_about(const model::AnyTask& task, std::uint64_t steps);

struct Judgement {
  enum class Outcome { Rejected, Refuted, True, Undecided, False };
  Outcome outcome;
  std::string why;  ///< what the checker or the truth says
};

/// Has the claim checked as an answer to the task, whatever question it was made for, and compares
/// what is confirmed with the truth about the task.
Judgement judge_claim(const model::AnyTask& task, const answer::StoredEvidence& stored,
                      const Truth& truth);

/// Reads a document about the task's model and judges it as an answer to its own question.
Judgement judge_document(const model::AnyTask& task, const nlohmann::json& document,
                         const Truth& truth);

/// Counts judgements by kind of claim.
class ClaimScore {
 public:
  void add(const std::string& kind, const Judgement& judgement) {
    ++counts_[kind][static_cast<std::size_t>(judgement.outcome)];
  }
  std::size_t tried(const std::string& kind) const;
  std::size_t count(const std::string& kind, Judgement::Outcome outcome) const;
  void merge(const ClaimScore& other);
  std::string summary() const;  ///< a line for each kind

 private:
  std::map<std::string, std::size_t[5]> counts_;
};

}  // namespace heddle::test
