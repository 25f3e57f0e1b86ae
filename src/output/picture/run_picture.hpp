#pragma once

#include <string>

#include "output/listed_run.hpp"

namespace heddle::output::picture {

/// A run of threads that are told apart as SVG, time running downwards: what changes in the shared
/// state at the left, one lane per thread with its statements, lines and local changes at the
/// right. Long runs lose their middle. `warning` is written into the picture if it is not empty.
std::string run_svg(const ListedRun& run, const std::string& name, const std::string& warning);

}  // namespace heddle::output::picture
