/// What a terminal shows while Heddle works.

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The program with a terminal of 30 columns.
class OnTerminal {
 public:
  OnTerminal(const std::filesystem::path& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), std::getenv("HEDDLE_BINARY"));
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const winsize size{20, 30, 0, 0};
    id_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (id_ != 0) return;
    setenv("TERM", "xterm", 1);
    if (chdir(folder.c_str()) == 0) execv(words[0], words.data());
    _exit(99);
  }
  ~OnTerminal() {
    if (id_ > 0) kill(id_, SIGKILL), waitpid(id_, nullptr, 0);
    close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  /// Reads until this has been seen, or more than enough.
  bool shows(const std::string& wanted) {
    while (seen_.find(wanted) == std::string::npos)
      if (seen_.size() > kMuch || !more()) return false;
    return true;
  }
  void type(char c) const { EXPECT_EQ(write(terminal_, &c, 1), 1); }
  /// All that was shown until the end.
  std::string rest() {
    while (seen_.size() < 2 * kMuch && more()) continue;
    kill(id_, SIGKILL);
    int status = 0;
    waitpid(std::exchange(id_, -1), &status, 0);
    return seen_;
  }

 private:
  static constexpr std::size_t kMuch = 2'000;

  bool more() {
    pollfd waiting{terminal_, POLLIN, 0};
    if (poll(&waiting, 1, 60'000) <= 0) return false;
    char text[4096];
    const ssize_t size = read(terminal_, text, sizeof text);
    if (size <= 0) return false;
    seen_.append(text, static_cast<std::size_t>(size));
    return true;
  }

  pid_t id_ = -1;
  int terminal_ = -1;
  std::string seen_;
};

class ProgressTest : public BinaryTest {};

TEST_F(ProgressTest, ReadingIsNotSilentAndNothingOfItStays) {
  ASSERT_EQ(mkfifo(at("pipe.tts").c_str(), 0600), 0);
  OnTerminal heddle(folder(), {"verify", "pipe.tts", "--target", "2|4,4", "-q"});
  EXPECT_TRUE(heddle.shows("s  reading pipe.tts"));
  write("pipe.tts", kLock);
  const std::string seen = heddle.rest();
  const std::string answer = seen.substr(seen.rfind("\033[J") + 3);
  EXPECT_THAT(answer, HasSubstr(": the target 2|4,4 is reachable"));
  EXPECT_THAT(answer, Not(HasSubstr("reading")));
}

TEST_F(ProgressTest, EnginesHaveALineEachThatFitsTheTerminal) {
  write("endless.spec", kEndlessNet);
  OnTerminal heddle(folder(), {"verify", "endless.spec", "--engine", "backward"});
  EXPECT_TRUE(heddle.shows("s  working on endless.spec\r\n  backward  backward search …"));
  heddle.type('\x03');
  EXPECT_THAT(heddle.rest(), HasSubstr("interrupted by SIGINT"));
}

TEST_F(ProgressTest, AnInterruptTellsWhatIsKnownSoFar) {
  const std::string source = std::getenv("HEDDLE_SOURCE_DIR");
  OnTerminal heddle(folder(), {"verify", source + "/examples/pushdown/same-depth.pds"});
  EXPECT_TRUE(heddle.shows("  pushdown  no violation wit…"));
  heddle.type('\x03');
  const std::string seen = heddle.rest();
  EXPECT_THAT(seen, HasSubstr("so far, not checked: pushdown: no violation within "));
}

}  // namespace
}  // namespace heddle::cli
