#include "regress/run.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "regress/case.hpp"

namespace heddle::regress {
namespace {

std::string binary() {
  const char* path = std::getenv("HEDDLE_BINARY");
  if (path == nullptr) throw std::runtime_error("HEDDLE_BINARY is not set (ctest sets it)");
  return path;
}

pid_t spawn(std::vector<std::string> words, const std::string& out, const std::string& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_CREAT | O_WRONLY, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_CREAT | O_WRONLY, 0600);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(words[0] + ": cannot be run");
  return child;
}

}  // namespace

Outcome run_heddle(const std::vector<std::string>& arguments) {
  const TemporaryDirectory directory;
  const std::string out = directory.path() / "out";
  const std::string err = directory.path() / "err";
  std::vector<std::string> words{binary()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const pid_t child = spawn(std::move(words), out, err);
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_text(out), read_text(err)};
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = std::filesystem::temp_directory_path() / "heddle-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("no temporary directory could be made");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace heddle::regress
