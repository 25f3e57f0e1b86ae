#include "driver/frame.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace heddle::driver {

namespace {

constexpr std::size_t kHeaderSize = 1 + sizeof(std::uint64_t);

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

bool write_frame(int descriptor, FrameKind kind, std::string_view payload) {
  std::array<char, kHeaderSize> header{static_cast<char>(kind)};
  const std::uint64_t length = payload.size();
  std::memcpy(header.data() + 1, &length, sizeof length);
  return write_all(descriptor, {header.data(), header.size()}) && write_all(descriptor, payload);
}

std::optional<Frame> FrameReader::next() {
  const std::string_view rest = std::string_view(buffer_).substr(consumed_);
  if (rest.size() < kHeaderSize) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, rest.data() + 1, sizeof length);
  if (rest.size() - kHeaderSize < length) return std::nullopt;
  Frame frame{static_cast<FrameKind>(rest.front()), std::string(rest.substr(kHeaderSize, length))};
  consumed_ += kHeaderSize + length;
  if (consumed_ == buffer_.size()) {
    buffer_.clear();
    consumed_ = 0;
  }
  return frame;
}

}  // namespace heddle::driver
