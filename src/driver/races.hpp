#pragma once

/// What a look at the text of a C program says about data races, beside the answer: what keeps
/// threads apart, variable by variable, and pairs of accesses that nothing is known about.

#include <chrono>
#include <string>

#include "driver/disk.hpp"
#include "driver/question.hpp"

namespace heddle::driver {

struct RaceTable {
  std::string protections;  ///< a line for each variable that several threads use
  std::string warnings;     ///< a line for each pair that is not excluded by mutexes and order
  std::size_t open = 0;     ///< such pairs
  std::string missing;      ///< why there is no table
  bool is_rough = false;    ///< the warnings are those of a rough look (transform/races/rough.hpp)
};

/// In a child process that is killed when the given time is over. The file is one that can be read,
/// with a C program.
RaceTable race_table(const Disk& disk, const std::string& file, const QuestionOptions& options,
                     std::chrono::duration<double> time);

}  // namespace heddle::driver
