/// One task of a suite: reads a C file, explores it, checks the answer, prints one line.
///
///   explore_task FILE PROPERTY BITS SECONDS [plain|story]

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>

#include "check/c/check.hpp"
#include "engine/explore/explore.hpp"
#include "frontend/c/read.hpp"
#include "model/c/run_story.hpp"

namespace {

using namespace heddle;
using engine::explore::ExploreResult;
using engine::explore::ExploreVerdict;
using Clock = std::chrono::steady_clock;

std::string text_of_file(const std::string& name) {
  std::ifstream file(name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string verdict_text(const ExploreResult& result) {
  switch (result.verdict) {
    case ExploreVerdict::Safe: return "true";
    case ExploreVerdict::Unsafe: return "false";
    case ExploreVerdict::SafeUpTo: return fmt::format("upto:{}", result.threads);
    case ExploreVerdict::Unknown: return "unknown";
  }
  return "";
}

void print_story(const model::c::Program& program, const model::c::Run& run) {
  const model::c::Interpreter interpreter(program);
  for (const model::c::StoryStep& step : tell(interpreter, run).steps) {
    std::cout << fmt::format("{:<12} {}:{}", step.thread, step.function, step.position.line);
    for (const auto& change : step.changes) {
      std::cout << fmt::format("  {} {}: {} -> {};", change.type, change.name, change.before,
                               change.after);
    }
    for (const auto& event : step.events) std::cout << "  [" << event << "]";
    for (const auto& lock : step.locks) std::cout << " +" << lock;
    std::cout << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const auto property = model::c::parse_property(argv[2]);
  if (!property) return 2;
  frontend::c::ReadOptions reading;
  reading.pointer_bytes = std::string(argv[3]) == "32" ? 4 : 8;
  reading.keeps_pointers = tracks_memory(*property);
  const frontend::SourceText source{argv[1], text_of_file(argv[1])};
  const Clock::time_point begin = Clock::now();
  const auto program = frontend::c::read_c({&source, 1}, reading);
  if (!program) {
    std::cout << "unread " << program.error().front().message << "\n";
    return 3;
  }
  const double read = seconds_since(begin);
  engine::explore::ExploreOptions options;
  const std::string mode = argc > 5 ? argv[5] : "";
  options.reduces = mode != "plain";
  base::Limits limits;
  limits.deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<long>(1000 * std::stod(argv[4])));
  base::RunContext context(limits);
  const ExploreResult result = engine::explore::explore(*program, *property, options, context);
  std::string checked = "-";
  if (result.run) {
    const auto answer = check::c::check_run(*program, *property, *result.run);
    checked =
        answer.status == answer::EvidenceStatus::Confirmed ? "confirmed" : "REFUTED " + answer.why;
  }
  const double time = seconds_since(begin) - read;
  std::cout << fmt::format(
      "{} {} read {:.2f} explore {:.2f} states {} instructions {} {}{}\n", verdict_text(result),
      checked, read, time, result.states, result.instructions, result.why,
      result.warning
          ? fmt::format("; warning: {} {} line {}", to_string(result.warning->violation.kind),
                        result.warning->violation.what, result.warning->violation.position.line)
          : "");
  if (mode == "story" && result.run) print_story(*program, *result.run);
  return 0;
}
