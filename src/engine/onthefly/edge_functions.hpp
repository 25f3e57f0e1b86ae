#pragma once

/// An edge, seen by its active thread: functions of the values before the step and of the choices.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

/// What a step has an effect on.
enum class Part : std::uint8_t {
  Shared,  ///< the shared variables
  Local,   ///< the active thread's
  Child,   ///< those of the thread that a Spawn creates
  Others   ///< those of other threads, as far as the edge assigns to them
};
inline constexpr std::size_t kParts = 4;

/// What must hold after the step; a part that nobody asks about is the full cube.
struct After {
  std::array<model::boolean::Cube, kParts> parts{};

  model::boolean::Cube& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
  const model::boolean::Cube& operator[](Part part) const {
    return parts[static_cast<std::size_t>(part)];
  }
  friend auto operator<=>(const After&, const After&) = default;
};

/// A variable that the step gives a value. Values that are a `*` of their own meet every demand;
/// they are left out.
struct Effect {
  Part part;
  std::uint32_t index;
  model::boolean::Formula value;

  /// Does `after` want it to be 1, to be 0, or does it not care?
  std::optional<bool> wanted(const After& after) const;
};

struct EdgeFunctions {
  model::boolean::Formula condition;  ///< guard and constraint
  std::vector<Effect> effects;
  After assigned;  ///< the variables that get a value, `*` or not, as masks
  /// All atoms of the condition and the effects, in the order of their first occurrence.
  std::vector<model::boolean::Atom> atoms;
  std::vector<std::uint32_t> choices;  ///< positions of atoms that are choices

  explicit EdgeFunctions(const model::boolean::FlowEdge& edge);

  /// The demands on variables that keep their values, as demands on the values before; nothing if
  /// they contradict each other. (A child has the values that its creator had before the step.)
  std::optional<model::boolean::Knowledge> kept(const After& after) const;
};

}  // namespace heddle::engine::onthefly
