#pragma once

/// What a child process sends through its pipe: a sequence of frames, each a kind, a length and
/// that many bytes.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::driver {

enum class FrameKind : char { Event = 'e', Result = 'r', Failure = 'f' };

struct Frame {
  FrameKind kind = FrameKind::Event;
  std::string payload;
};

/// Writes one frame, however long that takes; false if the reader is gone. Allocates nothing, so
/// that it works when memory is exhausted.
bool write_frame(int descriptor, FrameKind kind, std::string_view payload);

/// Cuts a stream of bytes, which may arrive in any pieces, into frames.
class FrameReader {
 public:
  void append(std::string_view bytes) { buffer_.append(bytes); }
  /// The next complete frame, if it has arrived.
  std::optional<Frame> next();

 private:
  std::string buffer_;
  std::size_t consumed_ = 0;
};

}  // namespace heddle::driver
