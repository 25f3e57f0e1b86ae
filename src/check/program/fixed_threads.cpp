#include "check/program/fixed_threads.hpp"

#include <algorithm>

namespace heddle::check {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;

std::vector<NodeId> starts_of(const Flow& flow, const model::ProgramTask& task) {
  const auto threads = model::exact_threads(task.question);
  if (!threads || *threads < 1 || *threads > 100'000) return {};
  const auto count = static_cast<std::size_t>(threads->get_ui());
  if (!flow.lists_threads) return std::vector(count, flow.starts.front());
  return count == 1 ? flow.starts : std::vector<NodeId>{};
}

bool depends_on_shared(const Flow& flow, const FlowEdge& edge) {
  const auto reads = [&](const model::boolean::Formula& formula) {
    bool found = false;
    for_each_atom(formula, [&](const Atom& atom) {
      found |= (atom.kind == AtomKind::Shared || atom.kind == AtomKind::NextShared) &&
               atom.index != flow.atomic_bit;
    });
    return found;
  };
  return !edge.shared.empty() || reads(edge.guard) || reads(edge.constraint) ||
         std::ranges::any_of(edge.local, reads, &Assignment::value) ||
         std::ranges::any_of(edge.child_values, reads, &Assignment::value);
}

}  // namespace heddle::check
