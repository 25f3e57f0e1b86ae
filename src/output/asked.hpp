#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace heddle::output {

/// Where a task came from and how it was read, for whoever reads the answer.
struct Asked {
  std::string file;
  std::string format;        ///< empty: the file has not been read, and the task means nothing
  std::string targets_from;  ///< "--target", "the file", "x.prop"
  std::string initial_from;
  std::vector<std::string> relaxed = {};  ///< what a monotone relaxation dropped, in words
  std::string source = {};                ///< the text of the file, if it is to be listed
  base::Diagnostics warnings = {};        ///< about the file
};

}  // namespace heddle::output
