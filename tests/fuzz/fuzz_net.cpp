#include "fuzz/round_trip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::fuzz::check_round_trip("net", heddle::fuzz::text_of(data, size));
  return 0;
}
