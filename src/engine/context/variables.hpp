#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "answer/context_evidence.hpp"
#include "model/boolean_program/flow.hpp"
#include "solver/bdd.hpp"

namespace heddle::engine::context {

using answer::DiagramVariable;
using answer::Family;
using solver::BddVariable;

/// Which variable of the diagrams stands for what. All copies of one variable of the program lie
/// together, so that a copy can be equal to another at the cost of a few nodes
/// (docs/decisions/0006-diagram-order.md has the figures).
class Variables {
 public:
  Variables(const model::boolean::Flow& flow, std::uint32_t rounds);

  const std::vector<DiagramVariable>& order() const { return order_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(order_.size()); }

  /// The copy of the family's variables (in that round), by index.
  const std::vector<BddVariable>& of(Family family, std::uint32_t round = 0) const;

 private:
  void add(Family family, std::uint32_t round, std::uint32_t index);

  std::vector<DiagramVariable> order_;
  std::map<std::pair<Family, std::uint32_t>, std::vector<BddVariable>> copies_;
  std::vector<BddVariable> none_;
};

/// Each variable of one copy with its counterpart in another.
using VariablePairs = std::vector<std::pair<BddVariable, BddVariable>>;
void append_pairs(VariablePairs& pairs, std::span<const BddVariable> from,
                  std::span<const BddVariable> to);

}  // namespace heddle::engine::context
