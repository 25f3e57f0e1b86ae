#pragma once

/// Starts the program so that the calling process does not notice (decision 38).
///
/// A child of ours would be a child of the host: its death sends SIGCHLD, and a host that waits for
/// any child reaps it. So the program is started by a helper that is gone when `start` returns. The
/// helper shares our memory and stops us until it has ended (as vfork does, so that nothing is
/// copied, however large the host is), sends no signal when it ends (exit signal 0) and is not seen
/// by wait(). The program becomes an orphan, whose new parent reaps it; we hold a descriptor of it,
/// which becomes readable at its end. It runs in a session of its own: what the terminal sends to
/// the host is the host's affair. It ends when nobody reads its events any more.

#include <string>
#include <vector>

namespace heddle::library {

/// A descriptor that is closed in the end; above those that programs expect to be theirs.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return number_; }
  int release();
  void reset();

 private:
  int number_ = -1;
};

struct Process {
  Descriptor handle;                  ///< readable once the program has ended
  Descriptor output, errors, events;  ///< to read from

  void send(int signal) const;
};

/// `words[0]` is the path of the program; `folder`: where it runs, here if empty. Throws
/// std::system_error if the system has no process or descriptor to give.
Process start(const std::vector<std::string>& words, const std::string& folder);

/// The path of the program that belongs to this library: HEDDLE_PROGRAM, or where the installation
/// or the build tree has it. Throws std::runtime_error if it is not there.
std::string program_path();

}  // namespace heddle::library
