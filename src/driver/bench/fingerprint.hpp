#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::driver::bench {

/// The 64-bit Fowler–Noll–Vo hash (1a) of a sequence of texts: tells what has changed by accident,
/// not by malice.
class Fingerprint {
 public:
  /// The length counts, too: "ab", "c" differs from "a", "bc".
  void add(std::string_view text);
  std::string hex() const;

 private:
  void add_byte(unsigned char byte) {
    hash_ ^= byte;
    hash_ *= 0x100000001b3;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Of this very program, so that a run is not resumed by another build of it.
std::string program_fingerprint();

}  // namespace heddle::driver::bench
