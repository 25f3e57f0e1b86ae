#pragma once

#include <map>

#include "engine/context/variables.hpp"

namespace heddle::engine::context {

/// The variables that an edge's formulas are about, by index.
struct StepVariables {
  std::span<const BddVariable> shared, next_shared;
  std::span<const BddVariable> local, next_local;
  std::span<const BddVariable> choices;
};

/// Formulas of one edge as diagrams.
class Encoder {
 public:
  Encoder(const model::boolean::FlowEdge& edge, const StepVariables& variables,
          const solver::BddSpace& space);

  /// The guard and the constraint hold.
  solver::Bdd condition() const;
  /// Each assigned variable's copy has the assigned value; any, if it is a choice that nothing else
  /// depends on.
  solver::Bdd assigned(std::span<const model::boolean::Assignment> assignments,
                       std::span<const BddVariable> copy) const;
  solver::Bdd without_choices(const solver::Bdd& set) const;

 private:
  solver::Bdd encode(const model::boolean::Formula& formula) const;
  BddVariable variable(const model::boolean::Atom& atom) const;
  bool is_free(const model::boolean::Formula& value) const;

  const model::boolean::FlowEdge& edge_;
  StepVariables variables_;
  const solver::BddSpace& space_;
  std::map<std::uint32_t, std::size_t> occurrences_;  ///< of choices
};

}  // namespace heddle::engine::context
