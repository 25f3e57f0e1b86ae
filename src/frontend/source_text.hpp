#pragma once

#include <string>

namespace heddle::frontend {

/// A file that the caller has read.
struct SourceText {
  std::string name;  ///< as messages should show it
  std::string text;
};

}  // namespace heddle::frontend
