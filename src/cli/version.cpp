#include "cli/version.hpp"

#include <heddle_build.h>

namespace heddle::cli {

std::string version_text() {
  const std::string commit = HEDDLE_COMMIT;
  return HEDDLE_VERSION + (commit.empty() ? "" : " (" + commit + ")");
}

}  // namespace heddle::cli
