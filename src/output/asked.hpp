#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "output/source_lines.hpp"

namespace heddle::output {

enum class Asking {
  Reachability,
  Cutoff,  ///< how many threads are enough? Has no target
};

/// Where a task came from and how it was read, for whoever reads the answer.
struct Asked {
  std::string file;
  std::string format;        ///< empty: the file has not been read, and the task means nothing
  std::string targets_from;  ///< "--target", "the file", "x.prop"
  std::string initial_from;
  Asking asking = Asking::Reachability;
  std::vector<std::string> relaxed = {};        ///< what a monotone relaxation dropped, in words
  std::string source = {};                      ///< the text of the file, if it is to be listed
  base::Diagnostics warnings = {};              ///< about the file
  std::string vacuous = {};                     ///< why nothing can fail; empty: something might
  std::vector<std::string> program_files = {};  ///< of a C program: all that were linked
  std::vector<SourceFile> sources = {};         ///< of a C program: these, and headers with code
  /// The targets are the states in which no transition is enabled.
  bool asks_for_dead_states = false;
};

}  // namespace heddle::output
