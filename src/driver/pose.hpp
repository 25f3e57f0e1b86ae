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
  model::AnyTask task;
  output::Asked asked;
  bool initial_assumed = false;  ///< nobody says where it starts: the default of its kind
};

/// Of a cutoff no target is read from the file, its siblings or the command line.
using output::Asking;

/// The file's model with the question that command line, file and siblings put, as far as they do:
/// see `missing_part`. The error says what is wrong with the input.
base::Parsed<Posed> pose(const Disk& disk, const std::string& file, const QuestionOptions& options,
                         Asking asking = Asking::Reachability);

/// What the question lacks to be one; empty if it is whole. A pushdown system needs no target: then
/// all that is reachable is found.
base::Diagnostics missing_part(const Posed& posed);

/// Does the question lack a target that a question about its kind of model needs?
bool lacks_target(const model::AnyTask& task);

/// A question that is whole.
base::Parsed<Posed> pose_whole(const Disk& disk, const std::string& file,
                               const QuestionOptions& options,
                               Asking asking = Asking::Reachability);

}  // namespace heddle::driver
