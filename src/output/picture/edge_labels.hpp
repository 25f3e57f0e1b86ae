#pragma once

#include <string>

#include "model/thread_system.hpp"

namespace heddle::output::picture {

/// The class of the style sheet for an edge: how it is drawn tells its kind.
std::string edge_class(const model::ThreadTransition& transition);

/// `0 1 -> 2 3  4 ~> 5`, the line and the note of the file: what shows under the mouse.
std::string edge_title(const model::ThreadTransition& transition);

/// `4~>5 6~>7`, at most two of them.
std::string passive_label(const model::ThreadTransition& transition);

}  // namespace heddle::output::picture
