#include "engine/onthefly/bisimilar_nodes.hpp"

/// Partition refinement by signatures (Blom, Orzan 2003). At first, nodes are alike if nobody sees
/// a difference between threads there. A node's signature is the set of what its thread can do
/// next: a label (all of an edge but its ends) and the class that it leads to, with silent steps
/// inside of a class passed over; a class is split by signatures until none is split any more.
/// Silent steps inside of classes may form cycles, hence components. Each round is linear in the
/// size of the graph and of the signatures.

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/components.hpp"

namespace heddle::engine::onthefly {

namespace {

using model::boolean::Abstraction;
using model::boolean::Assignment;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::Formula;

void write(std::string& out, std::uint32_t number) {
  out += std::to_string(number);
  out += ' ';
}

void write(std::string& out, const Formula& f) {
  out += static_cast<char>('A' + static_cast<int>(f.kind));
  if (f.kind == Formula::Kind::Atom) {
    out += static_cast<char>('a' + static_cast<int>(f.atom.kind));
    write(out, f.atom.index);
  }
  for (const Formula& operand : f.operands) write(out, operand);
}

void write(std::string& out, const std::vector<Assignment>& list) {
  for (const Assignment& assignment : list) {
    write(out, assignment.index);
    write(out, assignment.value);
  }
  out += ';';
}

/// All of an edge but its ends, as a text: equal for equal labels only.
std::string label_of(const FlowEdge& edge) {
  std::string out;
  write(out, static_cast<std::uint32_t>(edge.kind));
  write(out,
        edge.kind == EdgeKind::Broadcast || edge.kind == EdgeKind::Signal ? edge.condition : 0);
  write(out, edge.guard);
  for (const auto* list : {&edge.shared, &edge.local, &edge.child_values, &edge.passive})
    write(out, *list);
  return out;
}

class Refinement {
 public:
  Refinement(const Flow& flow, const Abstraction& abstraction, const std::vector<FlowEdge>& edges,
             const std::vector<FlowEdge>& wakes)
      : classes_(flow.nodes.size()), moves_(flow.nodes.size()) {
    std::map<std::string, std::uint32_t> labels;
    for (const auto* list : {&edges, &wakes})
      for (const FlowEdge& edge : *list) {
        const auto next = static_cast<std::uint32_t>(labels.size() + kLabels);
        const std::uint32_t label =
            is_silent(edge) ? kSilent : labels.try_emplace(label_of(edge), next).first->second;
        const bool spawns = edge.kind == EdgeKind::Spawn;
        moves_[edge.source.index()].push_back(
            {label, edge.target.value, spawns ? edge.child.value : edge.target.value});
      }
    const bool sections = flow.atomic_bit && abstraction.shared[*flow.atomic_bit];
    std::map<std::array<std::uint32_t, 4>, std::uint32_t> kinds;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
      const FlowNode& node = flow.nodes[i];
      const bool waits = node.waits && abstraction.shows_condition(node.condition);
      if (waits) moves_[i].push_back({kWait, node.woken.value, node.woken.value});
      const auto next = static_cast<std::uint32_t>(kinds.size());
      classes_[i] = kinds
                        .try_emplace({flow.root_of(model::boolean::NodeId(i)),
                                      sections && node.atomic_depth > 0 ? 1U : 0U,
                                      waits ? node.condition + 1 : 0, node.failed ? 1U : 0U},
                                     next)
                        .first->second;
    }
    count_ = kinds.size();
  }

  std::vector<std::uint32_t> run() {
    for (bool split = true; split;) split = refine();
    return std::move(classes_);
  }

 private:
  static constexpr std::uint32_t kSilent = 0;
  static constexpr std::uint32_t kWait = 1;
  static constexpr std::size_t kLabels = 2;

  struct Move {
    std::uint32_t label;
    std::uint32_t target;
    std::uint32_t child;
  };
  using Signature = std::vector<std::array<std::uint32_t, 3>>;

  bool is_inert(std::size_t node, const Move& move) const {
    return move.label == kSilent && classes_[node] == classes_[move.target];
  }

  /// Splits classes once; false if there was nothing to split.
  bool refine() {
    std::vector<std::vector<std::uint32_t>> inert(moves_.size());
    for (std::size_t i = 0; i < moves_.size(); ++i)
      for (const Move& move : moves_[i])
        if (is_inert(i, move)) inert[i].push_back(move.target);
    std::map<std::pair<std::uint32_t, Signature>, std::uint32_t> numbers;
    std::vector<std::uint32_t> refined(moves_.size());
    std::vector<const Signature*> known(moves_.size());
    for (const auto& component : base::strongly_connected_components(inert)) {
      Signature signature = signature_of(component, known);
      const auto next = static_cast<std::uint32_t>(numbers.size());
      const auto it =
          numbers.try_emplace({classes_[component.front()], std::move(signature)}, next).first;
      for (const std::uint32_t node : component) {
        refined[node] = it->second;
        known[node] = &it->first.second;
      }
    }
    const bool split = numbers.size() != count_;
    count_ = numbers.size();
    classes_ = std::move(refined);
    return split;
  }

  Signature signature_of(const std::vector<std::uint32_t>& component,
                         const std::vector<const Signature*>& known) const {
    Signature out;
    for (const std::uint32_t node : component)
      for (const Move& move : moves_[node]) {
        if (!is_inert(node, move))
          out.push_back({move.label, classes_[move.target], classes_[move.child]});
        else if (const Signature* later = known[move.target])
          out.insert(out.end(), later->begin(), later->end());
      }
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
    return out;
  }

  std::vector<std::uint32_t> classes_;    ///< by node
  std::vector<std::vector<Move>> moves_;  ///< by node
  std::size_t count_ = 0;                 ///< of classes
};

}  // namespace

bool is_silent(const FlowEdge& edge) {
  return only_moves(edge) && edge.guard.kind == Formula::Kind::True;
}

std::vector<std::uint32_t> bisimilar_nodes(const Flow& flow, const Abstraction& abstraction,
                                           const std::vector<FlowEdge>& edges,
                                           const std::vector<FlowEdge>& wakes) {
  return Refinement(flow, abstraction, edges, wakes).run();
}

}  // namespace heddle::engine::onthefly
