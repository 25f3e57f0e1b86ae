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
  if (event.milestone && shows_.milestones) {
    clear();
    std::fputs((progress_text(engine, event) + "\n").c_str(), stream_);
    return;
  }
  if (!shows_.progress) return;
  std::fputs((kBeginningOfEmptyLine + progress_text(engine, event)).c_str(), stream_);
  std::fflush(stream_);
  shown_ = true;
}

std::function<void(std::string_view, const base::Event&)> ProgressLine::listener() {
  if (!shows_.progress && !shows_.milestones) return {};
  return [this](std::string_view engine, const base::Event& event) { show(engine, event); };
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs(kBeginningOfEmptyLine, stream_);
  std::fflush(stream_);
  shown_ = false;
}

}  // namespace heddle::output
