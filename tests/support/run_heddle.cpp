#include "support/run_heddle.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "driver/launch.hpp"

namespace heddle::test {

namespace fs = std::filesystem;

namespace {

class OutputFile {
 public:
  explicit OutputFile(fs::path path)
      : path_(std::move(path)),
        descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) throw std::runtime_error(path_.string() + ": cannot be written");
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { close(descriptor_); }

  int descriptor() const { return descriptor_; }
  std::string contents() const { return read_text(path_); }

 private:
  fs::path path_;
  int descriptor_;
};

std::string binary() {
  const char* path = std::getenv("HEDDLE_BINARY");
  if (path == nullptr) throw std::runtime_error("HEDDLE_BINARY is not set (ctest sets it)");
  return fs::absolute(path);
}

int exit_code_of(pid_t id) {
  int status = 0;
  if (waitpid(id, &status, 0) != id) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = fs::temp_directory_path() / "heddle-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("no temporary directory could be made");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

ProgramEnd run_heddle(const std::vector<std::string>& arguments, const fs::path& folder,
                      const std::function<void(int)>& on_start) {
  const TemporaryDirectory directory;
  const OutputFile out(directory.path() / "out"), err(directory.path() / "err");
  driver::ProgramStart start;
  start.words = {binary()};
  start.words.insert(start.words.end(), arguments.begin(), arguments.end());
  start.output = out.descriptor();
  start.errors = err.descriptor();
  start.folder = folder;
  const pid_t id = driver::start_program(start);
  try {
    if (on_start) on_start(id);
  } catch (...) {
    kill(id, SIGKILL);
    exit_code_of(id);
    throw;
  }
  const int code = exit_code_of(id);
  return {code, out.contents(), err.contents()};
}

}  // namespace heddle::test
