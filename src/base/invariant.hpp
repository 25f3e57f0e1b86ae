#pragma once

#include <stdexcept>
#include <string>

namespace heddle::base {

/// A broken assumption of our own code. Thrown by HEDDLE_INVARIANT, caught only in the driver
/// (and in a child process's outermost frame), reported with exit code 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_invariant(const char* condition, const char* should, const char* file,
                                        int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + should + " (" +
                      condition + ")");
}

}  // namespace heddle::base

/// States what must hold whatever the input is; on in every build. `should` reads "x should …".
#define HEDDLE_INVARIANT(condition, should) \
  ((condition) ? void(0) : ::heddle::base::fail_invariant(#condition, should, __FILE__, __LINE__))
