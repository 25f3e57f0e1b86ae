#include "library/query.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace {

/// What decides how the program talks with us.
constexpr std::array<std::string_view, 14> kOurs{"json",    "quiet",    "q",        "verbose", "v",
                                                 "color",   "evidence", "settings", "help",    "h",
                                                 "version", "output",   "o",        "svcomp"};

}  // namespace

heddle_query::heddle_query() : cancel_signal(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

heddle_query::~heddle_query() {
  if (cancel_signal >= 0) close(cancel_signal);
}

heddle_query* heddle_query_new(void) {
  try {
    return new heddle_query;
  } catch (...) {
    return nullptr;
  }
}

void heddle_query_free(heddle_query* query) { delete query; }

int heddle_set(heddle_query* query, const char* option, const char* value) {
  if (!query || !option || !*option || std::ranges::count(kOurs, std::string_view(option)) > 0)
    return -1;
  try {
    const std::string name = option;
    if (name == "--") {
      if (!value) return -1;
      query->clang_flags.emplace_back(value);
    } else if (name.size() == 1) {
      query->arguments.push_back("-" + name);
      if (value) query->arguments.emplace_back(value);
    } else {
      query->arguments.push_back("--" + name + (value ? "=" + std::string(value) : ""));
    }
    return 0;
  } catch (...) {
    return -1;
  }
}

int heddle_set_evidence(heddle_query* query, const char* json, size_t length) {
  if (!query) return -1;
  try {
    query->evidence.reset();
    if (json) query->evidence.emplace(json, length);
    return 0;
  } catch (...) {
    return -1;
  }
}

void heddle_on_progress(heddle_query* query, heddle_progress progress, void* data) {
  if (!query) return;
  query->progress = progress;
  query->progress_data = data;
}

void heddle_cancel(heddle_query* query) {
  if (!query) return;
  const int error = errno;  // of whoever is interrupted by the signal handler that we may be in
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(query->cancel_signal, &one, sizeof one);
  errno = error;
}
