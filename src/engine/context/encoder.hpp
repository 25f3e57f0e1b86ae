#pragma once

#include <map>

#include "engine/context/variables.hpp"

namespace heddle::engine::context {

/// Formulas of one edge as diagrams.
class Encoder {
 public:
  Encoder(const model::boolean::FlowEdge& edge, const Variables& variables,
          const solver::BddSpace& space);

  /// The guard and the constraint hold.
  solver::Bdd condition() const;
  /// Each assigned variable's copy in the family has the assigned value; any, if it is a choice
  /// that nothing else depends on.
  solver::Bdd assigned(std::span<const model::boolean::Assignment> assignments,
                       Family family) const;
  solver::Bdd without_choices(const solver::Bdd& set) const;

 private:
  solver::Bdd encode(const model::boolean::Formula& formula) const;
  BddVariable variable(const model::boolean::Atom& atom) const;
  bool is_free(const model::boolean::Formula& value) const;

  const model::boolean::FlowEdge& edge_;
  const Variables& variables_;
  const solver::BddSpace& space_;
  std::map<std::uint32_t, std::size_t> occurrences_;  ///< of choices
};

}  // namespace heddle::engine::context
