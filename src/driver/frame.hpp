#pragma once

/// What a child process sends through its pipe: a sequence of frames, each a kind, a length and
/// that many bytes.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::driver {

enum class FrameKind : char { Event = 'e', PeakMemory = 'm', Result = 'r', Failure = 'f' };

struct Frame {
  FrameKind kind = FrameKind::Event;
  std::string payload;
};

/// Writes all bytes, however long that takes; false if the reader is gone.
bool write_all(int descriptor, std::string_view bytes);

/// Writes one frame, however long that takes; false if the reader is gone. Allocates nothing, so
/// that it works when memory is exhausted.
bool write_frame(int descriptor, FrameKind kind, std::string_view payload);

/// Cuts a stream of bytes, which may arrive in any pieces, into frames.
/// Cost: every byte is copied once, and a frame takes the memory of its payload.
class FrameReader {
 public:
  void append(std::string_view bytes);
  /// The next complete frame, if it has arrived.
  std::optional<Frame> next();

 private:
  std::string header_;  ///< of the frame that is arriving
  Frame arriving_;
  std::uint64_t missing_ = 0;  ///< bytes of its payload; of use once the header is complete
  std::deque<Frame> complete_;
};

}  // namespace heddle::driver
