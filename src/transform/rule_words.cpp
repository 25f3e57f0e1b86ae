#include "transform/rule_words.hpp"

namespace heddle::transform {

std::string rule_in_words(const model::PetriTransition& rule, std::size_t index) {
  std::string out = "rule " + std::to_string(index + 1);
  if (!rule.name.empty()) out += " '" + rule.name + "'";
  if (rule.line > 0) out += " (line " + std::to_string(rule.line) + ")";
  return out;
}

}  // namespace heddle::transform
