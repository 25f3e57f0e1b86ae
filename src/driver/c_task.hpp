#pragma once

/// C programs on the command line: task files of the competition, linked files, compile commands.

#include "driver/question.hpp"

namespace heddle::driver {

/// A task file (`.yml`) as the command line that it stands for.
struct OpenedTask {
  std::string file;         ///< the first input file
  QuestionOptions options;  ///< with its further files, data model and property
  base::Diagnostics warnings;
};

/// By extension: `.yml` or `.yaml`.
bool is_task_file(const std::string& path);

/// What the command line says wins over the task file. Of several properties the first that is
/// supported is asked, with a warning. The expected verdict is ignored.
base::Parsed<OpenedTask> open_task(const Disk& disk, const std::string& path,
                                   const QuestionOptions& options);

/// How the C program is to be read: the further files, compile commands, a task file beside the
/// first file (for the width of pointers), and names in a property file.
base::Parsed<frontend::ReadSettings> read_settings(const Disk& disk, const std::string& path,
                                                   const QuestionOptions& options);

}  // namespace heddle::driver
