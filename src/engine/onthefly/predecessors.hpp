#pragma once

#include <functional>
#include <vector>

#include "engine/onthefly/antichain.hpp"
#include "engine/onthefly/preimage.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

/// The cover predecessors of elements; predecessors.cpp derives them.
class Predecessors {
 public:
  Predecessors(const model::boolean::Flow& flow, std::optional<std::uint64_t> memory_mb);

  using Visit = std::function<void(model::boolean::EdgeId, Element)>;
  /// Every state with a step into `element` is a state of one of the visited elements or of
  /// `element` itself, and every state of a visited element has such a step by that edge.
  void for_each(const Element& element, const Visit& visit) {
    for_each_as_large(element, visit);
    for_each_larger(element, visit);
  }

  /// The parts of these: those with no more threads than the element, and those with more, whose
  /// step is one of a thread that the element does not ask for. The latter are about as many as
  /// there are edges, for every element.
  void for_each_as_large(const Element& element, const Visit& visit);
  void for_each_larger(const Element& element, const Visit& visit);

  const Preimage& preimage() const { return preimage_; }

 private:
  void by_demanded(model::boolean::EdgeId edge, const Element& element, const Visit& visit);
  void with_active(model::boolean::EdgeId edge, const Element& element, const ThreadCube* active,
                   std::vector<ThreadCube> rest, const Visit& visit);
  /// What is demanded of the state before a step.
  struct Demand {
    std::vector<ThreadCube> others;
    model::boolean::Cube
        assigned;                 ///< values for all receivers, over the active thread's variables
    model::boolean::Cube shared;  ///< what values for single receivers take
    model::boolean::Cube local;   ///< likewise, of the active thread
  };
  using VisitDemand = std::function<void(const Demand&)>;

  void finish(model::boolean::EdgeId edge, const After& after, const Demand& demand,
              const Visit& visit);
  void broadcast(const model::boolean::FlowEdge& edge, const std::vector<ThreadCube>& after,
                 std::vector<ThreadCube>& before,
                 const std::function<void(const std::vector<ThreadCube>&)>& visit) const;
  void signal(const model::boolean::FlowEdge& edge, const std::vector<ThreadCube>& after,
              const std::function<void(const std::vector<ThreadCube>&)>& visit) const;
  void others_before(const model::boolean::FlowEdge& edge, const std::vector<ThreadCube>& after,
                     const VisitDemand& visit) const;
  void receivers_before(const model::boolean::FlowEdge& edge, std::size_t thread, Demand& demand,
                        const VisitDemand& visit) const;
  bool waits_for(model::boolean::NodeId node, std::uint32_t condition) const;

  const model::boolean::Flow& flow_;
  Preimage preimage_;
  std::vector<std::vector<model::boolean::EdgeId>> into_;  ///< by target; none that spawns
  std::vector<model::boolean::EdgeId> spawning_;
  std::vector<model::boolean::EdgeId> expanding_;  ///< others whose active thread may be a new one
  std::vector<model::boolean::NodeId> waiting_;    ///< all nodes that wait
  std::vector<std::uint32_t> roots_;               ///< by node
};

}  // namespace heddle::engine::onthefly
