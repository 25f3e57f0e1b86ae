#include "model/c/control_flow.hpp"

namespace heddle::model::c {

std::vector<Location> successors(const Function& function, Location at) {
  const Effect& effect = function.code[at.index()].effect;
  if (const auto* e = std::get_if<Jump>(&effect)) return {e->next};
  if (const auto* e = std::get_if<Assign>(&effect)) return {e->next};
  if (const auto* e = std::get_if<Branch>(&effect)) return {e->if_true, e->if_false};
  if (const auto* e = std::get_if<Switch>(&effect)) {
    std::vector<Location> out = {e->otherwise};
    for (const auto& [value, next] : e->cases) out.push_back(next);
    return out;
  }
  if (std::holds_alternative<Return>(effect) || std::holds_alternative<Fail>(effect) ||
      std::holds_alternative<Exit>(effect) || std::holds_alternative<Unsupported>(effect))
    return {};
  if (const auto* e = std::get_if<Synchronise>(&effect))
    if (e->operation == SyncOperation::ExitThread) return {};
  if (at.index() + 1 >= function.code.size()) return {};
  return {Location(at.value + 1)};
}

}  // namespace heddle::model::c
