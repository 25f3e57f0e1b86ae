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

/// In which round something happens, in unary: wire k − 1 says that it is round k or a later one.
/// There are as many wires as rounds; the last one says that it never happens.
using Rounds = std::shared_ptr<const std::vector<Wire>>;
inline Wire never(const Rounds& rounds) { return rounds->back(); }

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
  Rounds rounds;  ///< of the last step that others can notice
  std::vector<PathFrame> frames;
  std::vector<std::shared_ptr<const Word>> registers;        ///< of all frames; null: 0
  std::map<std::uint32_t, std::shared_ptr<Content>> memory;  ///< that is not shared
  std::uint32_t sections = 0;
  bool is_alone = false;         ///< no other thread has been created
  std::set<std::uint64_t> held;  ///< addresses of mutexes that it holds for certain

  PathFrame& top() { return frames.back(); }
};

}  // namespace heddle::engine::bounded
