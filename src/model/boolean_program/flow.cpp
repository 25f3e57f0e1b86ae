#include "model/boolean_program/flow.hpp"

#include "base/invariant.hpp"

namespace heddle::model::boolean {

namespace {

void append_value(NamedValues& out, const std::string& name, const Cube& cube,
                  std::uint32_t index) {
  if (const auto value = cube[index]) out.emplace_back(name, *value);
}

}  // namespace

bool is_free(const Assignment& assignment) {
  return assignment.value.kind == Formula::Kind::Atom &&
         assignment.value.atom.kind == AtomKind::Choice;
}

bool is_same_for_all(const Assignment& passive) {
  bool same = true;
  for_each_atom(passive.value, [&](const Atom& a) {
    same = same && a.kind != AtomKind::Receiver && a.kind != AtomKind::Choice;
  });
  return same;
}

std::uint32_t Flow::root_of(NodeId node) const {
  std::uint32_t frame = nodes[node.index()].frame;
  while (frames[frame].caller != frame) frame = frames[frame].caller;
  return frame;
}

std::vector<std::vector<EdgeId>> Flow::edges_by_source() const {
  std::vector<std::vector<EdgeId>> out(nodes.size());
  for (std::size_t i = 0; i < edges.size(); ++i) out[edges[i].source.index()].emplace_back(i);
  return out;
}

const FlowEdge& Flow::call_at(NodeId node) const {
  const std::optional<EdgeId>& call = nodes[node.index()].call;
  HEDDLE_INVARIANT(call.has_value(), "a caller should wait at a call");
  return edges[call->index()];
}

NamedValues shared_values(const Flow& flow, const Cube& shared) {
  NamedValues out;
  for (std::uint32_t i = 0; i < flow.shared_names.size(); ++i)
    append_value(out, flow.shared_names[i], shared, i);
  return out;
}

NamedValues local_values(const Flow& flow, NodeId node, const Cube& local) {
  NamedValues out;
  for (std::uint32_t frame = flow.nodes[node.index()].frame;; frame = flow.frames[frame].caller) {
    const Frame& f = flow.frames[frame];
    const auto& names = flow.local_names[f.procedure];
    for (std::uint32_t i = 0; i < names.size(); ++i)
      append_value(out, names[i], local, f.first_local + i);
    if (f.caller == frame) return out;
  }
}

std::string values_text(const NamedValues& values) {
  std::string out;
  for (const auto& [name, value] : values)
    out += (out.empty() ? "" : " ") + name + (value ? "=1" : "=0");
  return out;
}

std::string node_text(const Flow& flow, NodeId node) {
  const FlowNode& which = flow.nodes[node.index()];
  return flow.procedures[flow.frames[which.frame].procedure] + ":" + std::to_string(which.at.line);
}

}  // namespace heddle::model::boolean
