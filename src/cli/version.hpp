#pragma once

#include <string>

namespace heddle::cli {

/// `0.1.0 (5dc16fc1a2)`: the version, and the commit that was checked out when this was built, with
/// a `+` if files had changed since. The version alone if it was built without Git.
std::string version_text();

}  // namespace heddle::cli
