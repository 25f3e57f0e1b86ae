#include "frontend/pushdown/printer.hpp"

namespace heddle::frontend::pushdown {

std::optional<std::string> cannot_print(const ModelFile& file) {
  if (std::holds_alternative<model::PushdownSystem>(file.model)) return std::nullopt;
  return "it is a " + model::kind_name(file.model) + ", the format holds pushdown systems";
}

std::string print(const ModelFile& file) {
  const auto& system = std::get<model::PushdownSystem>(file.model);
  std::string out = std::to_string(system.shared_count) + "\n";
  for (std::size_t i = 0; i < system.threads.size(); ++i) {
    out += "PDA " + std::to_string(system.threads[i].first.value) + " " +
           std::to_string(system.threads[i].last.value) + "\n";
    for (const model::PushdownRule& rule : system.transitions)
      if (rule.thread == i) out += model::to_string(rule) + "\n";
  }
  return out;
}

}  // namespace heddle::frontend::pushdown
