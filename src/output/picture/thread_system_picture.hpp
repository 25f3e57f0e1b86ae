#pragma once

#include <string>

#include "model/counting.hpp"

namespace heddle::output::picture {

/// Systems with more thread states than this are drawn as a density grid.
constexpr std::size_t kMostDrawnThreadStates = 120;

/// The papers' two-dimensional picture as SVG: a row per shared state, a column per local state, a
/// node per thread state that occurs, an arrow per edge. Too large a system is summarised, and the
/// picture says what it leaves out. `name` is what the picture is called.
std::string thread_system_svg(const model::ThreadSystem& system,
                              const model::CountingQuestion& question, const std::string& name);

/// The same graph in Graphviz' language, whatever its size.
std::string thread_system_dot(const model::ThreadSystem& system,
                              const model::CountingQuestion& question, const std::string& name);

}  // namespace heddle::output::picture
