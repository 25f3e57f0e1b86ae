#pragma once

#include <string>

#include "output/source_lines.hpp"

namespace heddle::output::picture {

/// The thread templates of a C program in Graphviz' language: a frame per function, a node per
/// source line with the instructions on it that other threads can notice, edges as control flows.
/// Green nodes begin functions that run as threads, purple ones synchronise, yellow ones access
/// memory, red ones fail; dashed edges lead to threads that are created and functions that are
/// called. Functions of our library are not drawn.
std::string c_program_dot(const model::c::Program& program, std::span<const SourceFile> sources,
                          const std::string& name);

}  // namespace heddle::output::picture
