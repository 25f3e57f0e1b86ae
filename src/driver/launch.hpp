#pragma once

/// How a process of ours begins: the one place that knows what a child has to do before anything
/// else, and the one place that starts other programs.

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

/// Of which process group a child is, and what SIGINT, SIGTERM and SIGHUP do to it.
enum class ChildGroup {
  Own,      ///< a group of its own, killed as a whole; signals end it
  Parents,  ///< may read the terminal; signals wait, as in the parent, until it asks for them
};

/// In a child, first of all: it dies with its parent, whatever ends the parent, writes no core
/// file, and has at most so many megabytes of data. False if the parent is gone already.
bool settle_in(pid_t parent, ChildGroup group, std::optional<std::uint64_t> memory_mb);

struct ProgramStart {
  std::vector<std::string> words;  ///< the program (found in PATH) and its arguments
  int input = -1;                  ///< becomes its standard input; -1: there is none to read
  int output = STDOUT_FILENO;
  int errors = STDERR_FILENO;
  ChildGroup group = ChildGroup::Parents;
  std::optional<std::uint64_t> memory_mb;  ///< of the data segment
  std::string folder;                      ///< where it runs; here if empty
};

/// The exit code of a program that could not be started, as shells say it.
constexpr int kCannotStart = 127;

/// Starts another program. Throws std::system_error if the system has no process to give.
pid_t start_program(const ProgramStart& start);

}  // namespace heddle::driver
