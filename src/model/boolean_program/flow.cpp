#include "model/boolean_program/flow.hpp"

#include <utility>

#include "base/invariant.hpp"

namespace heddle::model::boolean {

namespace {

/// Of the variables from `first` on; nothing if none of them is known.
std::optional<std::string> value_text(const Cube& cube, std::uint32_t first,
                                      const Encoding& encoding) {
  std::uint64_t value = 0;
  std::uint32_t known = 0;
  std::string digits;  // most significant first
  for (std::uint32_t i = encoding.bits; i-- > 0;) {
    const auto bit = cube[first + i];
    known += bit.has_value() ? 1 : 0;
    value = 2 * value + (bit.value_or(false) ? 1 : 0);
    digits += bit ? (*bit ? '1' : '0') : '?';
  }
  if (known == 0) return std::nullopt;
  if (known < encoding.bits) return "0b" + digits;
  return value < encoding.values.size() ? encoding.values[value] : std::to_string(value);
}

void append_values(NamedValues& out, const std::vector<std::string>& names,
                   const std::vector<Encoding>& encodings, const Cube& cube, std::uint32_t first) {
  const Encoding itself;
  for (std::uint32_t i = 0; i < names.size();) {
    const bool encodes = i < encodings.size() && !encodings[i].name.empty();
    const Encoding& encoding = encodes ? encodings[i] : itself;
    if (auto value = value_text(cube, first + i, encoding))
      out.emplace_back(encodes ? encoding.name : names[i], std::move(*value));
    i += encoding.bits;
  }
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
  append_values(out, flow.shared_names, flow.shared_encodings, shared, 0);
  return out;
}

NamedValues local_values(const Flow& flow, NodeId node, const Cube& local) {
  NamedValues out;
  for (std::uint32_t frame = flow.nodes[node.index()].frame;; frame = flow.frames[frame].caller) {
    const Frame& f = flow.frames[frame];
    append_values(out, flow.local_names[f.procedure], flow.local_encodings[f.procedure], local,
                  f.first_local);
    if (f.caller == frame) return out;
  }
}

std::string node_text(const Flow& flow, NodeId node) {
  const FlowNode& which = flow.nodes[node.index()];
  return flow.procedures[flow.frames[which.frame].procedure] + ":" + std::to_string(which.at.line);
}

}  // namespace heddle::model::boolean
