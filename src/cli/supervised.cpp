#include "cli/supervised.hpp"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

#include "cli/terminal.hpp"
#include "driver/check_process.hpp"
#include "driver/event_text.hpp"
#include "output/c_witness.hpp"
#include "output/json.hpp"
#include "output/report_row.hpp"

namespace heddle::cli {

namespace {

/// Of the question no more is known than where to read it.
output::Asked unread(const std::string& file) {
  output::Asked asked;
  asked.file = file;
  return asked;
}

answer::Report report_of(const Unanswered& unanswered) {
  answer::Report report;
  report.verdict = unanswered.why;
  report.seconds = unanswered.seconds;
  report.peak_memory_mb = unanswered.peak_memory_mb;
  return report;
}

}  // namespace

std::string unanswered_text(const VerifyCommand& command, const Unanswered& unanswered) {
  const output::Asked asked = unread(command.request.file);
  const answer::Report report = report_of(unanswered);
  const output::ReportRow& row = output::report_row(command.request.asking);
  if (command.output.json) return row.json({}, asked, report);
  return named(row.text({}, asked, report, text_options(command.output)), command.request.file,
               command.output) +
         (command.svcomp ? output::competition_verdict({}, report.verdict) + "\n" : "");
}

std::string unanswered_text(const CheckCommand& command, const Unanswered& unanswered) {
  const output::Asked asked = unread(command.request.file);
  answer::Report report = report_of(unanswered);
  report.check.why = unanswered.why.detail;
  if (command.output.json) return output::report_json({}, asked, report);
  return output::recheck_text({}, asked, report, text_options(command.output));
}

std::string unanswered_text(const ReplayCommand&, const Unanswered&) { return {}; }
std::string unanswered_text(const TranslateCommand&, const Unanswered&) { return {}; }
std::string unanswered_text(const ShowCommand&, const Unanswered&) { return {}; }

namespace {

/// Engines and checks that reach a limit are reported by the worker. If it cannot report, it was
/// busy with something else.
answer::Unknown why_unanswered(const driver::WorkerOutcome& outcome, const std::string& file) {
  using enum answer::UnknownReason;
  if (outcome.interrupted_by)
    return {Cancelled, "interrupted by SIG" + std::string(sigabbrev_np(*outcome.interrupted_by))};
  answer::Unknown why = driver::failure(outcome.end).value_or(answer::Unknown{});
  const std::string work = "reading " + file + ", preparing it or writing the result took too ";
  if (why.reason == TimeLimit) why.detail = work + "long";
  if (why.reason == MemoryLimit) why.detail = work + "much memory";
  return why;
}

int give_up(const driver::WorkerOutcome& outcome, const std::string& file,
            const std::function<std::string(const Unanswered&)>& instead) {
  const answer::Unknown why = why_unanswered(outcome, file);
  const Unanswered unanswered{why, outcome.end.seconds, outcome.end.peak_memory_mb};
  const bool crashed = why.reason == answer::UnknownReason::EngineFailed;
  const std::string text = instead(unanswered);
  if (crashed) {
    complain("heddle: internal error: " + why.detail + "\n");
  } else if (text.empty()) {
    complain("heddle: error: " + why.detail + "\n");
  }
  return print(text, driver::exit_code(why));
}

/// Progress on the terminal that standard error is.
class TerminalDisplay : public driver::Display {
 public:
  explicit TerminalDisplay(output::ProgressBoard board) : board_(std::move(board)) {}

  void hear(std::string_view message) override {
    const auto [engine, event] = driver::read_progress(message);
    board_.hear(engine, event);
  }
  void refresh() override {
    const TerminalSize size = terminal_size(STDERR_FILENO);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begun_;
    screen_.show(board_.lines(elapsed.count(), size.columns, size.rows));
  }
  void clear() override { screen_.clear(); }

 private:
  output::ProgressBoard board_;
  output::ProgressScreen screen_{stderr};
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// Events for the program that embeds us. If it is gone, so are we.
class EventDisplay : public driver::Display {
 public:
  explicit EventDisplay(const EventPipe& pipe) : pipe_(pipe) {}

  void hear(std::string_view message) override {
    const auto [engine, event] = driver::read_progress(message);
    pipe_.tell(engine, event);
  }
  void refresh() override {
    if (pipe_.is_abandoned()) kill(getpid(), SIGTERM);
  }
  void clear() override {}

 private:
  const EventPipe& pipe_;
};

std::unique_ptr<driver::Display> display_of(WorkerFrame& frame) {
  if (frame.events) return std::make_unique<EventDisplay>(*frame.events);
  if (frame.progress) return std::make_unique<TerminalDisplay>(std::move(*frame.progress));
  return nullptr;
}

}  // namespace

int run_in_worker(const driver::WorkerBody& body, WorkerFrame frame,
                  const std::function<std::string(const Unanswered&)>& instead) {
  const std::unique_ptr<driver::Display> display = display_of(frame);
  driver::WorkerOutcome outcome =
      driver::supervise(body, frame.limits, frame.streams, display.get());
  const int code =
      outcome.code ? print(outcome.output, *outcome.code) : give_up(outcome, frame.file, instead);
  driver::await_descendants(frame.limits);
  if (outcome.interrupted_by && !outcome.code) return end_by_signal(*outcome.interrupted_by);
  return code > kBySignal ? end_by_signal(code - kBySignal) : code;
}

}  // namespace heddle::cli
