#pragma once

/// Targets and initial states of thread systems as users write them
/// (docs/formats/thread-system.md):
///
///   region := s "|" [threads] | s "/" any | s "|" [threads] "/" any
///   threads := l ["^" n] ("," l ["^" n])*      any := l ("," l)*
///
/// where n may also be a range "[" n "," n "]" in an initial state.
///
/// Regions are separated by line ends or ';' and mean their union.

#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "model/thread_system.hpp"

namespace heddle::frontend::thread_system {

/// `s|l,l`: at least these threads.
base::Parsed<std::vector<model::Region>> parse_targets(const model::ThreadSystem& system,
                                                       const SourceText& source);

/// `s|l,l`: exactly these threads; `s|l^[2,5]`: two to five; `s/l`: any number of threads in each;
/// `s|l/l`: both.
base::Parsed<std::vector<model::Region>> parse_initial(const model::ThreadSystem& system,
                                                       const SourceText& source);

/// `0/0`.
std::vector<model::Region> default_initial();

}  // namespace heddle::frontend::thread_system
