#include "driver/portfolio.hpp"

#include <signal.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "answer/json.hpp"
#include "base/invariant.hpp"
#include "driver/check_process.hpp"
#include "driver/child_process.hpp"
#include "driver/event_text.hpp"

namespace heddle::driver {

namespace {

using answer::CheckResult;
using answer::EngineMessage;
using answer::EvidenceStatus;
using answer::SafeUpTo;
using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using engine::EngineRow;

/// One engine under way: first its search, then, if it claims something, the check of the claim.
struct Run {
  const EngineRow* engine;
  std::size_t record;  ///< its line in Report::runs
  ChildProcess process;
  std::optional<EngineMessage> claim = {};  ///< set: `process` is the check
  bool settled = false;
};

struct Claim {
  std::string engine;
  EngineMessage message;
  CheckResult check;
};

/// What an engine's child process says, or what its end says about it.
EngineMessage message_of(const ChildOutcome& outcome) {
  if (auto unknown = failure(outcome)) return {std::move(*unknown), {}};
  auto message = answer::read_message(outcome.text);
  if (!message) return {unreadable_answer(message.error()), {}};
  return std::move(*message);
}

/// Which of several reasons to report: first what more budget could change.
int rank(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::TimeLimit: return 0;
    case UnknownReason::MemoryLimit: return 1;
    case UnknownReason::StepLimit: return 2;
    case UnknownReason::CounterOverflow: return 3;
    case UnknownReason::NotMonotone: return 4;
    case UnknownReason::Unconfirmed: return 5;
    case UnknownReason::Cancelled: return 6;
    case UnknownReason::Unsupported: return 7;
    case UnknownReason::EngineFailed: return 8;
  }
  base::fail_invariant("reason", "UnknownReason should be one of its enumerators", __FILE__,
                       __LINE__);
}

class Portfolio {
 public:
  Portfolio(std::span<const EngineRow> engines, const Assignment& assignment,
            const PortfolioSettings& settings)
      : assignment_(assignment), settings_(settings) {
    for (const EngineRow& engine : engines) admit(engine);
  }

  PortfolioResult run() {
    while (!winner_ && !result_.interrupted_by && !(queue_.empty() && running_.empty())) {
      start_waiting_engines();
      wait();
    }
    stop_the_rest();
    conclude();
    return std::move(result_);
  }

 private:
  answer::EngineRun& record(const Run& run) { return result_.report.runs[run.record]; }

  void admit(const EngineRow& engine) {
    const engine::Acceptance acceptance = acceptance_of(engine);
    auto& runs = result_.report.runs;
    if (acceptance.yes()) {
      queue_.emplace_back(&engine, runs.size());
      runs.push_back({std::string(engine.name), "not started", {}, 0, 0});
    } else {
      runs.push_back({std::string(engine.name), "not accepted", *acceptance.refusal, 0, 0});
    }
  }

  engine::Acceptance acceptance_of(const EngineRow& engine) const {
    if (assignment_.original.question.contexts && !engine.counts_contexts)
      return {"it does not count contexts"};
    return engine.accepts(assignment_.transformed);
  }

  void start_waiting_engines() {
    const auto searching = [&] {
      return std::ranges::count_if(running_, [](const Run& run) { return !run.claim; });
    };
    while (!queue_.empty() && searching() < std::max(1u, settings_.jobs)) {
      const auto [engine, record] = queue_.front();
      queue_.pop_front();
      running_.push_back({engine, record, start_search(*engine)});
    }
  }

  ChildProcess start_search(const EngineRow& engine) {
    const auto job = [&](const SendEvent& send) {
      base::RunContext context(settings_.limits, settings_.seed);
      if (settings_.on_event)
        context.listen([&](const base::Event& event) { send(write_event(event)); });
      Verdict verdict = engine.run(assignment_.transformed, settings_.options, context);
      verdict = assignment_.translate_back(std::move(verdict));
      return answer::write_message({std::move(verdict), context.statistics()});
    };
    return ChildProcess(job, hard_limits(settings_.limits));
  }

  void wait() {
    std::vector<ChildProcess*> children;
    for (Run& run : running_) children.push_back(&run.process);
    result_.interrupted_by = wait_for_activity(children, interrupts_);
    for (Run& run : running_) {
      for (const std::string& event : run.process.receive())
        if (settings_.on_event) settings_.on_event(run.engine->name, read_event(event));
      if (run.process.ended() && !winner_) settle(run);
    }
    std::erase_if(running_, [](const Run& run) { return run.settled; });
  }

  /// A child process has ended: takes the engine's claim or the checker's word on it.
  void settle(Run& run) {
    const ChildOutcome& outcome = run.process.outcome();
    answer::EngineRun& line = record(run);
    line.seconds += outcome.seconds;
    line.peak_memory_mb = std::max(line.peak_memory_mb, outcome.peak_memory_mb);
    if (run.claim) {
      judge(run, check_result(outcome));
    } else {
      hear(run, outcome);
    }
    run.settled = run.process.ended();  // unless the check of its claim has just begun
  }

