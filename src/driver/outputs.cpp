#include "driver/outputs.hpp"

#include <filesystem>
#include <set>
#include <system_error>

#include "driver/question.hpp"

namespace heddle::driver {

namespace fs = std::filesystem;

base::Parsed<void> claim_outputs(Disk& disk, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs) {
  for (const std::string& input : inputs) disk.protect(input);
  std::set<fs::path> claimed;
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    if (const auto writable = disk.probe(output); !writable)
      return std::unexpected(complaint(output, "cannot be written: " + writable.error()));
    std::error_code unknown;
    const fs::path real = fs::weakly_canonical(fs::absolute(output), unknown);
    const bool is_new = claimed.insert(unknown ? fs::path(output) : real).second;
    if (!is_new && !disk.is_stream(output))
      return std::unexpected(complaint(output, "two outputs would be written to this file"));
  }
  return {};
}

}  // namespace heddle::driver
