#pragma once

/// Atomic sections as single transitions. See sections.cpp.

#include "model/threads/thread_program.hpp"

namespace heddle::transform::blocks {

/// The same program in which every path through a section is one transition, as far as sections
/// have no loops and few paths. Points keep their numbers; those inside are not reached any more.
/// `Transition::parts` says of which transitions each one is made.
model::threads::ThreadProgram compose_sections(const model::threads::ThreadProgram& program);

}  // namespace heddle::transform::blocks
