#pragma once

/// What stands behind `heddle_answer`: the JSON that the program printed, and its parts as C data.

#include <heddle/heddle.h>

#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

struct heddle_answer {
  heddle_verdict verdict = HEDDLE_FAILED;
  heddle_failure_kind failure = HEDDLE_NO_FAILURE;
  std::string errors;  ///< what the program wrote to standard error
  std::string headline, check_text, output;
  std::string evidence_kind = "none";
  std::optional<std::string> reason, detail, bound, engine, evidence, json, reached;
  std::int64_t cutoff = -1;
  double seconds = 0;
  bool confirmed = false;
  std::vector<heddle_step> steps;
  std::vector<std::string> proof;
  std::vector<heddle_invariant> invariants;

  // What `steps` and `invariants` point to: in deques, where nothing moves.
  std::deque<std::string> texts;
  std::deque<std::vector<const char*>> details;
  std::deque<std::vector<heddle_change>> changes;
};

namespace heddle::library {

/// Takes what the program printed with --json. Throws if it is not what the schema says.
void take_json(heddle_answer& answer, nlohmann::json json);

}  // namespace heddle::library
