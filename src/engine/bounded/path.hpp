#pragma once

/// What the unrolled program knows about a thread at a place: a state of the thread whose words are
/// circuits, together with the condition under which the thread comes here.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "engine/bounded/bits.hpp"

namespace heddle::engine::bounded {

/// Numbers of objects that a word may point into, ascending; null: it is no pointer.
using Pointees = std::shared_ptr<const std::vector<std::uint32_t>>;
Pointees joined(const Pointees& a, const Pointees& b);
Pointees only(std::uint32_t object);

struct Word {
  Bits bits;
  Pointees pointees;
};

struct Byte {
  std::array<Wire, 8> bits{};
  Pointees pointees;
};

/// Bytes by offsets; those that are not listed are as they were initially.
using Content = std::map<std::uint32_t, Byte>;

/// When something happens: at a point at which threads may be switched, or at one of several, by
/// which path led to it. How points of different threads are ordered is not part of it.
struct Moment {
  Wire never = kFalse;       ///< it does not happen
  std::uint32_t thread = 0;  ///< whose point it is
  std::uint32_t number = 0;  ///< of moments of all threads, in the order in which they were made
  Wire condition;            ///< of a choice: which of the two it is
  std::shared_ptr<const Moment> first, second;  ///< of a choice; of a point: the one before, none
  bool is_choice() const { return second != nullptr; }
};
using MomentRef = std::shared_ptr<const Moment>;

/// How often control has come back to the header of a loop.
struct Iteration {
  std::uint32_t loop = 0;
  std::uint32_t number = 0;
  std::uint32_t counted = 0;        ///< those that the bound counts
  bool stays_by_constants = false;  ///< whatever the inputs are, some way out was not taken
  bool may_leave = false;           ///< inputs decided whether some way out was taken
  friend bool operator==(const Iteration&, const Iteration&) = default;
};

struct PathFrame {
  model::c::FunctionId function;
  model::c::Location at;
  std::uint32_t first_register = 0;
  std::vector<Iteration> iterations;
  std::vector<std::uint32_t> stack_objects;  ///< that end with the frame
};

struct Path {
  Wire guard = kTrue;
  MomentRef moment;  ///< of the last step that others can notice
  std::vector<PathFrame> frames;
  std::vector<std::shared_ptr<const Word>> registers;        ///< of all frames; null: 0
  std::map<std::uint32_t, std::shared_ptr<Content>> memory;  ///< that is not shared
  std::uint32_t sections = 0;
  bool is_alone = false;         ///< no other thread has been created
  std::set<std::uint64_t> held;  ///< addresses of mutexes that it holds for certain

  PathFrame& top() { return frames.back(); }
};

}  // namespace heddle::engine::bounded
