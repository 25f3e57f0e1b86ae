#include "output/progress.hpp"

#include <fmt/format.h>

namespace heddle::output {

namespace {

constexpr std::size_t kWidest = 78;
constexpr const char* kBeginningOfEmptyLine = "\r\033[K";

}  // namespace

std::string progress_text(std::string_view engine, const base::Event& event) {
  std::string out = fmt::format("{}: {}", engine, event.phase);
  for (const auto& [name, value] : event.figures) out += fmt::format("  {} {:.0f}", name, value);
  return out.substr(0, kWidest);
}

void ProgressLine::show(std::string_view engine, const base::Event& event) {
  std::fputs((kBeginningOfEmptyLine + progress_text(engine, event)).c_str(), terminal_);
  std::fflush(terminal_);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs(kBeginningOfEmptyLine, terminal_);
  std::fflush(terminal_);
  shown_ = false;
}

}  // namespace heddle::output
