#include "engine/onthefly/diagram.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::engine::onthefly {

using solver::Bdd;
using solver::BddSpace;

DiagramAlgebra::DiagramAlgebra(std::uint32_t variables, std::optional<std::uint64_t> memory_mb)
    : own_(BddSpace::alive() ? nullptr : std::make_unique<BddSpace>(variables, memory_mb)),
      space_(BddSpace::alive()) {
  HEDDLE_INVARIANT(space_->variable_count() >= variables, "the space should have the variables");
}

std::pair<Bdd, Bdd> DiagramAlgebra::cofactors(const Bdd& f, std::uint32_t x) const {
  if (f.is_constant() || f.variable() != x) return {f, f};
  return {f.low(), f.high()};
}

Bdd DiagramAlgebra::choose(std::uint32_t x, const Bdd& then, const Bdd& otherwise) const {
  return space_->variable(x).ite(then, otherwise);
}

std::uint32_t DiagramAlgebra::first(const Bdd& f, const Bdd& g) const {
  if (f.is_constant()) return g.variable();
  return g.is_constant() ? f.variable() : std::min(f.variable(), g.variable());
}

Bdd DiagramAlgebra::restricted(const Bdd& f, const AtomValues& values) const {
  return f.is_constant() || values.empty() ? f : space_->restrict_to(f, space_->cube(values));
}

Bdd DiagramAlgebra::without(const Bdd& f, std::span<const std::uint32_t> variables) const {
  return f.is_constant() || variables.empty() ? f : space_->exists(f, space_->all_of(variables));
}

}  // namespace heddle::engine::onthefly
