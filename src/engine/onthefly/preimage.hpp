#pragma once

/// Weakest preconditions of single edges on cubes: what the active thread's part of a step needs.

#include <optional>
#include <unordered_map>
#include <vector>

#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

/// What must hold after the step; a part that nobody asks about is the full cube.
struct After {
  model::boolean::Cube shared;
  model::boolean::Cube local;  ///< of the active thread
  model::boolean::Cube child;  ///< of the thread that a Spawn creates
  friend auto operator<=>(const After&, const After&) = default;
};

/// Values before the step, of the shared variables and of the active thread's.
struct Before {
  model::boolean::Cube shared;
  model::boolean::Cube local;
  friend auto operator<=>(const Before&, const Before&) = default;
};

class Preimage {
 public:
  explicit Preimage(const model::boolean::Flow& flow);

  /// Cubes whose union is the set of all values from which some choice of the edge's `*` leads to
  /// `after` and `also` holds (over values before the step). Cubes may touch variables of the
  /// statement only, so variables that it does not mention cost nothing.
  const std::vector<Before>& of(model::boolean::EdgeId edge, const After& after);
  std::vector<Before> of(model::boolean::EdgeId edge, const After& after,
                         const model::boolean::Formula& also) const;

  /// Guard and constraint of the edge, over values before the step and choices.
  const model::boolean::Formula& condition(model::boolean::EdgeId edge) const {
    return conditions_[edge.index()];
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

  const model::boolean::Flow& flow_;
  std::vector<model::boolean::Formula> conditions_;
  std::unordered_map<Key, std::vector<Before>, Hash> known_;
};

}  // namespace heddle::engine::onthefly
