#pragma once

/// The program at work, and what it says meanwhile.

#include <optional>
#include <string>

#include "library/process.hpp"
#include "library/query.hpp"

namespace heddle::library {

struct Said {
  std::string output, errors;
  std::optional<int> exit_code;  ///< nothing: it was killed, or has crashed
  bool cancelled = false;
};

/// Has somebody cancelled before the program is started, or does the query's callback say so?
bool is_cancelled(const heddle_query& query);

/// Waits for the end of the program; hands events to the query's callback, and stops the program if
/// that, or another thread, asks for it.
Said converse(const Process& process, const heddle_query& query);

}  // namespace heddle::library
