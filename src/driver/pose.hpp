#pragma once

/// The one way from a file name and the words of a command line to a question. `verify` asks it,
/// `check`, `replay` and `show` compare stored evidence with it: evidence never adds to a question.

#include <string>

#include "base/diagnostic.hpp"
#include "driver/disk.hpp"
#include "driver/question.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"

namespace heddle::driver {

struct Posed {
  model::Task task;
  output::Asked asked;
};

enum class Asking {
  Reachability,
  Cutoff,  ///< has no target: none is read from the file, its siblings or the command line
};

/// The file's model with the question that command line, file and siblings put, as far as they do:
/// see `missing_part`. The error says what is wrong with the input.
base::Parsed<Posed> pose(const Disk& disk, const std::string& file, const QuestionOptions& options,
                         Asking asking = Asking::Reachability);

/// What the question lacks to be one; empty if it is whole. A pushdown system needs no target: then
/// all that is reachable is found.
base::Diagnostics missing_part(const Posed& posed, Asking asking = Asking::Reachability);

/// A question that is whole.
base::Parsed<Posed> pose_whole(const Disk& disk, const std::string& file,
                               const QuestionOptions& options,
                               Asking asking = Asking::Reachability);

}  // namespace heddle::driver
