#pragma once

#include <string>

namespace heddle::driver {

/// One word of a command of the shell, in quotes where necessary.
std::string shell_quoted(const std::string& word);

}  // namespace heddle::driver
