#include "library/conversation.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

namespace heddle::library {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBetweenCalls = 100;  // milliseconds
/// The program reports within 0.3 s of a signal. After this it is killed.
constexpr std::chrono::seconds kPatience{2};

/// What has arrived, without blocking. False once nobody can write any more.
bool receive(int descriptor, std::string& text) {
  std::array<char, 1 << 16> chunk;  // NOLINT(*-member-init): read() fills it
  while (true) {
    const ssize_t size = read(descriptor, chunk.data(), chunk.size());
    if (size > 0) text.append(chunk.data(), static_cast<std::size_t>(size));
    if (size == 0) return false;
    if (size < 0 && errno != EINTR) return errno == EAGAIN;
  }
}

class Conversation {
 public:
  Conversation(const Process& process, const heddle_query& query)
      : process_(process), query_(query) {}

  Said run() {
    while (!ended_) wait();
    receive_all();
    return std::move(said_);
  }

 private:
  void wait() {
    // Descriptors that are closed at the other end are left out (a negative number).
    std::array<pollfd, 5> waits{{{process_.handle.get(), POLLIN, 0},
                                 {open_[0] ? process_.output.get() : -1, POLLIN, 0},
                                 {open_[1] ? process_.errors.get() : -1, POLLIN, 0},
                                 {open_[2] ? process_.events.get() : -1, POLLIN, 0},
                                 {said_.cancelled ? -1 : query_.cancel_signal, POLLIN, 0}}};
    const int ready = poll(waits.data(), waits.size(), kBetweenCalls);
    if (ready < 0 && errno != EINTR) return kill_program();
    if (ready == 0) call(nullptr);
    if (ready > 0) {
      ended_ = waits[0].revents != 0;
      receive_all();
      if (waits[4].revents != 0) cancel();
    }
    if (said_.cancelled && Clock::now() > cancelled_at_ + kPatience) kill_program();
  }

  void receive_all() {
    open_[0] = open_[0] && receive(process_.output.get(), said_.output);
    open_[1] = open_[1] && receive(process_.errors.get(), said_.errors);
    open_[2] = open_[2] && receive(process_.events.get(), events_);
    for (std::size_t end; (end = events_.find('\n')) != std::string::npos;) {
      const std::string line = events_.substr(0, end);
      events_.erase(0, end + 1);
      hear(line);
    }
  }

  void hear(const std::string& line) {
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object()) return;
    if (event.contains("exit")) {
      said_.exit_code = event["exit"].get<int>();
      return;
    }
    const std::string engine = event.value("engine", ""), phase = event.value("phase", "");
    std::vector<std::string> names;
    std::vector<const char*> pointers;
    std::vector<double> figures;
    const auto numbers = event.value("figures", nlohmann::json::object());
    for (const auto& [name, value] : numbers.items()) {
      names.push_back(name);
      figures.push_back(value.is_number() ? value.get<double>() : 0);
    }
    for (const std::string& name : names) pointers.push_back(name.c_str());
    const heddle_event told{
        engine.c_str(), phase.c_str(),   event.value("milestone", false) ? 1 : 0,
        names.size(),   pointers.data(), figures.data()};
    call(&told);
  }

  void call(const heddle_event* event) {
    if (query_.progress && !said_.cancelled && query_.progress(event, query_.progress_data) != 0)
      cancel();
  }

  void cancel() {
    if (said_.cancelled) return;
    said_.cancelled = true;
    cancelled_at_ = Clock::now();
    process_.send(SIGTERM);
  }

  void kill_program() {
    process_.send(SIGKILL);
    cancelled_at_ = Clock::now();
  }

  const Process& process_;
  const heddle_query& query_;
  std::array<bool, 3> open_{true, true, true};  ///< output, errors, events
  std::string events_;
  Said said_;
  bool ended_ = false;
  Clock::time_point cancelled_at_{};
};

}  // namespace

bool is_cancelled(const heddle_query& query) {
  if (query.progress && query.progress(nullptr, query.progress_data) != 0) return true;
  pollfd cancelled{query.cancel_signal, POLLIN, 0};
  return poll(&cancelled, 1, 0) > 0;
}

Said converse(const Process& process, const heddle_query& query) {
  Said said = Conversation(process, query).run();
  // Orphans are reaped by their new parent; if the host has made itself that, nobody else will.
  siginfo_t ignored{};
  waitid(P_PIDFD, static_cast<id_t>(process.handle.get()), &ignored, WEXITED | WNOHANG);
  return said;
}

}  // namespace heddle::library
