#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

namespace heddle::driver {

/// Is less than a sixteenth of the memory left, by the text of /proc/meminfo? False if the text
/// does not tell.
bool is_short_of_memory(std::string_view meminfo);
/// Of this machine.
bool machine_is_short_of_memory();

/// Resident memory of a process; 0 if there is no such process.
std::uint64_t resident_mb(pid_t process);

}  // namespace heddle::driver
