#include "cli/commands.hpp"

#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

#include "cli/terminal.hpp"
#include "driver/replay.hpp"
#include "output/replay_session.hpp"

namespace heddle::cli {

namespace {

using output::ReplaySession;

/// The terminal hands over keys one by one while this lives.
class KeyMode {
 public:
  KeyMode() {
    known_ = tcgetattr(STDIN_FILENO, &before_) == 0;
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    if (known_) tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
  }
  KeyMode(const KeyMode&) = delete;
  KeyMode& operator=(const KeyMode&) = delete;
  ~KeyMode() {
    if (known_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }

 private:
  termios before_{};
  bool known_ = false;
};

/// One byte; nothing at the end of the input.
std::optional<char> read_byte() {
  char byte = 0;
  if (read(STDIN_FILENO, &byte, 1) != 1) return std::nullopt;
  return byte;
}

/// The command that a key stands for; nothing at the end of the input.
std::optional<std::string> read_key() {
  const KeyMode mode;
  const auto byte = read_byte();
  if (!byte || *byte == '\x04') return std::nullopt;
  if (*byte == ' ' || *byte == '\n') return "n";
  if (*byte != '\x1b') return std::string(1, *byte);
  if (read_byte() != '[') return "";
  return read_byte() == 'D' ? "p" : "n";  // the arrow to the left; any other goes forward
}

std::optional<std::string> read_command_line() {
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

/// Keys that need words after them get the rest of a line.
std::optional<std::string> ask_on_terminal() {
  auto key = read_key();
  if (!key || (*key != "g" && *key != "w")) return key;
  print(*key + " ", kDone);
  const auto rest = read_command_line();
  if (!rest) return std::nullopt;
  return *key + " " + *rest;
}

int converse(ReplaySession& session, int code) {
  const bool keys = isatty(STDIN_FILENO) != 0 && is_terminal(STDOUT_FILENO);
  if (print(session.greeting() + (keys ? session.help() : ""), code) != code) return kInternalError;
  while (!session.finished()) {
    const auto command = keys ? ask_on_terminal() : read_command_line();
    if (!command) break;
    if (print(session.respond(*command), code) != code) return kInternalError;
  }
  return code;
}

/// What the checker says, before anything is shown.
std::string announcement(const answer::CheckResult& check) {
  switch (check.status) {
    case answer::EvidenceStatus::Confirmed: return "confirmed: " + check.why + "\n";
    case answer::EvidenceStatus::Refuted:
      return "REFUTED: " + check.why + "\nthe rest is the file's claim\n";
    case answer::EvidenceStatus::OtherQuestion:
      return "ANOTHER QUESTION: " + check.why + "\nthe rest is the file's claim\n";
    case answer::EvidenceStatus::NotChecked: break;
  }
  return "NOT CHECKED: " + check.why + "\nthe rest is the file's claim\n";
}

}  // namespace

int run(const ReplayCommand& command, const driver::WorkerLink& worker) {
  const driver::RealDisk disk;
  const auto loaded = driver::load_trace(disk, command.request);
  if (!loaded) return reject(loaded.error());
  const driver::Answered& answered = loaded->answered;
  if (answered.interrupted_by) return kBySignal + *answered.interrupted_by;
  complain(base::render(answered.asked.warnings));
  const int code = driver::exit_code(answered.report.check.status);
  const auto blocks = command.expand ? output::Blocks::Unfolded : output::Blocks::Folded;
  ReplaySession session(answered.task, loaded->trace, blocks, output::Style(wants_colours()),
                        answered.asked.sources);
  const std::string checked = announcement(answered.report.check);
  if (command.all) return print(checked + session.whole(), code);
  worker.lift_deadline();
  if (print(checked, code) != code) return kInternalError;
  return converse(session, code);
}

}  // namespace heddle::cli
