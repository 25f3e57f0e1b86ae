#pragma once

#include <memory>

#include "engine/onthefly/edge_image.hpp"
#include "solver/bdd.hpp"

namespace heddle::engine::onthefly {

/// Functions as binary decision diagrams, for edges with too many atoms for a table. See
/// edge_image.hpp. The atoms' order, that of their first occurrence, is the order of the diagram:
/// variables that are compared with each other are neighbours.
class DiagramAlgebra {
 public:
  using Function = solver::Bdd;

  /// Diagrams over the first variables of the space that is alive, or of one of its own.
  explicit DiagramAlgebra(std::uint32_t variables,
                          std::optional<std::uint64_t> memory_mb = std::nullopt);

  Function constant(bool value) const { return space_->constant(value); }
  Function variable(std::uint32_t x) const { return space_->variable(x); }
  std::pair<Function, Function> cofactors(const Function& f, std::uint32_t x) const;
  Function choose(std::uint32_t x, const Function& then, const Function& otherwise) const;
  std::uint32_t first(const Function& f, const Function& g) const;
  Function restricted(const Function& f, const AtomValues& values) const;
  Function without(const Function& f, std::span<const std::uint32_t> variables) const;

 private:
  std::unique_ptr<solver::BddSpace> own_;
  const solver::BddSpace* space_;
};

}  // namespace heddle::engine::onthefly
