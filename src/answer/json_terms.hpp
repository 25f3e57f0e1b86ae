#pragma once

/// Terms as JSON: a list in which each term is an array of its operator and the indices of its
/// arguments, which stand before it. Terms that occur often are listed once. Private to src/answer.

#include <nlohmann/json_fwd.hpp>
#include <unordered_map>
#include <vector>

#include "answer/json_node.hpp"
#include "term/term.hpp"

namespace heddle::answer {

class TermWriter {
 public:
  TermWriter();
  ~TermWriter();
  /// The index of a term, which is added with its arguments.
  std::uint32_t add(const term::Term& term);
  nlohmann::json take();

 private:
  std::unordered_map<const void*, std::uint32_t> known_;
  std::vector<term::Term> kept_;  ///< so that identities stay
  std::vector<nlohmann::json> list_;
};

/// All terms of a list. Fails, and gives back fewer, if one is not well-formed.
std::vector<term::Term> terms_from_json(const JsonNode& node);

}  // namespace heddle::answer
