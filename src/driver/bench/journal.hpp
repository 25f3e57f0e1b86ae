#pragma once

#include <expected>
#include <string>

#include "output/bench/record.hpp"

namespace heddle::driver::bench {

/// The end of a result file, which grows by a line per finished case while a suite runs. A line is
/// on the disk, as a whole, before the next case is heard of: whatever ends the program or the
/// machine costs no finished case.
class Journal {
 public:
  explicit Journal(const std::string& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The error says why it cannot be written. What was added before stays, and so does nothing of
  /// this record.
  std::expected<void, std::string> add(const output::bench::Record& record);

 private:
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace heddle::driver::bench
