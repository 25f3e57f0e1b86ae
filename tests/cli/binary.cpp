#include "cli/binary.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <system_error>

namespace heddle::cli {

namespace fs = std::filesystem;

namespace {

fs::path fresh_folder() {
  static std::atomic<int> count = 0;
  const std::string name = "heddle-cli-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  fs::path folder = fs::temp_directory_path() / name;
  fs::create_directories(folder);
  return folder;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void become(const fs::path& folder, const std::vector<std::string>& arguments,
                         const fs::path& out, const fs::path& err) {
  if (chdir(folder.c_str()) != 0) _exit(126);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  std::vector<char*> words{const_cast<char*>("heddle")};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(std::getenv("HEDDLE_BINARY"), words.data());
  _exit(127);
}

}  // namespace

BinaryTest::BinaryTest() : folder_(fresh_folder()) {
  if (!std::getenv("HEDDLE_BINARY")) ADD_FAILURE() << "HEDDLE_BINARY should name the program";
}

BinaryTest::~BinaryTest() { fs::remove_all(folder_); }

void BinaryTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string BinaryTest::read(const std::string& name) const { return text_of(folder_ / name); }

std::size_t BinaryTest::file_count() const {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
}

Outcome BinaryTest::heddle(const std::vector<std::string>& arguments, void (*on_start)(int)) const {
  const fs::path out = folder_.string() + ".out";
  const fs::path err = folder_.string() + ".err";
  const pid_t id = fork();
  if (id == 0) become(folder_, arguments, out, err);
  if (id < 0) throw std::system_error(errno, std::generic_category(), "fork");
  try {
    if (on_start) on_start(id);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
    kill(id, SIGKILL);
  }
  int status = 0;
  waitpid(id, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  Outcome outcome{code, text_of(out), text_of(err)};
  fs::remove(out);
  fs::remove(err);
  return outcome;
}

}  // namespace heddle::cli
