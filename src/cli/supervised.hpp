#pragma once

/// Commands that read models run in a worker process, inside their limits. Here is what the process
/// that the user started does meanwhile and afterwards.

#include <functional>
#include <optional>
#include <string>

#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "cli/command.hpp"
#include "cli/event_pipe.hpp"
#include "driver/supervisor.hpp"
#include "output/progress.hpp"

namespace heddle::cli {

/// A worker that came to no end: a limit was reached, we were interrupted, or it crashed.
struct Unanswered {
  answer::Unknown why;
  double seconds = 0;
  double peak_memory_mb = 0;
};

/// What to print on standard output instead of an answer.
std::string unanswered_text(const VerifyCommand& command, const Unanswered& unanswered);
std::string unanswered_text(const CheckCommand& command, const Unanswered& unanswered);
/// Nothing, for commands whose answer is a model or a picture.
std::string unanswered_text(const ReplayCommand& command, const Unanswered& unanswered);
std::string unanswered_text(const TranslateCommand& command, const Unanswered& unanswered);
std::string unanswered_text(const ShowCommand& command, const Unanswered& unanswered);

/// The body of a command, in a worker process; the exit code. Prints what the worker has to say, or
/// the text of `instead` if it came to no end.
struct WorkerFrame {
  std::string file;  ///< that is read
  base::Limits limits;
  driver::WorkerStreams streams;
  std::optional<output::ProgressBoard> progress;  ///< shown on standard error
  const EventPipe* events = nullptr;              ///< who gets the events instead
};
int run_in_worker(const driver::WorkerBody& body, WorkerFrame frame,
                  const std::function<std::string(const Unanswered&)>& instead);

}  // namespace heddle::cli
