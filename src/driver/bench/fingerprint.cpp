#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>

#include "driver/bench/bench.hpp"

namespace heddle::driver::bench {

/// The 64-bit Fowler–Noll–Vo hash (1a) of the program's file.
std::string program_fingerprint() {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::istreambuf_iterator<char> at(program), end; at != end; ++at) {
    hash ^= static_cast<unsigned char>(*at);
    hash *= 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace heddle::driver::bench
