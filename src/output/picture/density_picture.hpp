#pragma once

#include <string>

#include "model/thread_system.hpp"
#include "output/picture/thread_grid.hpp"

namespace heddle::output::picture {

/// A large thread system as counts: the plane of shared × local states cut into rectangles, each
/// coloured by how many thread states of it occur and marked where it holds initial or target
/// ones; below, the strongly connected components and the kinds of edges in figures.
std::string density_svg(const model::ThreadSystem& system, const ThreadGrid& grid,
                        const std::string& name);

}  // namespace heddle::output::picture
