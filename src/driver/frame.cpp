#include "driver/frame.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace heddle::driver {

namespace {

constexpr std::size_t kHeaderSize = 1 + sizeof(std::uint64_t);

}  // namespace

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool write_frame(int descriptor, FrameKind kind, std::string_view payload) {
  std::array<char, kHeaderSize> header{static_cast<char>(kind)};
  const std::uint64_t length = payload.size();
  std::memcpy(header.data() + 1, &length, sizeof length);
  return write_all(descriptor, {header.data(), header.size()}) && write_all(descriptor, payload);
}

void FrameReader::append(std::string_view bytes) {
  const auto take = [&](std::string& place, std::uint64_t most) {
    const std::string_view part = bytes.substr(0, most);
    place.append(part);
    bytes.remove_prefix(part.size());
    return part.size();
  };
  while (!bytes.empty()) {
    if (header_.size() < kHeaderSize) {
      take(header_, kHeaderSize - header_.size());
      if (header_.size() < kHeaderSize) return;
      std::memcpy(&missing_, header_.data() + 1, sizeof missing_);
      arriving_ = {static_cast<FrameKind>(header_.front()), {}};
      arriving_.payload.reserve(missing_);
    }
    missing_ -= take(arriving_.payload, missing_);
    if (missing_ > 0) return;
    complete_.push_back(std::exchange(arriving_, {}));
    header_.clear();
  }
}

std::optional<Frame> FrameReader::next() {
  if (complete_.empty()) return std::nullopt;
  Frame frame = std::move(complete_.front());
  complete_.pop_front();
  return frame;
}

}  // namespace heddle::driver
