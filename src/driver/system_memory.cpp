#include "driver/system_memory.hpp"

#include <unistd.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <string>

namespace heddle::driver {

namespace {

constexpr std::uint64_t kPartToKeepFree = 16;

/// The number after `name`, if there is one.
std::optional<std::uint64_t> figure(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

/// The first lines, which have what we look for.
std::string beginning_of(const char* path) {
  std::string text(512, '\0');
  std::ifstream file(path);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

bool is_short_of_memory(std::string_view meminfo) {
  const auto total = figure(meminfo, "MemTotal:");
  const auto available = figure(meminfo, "MemAvailable:");
  return total && available && *available < *total / kPartToKeepFree;
}

bool machine_is_short_of_memory() { return is_short_of_memory(beginning_of("/proc/meminfo")); }

std::uint64_t resident_mb(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return file ? (resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))) >> 20U : 0;
}

}  // namespace heddle::driver
