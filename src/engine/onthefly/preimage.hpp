#pragma once

/// Weakest preconditions of single edges on cubes: what the active thread's part of a step needs.

#include <memory>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/onthefly/diagram.hpp"
#include "engine/onthefly/edge_functions.hpp"
#include "engine/onthefly/edge_image.hpp"
#include "engine/onthefly/table.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

/// At most one at a time in a process. Diagrams throw std::bad_alloc when memory is short.
class Preimage {
 public:
  explicit Preimage(const model::boolean::Flow& flow,
                    std::optional<std::uint64_t> memory_mb = std::nullopt);
  ~Preimage() = default;
  Preimage(const Preimage&) = delete;
  Preimage& operator=(const Preimage&) = delete;

  /// Cubes whose union is the set of all values from which some choice of the edge's `*` leads to
  /// `after`. They are about variables of the statement and of `after` only, so variables that
  /// neither mentions cost nothing.
  const std::vector<Before>& of(model::boolean::EdgeId edge, const After& after);

  /// Guard and constraint of the edge, over values before the step and choices.
  const model::boolean::Formula& condition(model::boolean::EdgeId edge) const {
    return functions_[edge.index()].condition;
  }

 private:
  struct Key {
    model::boolean::EdgeId edge;
    After after;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  TableAlgebra tables_;
  std::unique_ptr<DiagramAlgebra> diagrams_;  ///< if an edge needs them
  std::vector<EdgeFunctions> functions_;      ///< by edge
  std::vector<std::variant<EdgeImage<TableAlgebra>, EdgeImage<DiagramAlgebra>>> images_;
  std::unordered_map<Key, std::vector<Before>, Hash> known_;
};

}  // namespace heddle::engine::onthefly
