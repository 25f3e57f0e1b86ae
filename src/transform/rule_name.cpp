#include "transform/rule_name.hpp"

namespace heddle::transform {

std::string rule_name(const model::PetriTransition& rule, std::size_t index) {
  std::string out = "rule " + std::to_string(index);
  if (!rule.name.empty()) out += " '" + rule.name + "'";
  if (rule.line > 0) out += " (line " + std::to_string(rule.line) + ")";
  return out;
}

}  // namespace heddle::transform
