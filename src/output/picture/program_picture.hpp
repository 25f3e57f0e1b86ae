#pragma once

#include <string>

#include "answer/program_evidence.hpp"

namespace heddle::output::picture {

/// Larger flow graphs are drawn in part.
constexpr std::size_t kMostFlowNodes = 150;
constexpr std::size_t kMostProgramElements = 100;

/// The flow graph of a program in Graphviz' language: a frame per procedure, a node per line that
/// a thread can stand at, the statements at the edges. Failed nodes are red, waiting ones purple;
/// dashed edges lead to threads that are started and procedures that are called.
std::string program_dot(const model::boolean::Flow& flow, const std::string& name);

/// The elements of a basis, smallest first: the shared variables of each, then its threads.
std::string program_basis_svg(const model::boolean::Flow& flow, const answer::ProgramBasis& basis,
                              const std::string& name, const std::string& warning);

}  // namespace heddle::output::picture
