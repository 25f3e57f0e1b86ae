#include "engine/context/touching.hpp"

#include <algorithm>

namespace heddle::engine::context {

using model::boolean::Assignment;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Formula;

namespace {

bool reads_shared(const Formula& formula, const std::optional<std::uint32_t>& but) {
  bool found = false;
  for_each_atom(formula, [&](const Atom& atom) {
    found |= (atom.kind == AtomKind::Shared || atom.kind == AtomKind::NextShared) &&
             (!but || atom.index != *but);
  });
  return found;
}

}  // namespace

bool receives_shared(const FlowEdge& call) {
  return std::ranges::any_of(call.received, [](const std::optional<Atom>& variable) {
    return variable && variable->kind == AtomKind::Shared;
  });
}

bool touches_shared(const Flow& flow, const FlowEdge& edge, const FlowEdge* call) {
  const auto reads = [&](const Formula& f) { return reads_shared(f, flow.atomic_bit); };
  const auto any_reads = [&](const std::vector<Assignment>& list) {
    return std::ranges::any_of(list, reads, &Assignment::value);
  };
  return !edge.shared.empty() || (call && receives_shared(*call)) || reads(edge.guard) ||
         reads(edge.constraint) || any_reads(edge.local) || any_reads(edge.child_values);
}

}  // namespace heddle::engine::context
