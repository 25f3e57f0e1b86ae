#pragma once

#include <vector>

#include "engine/context/system.hpp"

namespace heddle::engine::context {

class JointSystem;
struct PlaceEdge;

/// What a thread's edge does to the shared variables and to its own, its place left aside.
struct EdgeFactors {
  std::vector<Bdd> relations;        ///< which hold together
  std::vector<BddVariable> hidden;   ///< of the relations, but of no configuration
  std::vector<BddVariable> dropped;  ///< of configurations before the step, left open behind it
  VariablePairs renamed;             ///< copies to variables that are dropped
};

EdgeFactors factors_of(const JointSystem& system, std::uint32_t thread, const PlaceEdge& step);

/// The same as a conjunction of few relations that are small. joint_edge.cpp says why.
class JointEdge {
 public:
  JointEdge(const BddSpace& space, EdgeFactors factors);

  /// Where the edge leads from the set.
  Bdd after(const Bdd& set) const;
  /// From where it leads into the set.
  Bdd before(const Bdd& set) const;

 private:
  struct Part {
    Bdd relation;
    Bdd forgotten;  ///< variables of configurations that no later part is about
    Bdd hidden;     ///< other variables that no earlier part is about
  };
  const BddSpace& space_;
  std::vector<Part> parts_;
  VariablePairs renamed_;
  BddRenaming to_variables_;
};

}  // namespace heddle::engine::context
