#include "driver/bench/fingerprint.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace heddle::driver::bench {

void Fingerprint::add(std::string_view text) {
  for (std::size_t length = text.size(), i = 0; i < sizeof length; ++i, length >>= 8)
    add_byte(static_cast<unsigned char>(length));
  for (const char byte : text) add_byte(static_cast<unsigned char>(byte));
}

std::string Fingerprint::hex() const { return fmt::format("{:016x}", hash_); }

std::string program_fingerprint() {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(program), {}};
  Fingerprint fingerprint;
  fingerprint.add(bytes);
  return fingerprint.hex();
}

}  // namespace heddle::driver::bench
