#pragma once

/// What people are told about movers and blocks.

#include <string>
#include <vector>

#include "model/threads/thread_program.hpp"
#include "transform/blocks/blocks.hpp"
#include "transform/blocks/movers.hpp"

namespace heddle::transform::blocks {

struct MoverLine {
  enum class Class : std::uint8_t { Both, Right, Left, None };
  model::threads::ThreadIndex thread;
  std::uint32_t transition = 0;
  model::c::Position position;
  Class mover = Class::Both;
  bool begins_block = false;  ///< the point before it is a boundary
  /// A transition of another thread that it does not commute with, if it is not a mover both ways.
  std::optional<Conflict> because;
  model::c::Position because_at;
};

/// Transitions that touch globals or begin a block, by thread and in the order of the source.
std::vector<MoverLine> mover_report(const model::threads::ThreadProgram& program,
                                    const Movers& movers, const Partition& partition);

/// `12:3 add: right mover, begins a block`
std::string to_text(const model::threads::ThreadProgram& program, const MoverLine& line);

std::string_view to_string(MoverLine::Class mover);

}  // namespace heddle::transform::blocks