  void hear(Run& run, const ChildOutcome& outcome) {
    EngineMessage message = message_of(outcome);
    answer::EngineRun& line = record(run);
    line.outcome = answer::verdict_name(message.verdict);
    if (const auto* unknown = std::get_if<Unknown>(&message.verdict)) {
      if (outcome.end == ChildEnd::Crash || outcome.end == ChildEnd::Exception)
        line.outcome = "crashed";
      line.detail = unknown->detail.empty() ? answer::to_string(unknown->reason) : unknown->detail;
      undecided_.push_back({line.engine, std::move(message), {}});
    } else if (!settings_.check) {
      accept({line.engine, std::move(message), {EvidenceStatus::NotChecked, "--no-check"}});
    } else {
      line.outcome += ", being checked";
      run.claim = std::move(message);
      run.process =
          start_check(settings_.check, assignment_.original, run.claim->verdict, settings_.limits);
    }
  }

  void judge(Run& run, CheckResult check) {
    answer::EngineRun& line = record(run);
    line.outcome = answer::verdict_name(run.claim->verdict);
    line.detail = check.why;
    Claim claim{line.engine, std::move(*run.claim), std::move(check)};
    const bool checkable = answer::evidence_kind(claim.message.verdict) != "none";
    if (claim.check.status == EvidenceStatus::Refuted) {
      line.outcome = "refuted";
      refuted_.push_back(std::move(claim));
    } else if (claim.check.status == EvidenceStatus::Confirmed || !checkable) {
      accept(std::move(claim));
    } else {
      line.outcome = "unconfirmed";
      unconfirmed_.push_back(std::move(claim));
    }
  }

  /// An answer to all that was asked wins. One up to a lower bound is kept for the case that
  /// nothing better comes.
  void accept(Claim claim) {
    const auto* bounded = std::get_if<SafeUpTo>(&claim.message.verdict);
    const auto& asked = assignment_.original.question.contexts;
    if (!bounded || (asked && bounded->bound.value >= *asked)) {
      winner_ = std::move(claim);
    } else if (!bounded_ ||
               bounded->bound.value > std::get<SafeUpTo>(bounded_->message.verdict).bound.value) {
      bounded_ = std::move(claim);
    }
  }

  void stop_the_rest() {
    for (Run& run : running_) {
      run.process.stop();
      answer::EngineRun& line = record(run);
      line.seconds += run.process.outcome().seconds;
      line.peak_memory_mb = std::max(line.peak_memory_mb, run.process.outcome().peak_memory_mb);
      line.outcome = "stopped";
    }
    running_.clear();
    for (const answer::EngineRun& line : result_.report.runs)
      result_.report.peak_memory_mb = std::max(result_.report.peak_memory_mb, line.peak_memory_mb);
  }

  void conclude() {
    if (winner_) {
      adopt(*winner_, winner_->message.verdict);
    } else if (result_.interrupted_by) {
      result_.report.verdict =
          Unknown{UnknownReason::Cancelled,
                  "interrupted by SIG" + std::string(sigabbrev_np(*result_.interrupted_by))};
    } else if (bounded_) {
      adopt(*bounded_, bounded_->message.verdict);
    } else if (!refuted_.empty()) {
      const Claim& claim = refuted_.front();
      adopt(claim, Unknown{UnknownReason::EngineFailed, "evidence refuted: " + claim.check.why});
    } else if (!unconfirmed_.empty()) {
      const Claim& claim = unconfirmed_.front();
      result_.unconfirmed = claim.message.verdict;
      adopt(claim, Unknown{UnknownReason::Unconfirmed, claim.check.why});
    } else {
      conclude_undecided();
    }
  }

  /// The report speaks of this claim, with `verdict` as the answer.
  void adopt(const Claim& claim, const Verdict& verdict) {
    answer::Report& report = result_.report;
    report.verdict = verdict;
    report.check = claim.check;
    report.engine = claim.engine;
    report.statistics = claim.message.statistics;
    if (!answer::is_definite(verdict)) report.claim = answer::verdict_name(claim.message.verdict);
  }

  void conclude_undecided() {
    if (undecided_.empty()) {
      result_.report.verdict = Unknown{UnknownReason::Unsupported, refusals()};
      return;
    }
    const auto& best = *std::ranges::min_element(undecided_, {}, [](const Claim& claim) {
      return rank(std::get<Unknown>(claim.message.verdict).reason);
    });
    adopt(best, best.message.verdict);
    result_.report.claim.clear();
  }

  std::string refusals() const {
    std::string out;
    for (const answer::EngineRun& line : result_.report.runs)
      out += (out.empty() ? "" : "; ") + line.engine + ": " + line.detail;
    return out.empty() ? "there is no engine to ask" : out;
  }

  const Assignment& assignment_;
  const PortfolioSettings& settings_;
  InterruptWatch interrupts_;
  std::deque<std::pair<const EngineRow*, std::size_t>> queue_;
  std::vector<Run> running_;
  std::optional<Claim> winner_;
  std::optional<Claim> bounded_;  ///< the best SafeUpTo that does not answer the whole question
  std::vector<Claim> refuted_;
  std::vector<Claim> unconfirmed_;
  std::vector<Claim> undecided_;
  PortfolioResult result_;
};

}  // namespace

PortfolioResult run_portfolio(std::span<const EngineRow> engines, const Assignment& assignment,
                              const PortfolioSettings& settings) {
  return Portfolio(engines, assignment, settings).run();
}

}  // namespace heddle::driver
