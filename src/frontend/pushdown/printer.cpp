#include "frontend/pushdown/format.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/question_comments.hpp"

namespace heddle::frontend::pushdown {

std::optional<std::string> cannot_print(const PushdownFile&) { return std::nullopt; }

namespace {

void print_names(std::string& out, std::string_view what, std::uint32_t first,
                 const std::vector<std::string>& names) {
  for (const std::string& name : names)
    out.append("# ").append(what).append(" " + std::to_string(first++) + ": " + name + "\n");
}

}  // namespace

std::string print(const PushdownFile& file) {
  const model::PushdownSystem& system = file.model;
  std::vector<std::vector<const model::PushdownRule*>> rules(system.threads.size());
  for (const model::PushdownRule& rule : system.transitions) rules[rule.thread].push_back(&rule);
  std::string out = question_comments(file, {"#"});
  print_names(out, "shared state", 0, system.shared_names);
  out += std::to_string(system.shared_count) + "\n";
  for (std::size_t i = 0; i < system.threads.size(); ++i) {
    const model::PushdownThread& thread = system.threads[i];
    out += "PDA " + std::to_string(thread.first.value) + " " + std::to_string(thread.last.value) +
           "\n";
    print_names(out, "symbol", thread.first.value, thread.symbol_names);
    for (const model::PushdownRule* rule : rules[i]) out += model::to_string(*rule) + "\n";
  }
  return out;
}

}  // namespace heddle::frontend::pushdown
