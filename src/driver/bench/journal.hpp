#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace heddle::driver::bench {

/// The end of a file that grows by a line for each thing that is finished. A line is on the disk,
/// as a whole, before the next one is begun: whatever ends the program or the machine costs nothing
/// that was finished.
class Journal {
 public:
  /// The file is made if it is not there.
  explicit Journal(const std::string& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// `line` ends in a line break. The error says why it cannot be written. What was added before
  /// stays, and so does nothing of this line.
  std::expected<void, std::string> add(std::string_view line);

 private:
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace heddle::driver::bench
