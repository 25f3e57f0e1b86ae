#pragma once

/// What all commands do with standard output and standard error.

#include <cstddef>
#include <string>

#include "answer/report.hpp"
#include "base/diagnostic.hpp"
#include "cli/command.hpp"
#include "driver/exit_code.hpp"
#include "output/text.hpp"

namespace heddle::cli {

using driver::kBadInput;
using driver::kDone;
using driver::kInternalError;
using driver::kUsage;
/// What a worker returns that was interrupted by a signal, plus the signal.
inline constexpr int kBySignal = 128;

/// Is this a terminal that understands more than plain text?
bool is_terminal(int descriptor);

/// What fits on it without wrapping or scrolling.
struct TerminalSize {
  std::size_t columns = 79;
  std::size_t rows = 23;
};
TerminalSize terminal_size(int descriptor);

/// Does the user want colours on standard output: if nothing else is said, is it a terminal, and is
/// NO_COLOR empty?
bool wants_colours(ColourChoice choice = ColourChoice::Auto);

output::TextOptions text_options(const OutputChoice& choice);

/// With the name of the model before it, if there are several.
std::string named(const std::string& text, const std::string& file, const OutputChoice& choice);

void complain(const std::string& text);

/// Prints to standard output and returns `code`; an answer that cannot be printed is not given.
int print(const std::string& text, int code);

/// Complains and returns the exit code of bad input.
int reject(const base::Diagnostics& diagnostics);

/// A warning: the answer has nothing that could be stored in this file.
base::Diagnostic not_written(const std::string& path, const std::string& why);

/// Ends as the signal would have ended us, so that a shell loop around us ends too.
int end_by_signal(int signal);

}  // namespace heddle::cli
