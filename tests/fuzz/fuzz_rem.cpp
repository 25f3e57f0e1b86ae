#include "fuzz/round_trip.hpp"

/// What is printed as Remopla is read as another program, so what is read must survive being
/// printed as a Boolean program.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  const auto file = frontend::find_format("rem")->parse({"input", fuzz::text_of(data, size)}, {});
  if (!file) {
    if (base::render(file.error()).empty()) fuzz::fail("a parser failed without a diagnostic");
    return 0;
  }
  const frontend::FormatRow& printed = *frontend::find_format("bp");
  const std::string failure = fuzz::round_trip_failure(printed, *file);
  if (!failure.empty()) fuzz::fail("printing changed " + failure + "\n" + printed.print(*file));
  return 0;
}
