#include "cli/terminal.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace heddle::cli {

bool is_terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) != 0 && kind && std::string_view(kind) != "dumb";
}

TerminalSize terminal_size(int descriptor) {
  winsize size{};
  TerminalSize out;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return out;
  if (size.ws_col > 1) out.columns = size.ws_col - 1u;  // a full line would wrap
  if (size.ws_row > 1) out.rows = size.ws_row - 1u;
  return out;
}

bool wants_colours(ColourChoice choice) {
  if (choice != ColourChoice::Auto) return choice == ColourChoice::Always;
  const char* no_colour = std::getenv("NO_COLOR");
  return is_terminal(STDOUT_FILENO) && !(no_colour && *no_colour);
}

output::TextOptions text_options(const OutputChoice& choice) {
  return {output::Style(choice.colours), choice.verbose, choice.quiet};
}

std::string named(const std::string& text, const std::string& file, const OutputChoice& choice) {
  return choice.names_file && !choice.json ? file + ": " + text : text;
}

void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

int print(const std::string& text, int code) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return code;
  complain("heddle: error: standard output cannot be written\n");
  return kInternalError;
}

int reject(const base::Diagnostics& diagnostics) {
  complain(base::render(diagnostics));
  return kBadInput;
}

base::Diagnostic not_written(const std::string& path, const std::string& why) {
  base::Diagnostic warning;
  warning.severity = base::Severity::Warning;
  warning.location.file = path;
  warning.message = "is not written: " + why;
  return warning;
}

int end_by_signal(int signal) {
  ::signal(signal, SIG_DFL);
  raise(signal);
  return 128 + signal;
}

}  // namespace heddle::cli
