#include "cli/event_pipe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <climits>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

namespace heddle::cli {

namespace {

constexpr const char* kVariable = "HEDDLE_EVENTS";

bool is_pipe_to_write(int descriptor) {
  struct stat status{};
  if (descriptor <= STDERR_FILENO || fstat(descriptor, &status) != 0) return false;
  const int flags = fcntl(descriptor, F_GETFL);
  return S_ISFIFO(status.st_mode) && flags >= 0 && (flags & O_ACCMODE) == O_WRONLY;
}

std::string line_of(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::optional<EventPipe> EventPipe::from_environment() {
  const char* const text = std::getenv(kVariable);
  if (!text) return std::nullopt;
  const std::string_view digits(text);
  int descriptor = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
  unsetenv(kVariable);  // not for programs that we start
  if (!is_pipe_to_write(descriptor)) return std::nullopt;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return EventPipe(descriptor);
}

void EventPipe::tell(std::string_view engine, const base::Event& event) const {
  nlohmann::ordered_json figures = nlohmann::ordered_json::object();
  for (const auto& [name, value] : event.figures) figures[name] = value;
  const std::string line = line_of({{"engine", engine},
                                    {"phase", event.phase},
                                    {"milestone", event.milestone},
                                    {"figures", figures}});
  // Up to this length a line is written as a whole or not at all.
  if (line.size() > PIPE_BUF) return;
  pollfd room{descriptor_, POLLOUT, 0};
  if (poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0) return;
  [[maybe_unused]] const ssize_t written = write(descriptor_, line.data(), line.size());
}

void EventPipe::tell_end(int exit_code) const {
  const std::string line = line_of({{"exit", exit_code}});
  [[maybe_unused]] const ssize_t written = write(descriptor_, line.data(), line.size());
}

bool EventPipe::is_abandoned() const {
  pollfd reader{descriptor_, 0, 0};
  return poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR) != 0;
}

}  // namespace heddle::cli
