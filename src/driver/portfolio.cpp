#include "driver/portfolio.hpp"

#include <signal.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "answer/json.hpp"
#include "base/invariant.hpp"
#include "driver/check_process.hpp"
#include "driver/child_process.hpp"
#include "driver/event_text.hpp"
#include "driver/schedule.hpp"
#include "driver/task_class.hpp"
#include "driver/time_share.hpp"
#include "driver/what_to_change.hpp"
#include "output/progress.hpp"

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
using std::chrono::steady_clock;

/// A paused child that holds less than this is not ended for its memory.
constexpr std::uint64_t kWorthEnding = 64;
/// On a busy machine the end of a slice comes nearer by ever smaller steps.
constexpr Seconds kShortestTurn{0.002};
/// The first search, and a claim whose check is younger than this, may be about to answer: no
/// further search begins. To fork one would cost a small task more than its search and check.
constexpr Seconds kHeadStart{0.004};
/// A claim that was found in so little processor time is checked where it was found, if that takes
/// no longer than this: a process of its own would cost more.
constexpr std::clock_t kShortSearch = CLOCKS_PER_SEC / 250;
constexpr std::chrono::milliseconds kShortCheck{20};
/// How often the memory is looked at, at least.
constexpr Seconds kLongestTurn{1};

/// Of the line of time: shorter gaps are not seen, further turns are part of the last one.
constexpr double kShortestGap = 1e-3;
constexpr std::size_t kMostTurns = 200;

/// One engine that accepts the task: first its search, then, if it claims something, the check of
/// the claim.
struct Run {
  const EngineRow* engine;
  std::size_t record;                        ///< its line in Report::runs
  std::optional<ChildProcess> process = {};  ///< nothing: not started yet
  std::optional<EngineMessage> claim = {};   ///< set: `process` is the check
  bool settled = false;

  TimeShare share = {};
  bool has_processor = false;  ///< false: it has not begun, or is paused
  Seconds slice_left{0};       ///< nothing or less: another run may take its place
  TimePoint charged_until = {};
  TimePoint claimed_at = {};
  Seconds processor_time{0};  ///< of `process`, when it was last charged
  Seconds active{0};          ///< with a processor, by the wall clock; search and check together
  std::vector<output::EngineTurn> turns = {};
};

struct Claim {
  std::string engine;
  EngineMessage message;
  CheckResult check;
};

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
    case UnknownReason::Incomplete: return 7;
    case UnknownReason::Unsupported: return 8;
    case UnknownReason::EngineFailed: return 9;
  }
  base::fail_invariant("reason", "UnknownReason should be one of its enumerators", __FILE__,
                       __LINE__);
}

class Portfolio {
 public:
  Portfolio(std::span<const EngineRow> engines, const Assignment& assignment,
            const PortfolioSettings& settings)
      : engines_(engines), assignment_(assignment), settings_(settings) {
    result_.report.task_class = task_class(assignment.transformed);
    const ScheduleRow* row = find_schedule(result_.report.task_class);
    for (const EngineRow* engine : in_order(engines, row)) admit(*engine);
  }

  PortfolioResult run() {
    for (std::size_t i = 0; i < runs_.size(); ++i)
      runs_[i].share.weight = search_weight(i, runs_.size(), jobs());
    while (!winner_ && !result_.interrupted_by && !runs_.empty()) {
      share_processors();
      end_waiting_at_deadline();
      relieve_memory();
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
      runs_.push_back({&engine, runs.size()});
      runs.push_back({std::string(engine.name), "not started", {}, 0, 0});
    } else {
      runs.push_back({std::string(engine.name), "not accepted", *acceptance.refusal, 0, 0});
    }
  }

  engine::Acceptance acceptance_of(const EngineRow& engine) const {
    if (model::contexts_of(assignment_.original) && !engine.counts_contexts)
      return {"--contexts is not supported"};
    if (works_on_original(engine)) return {};
    return engine.accepts(assignment_.transformed);
  }

  bool works_on_original(const EngineRow& engine) const {
    return assignment_.finish_original && engine.accepts(assignment_.original).yes();
  }

  // ---- who has a processor (time_share.hpp says why) ----

  unsigned jobs() const { return std::max(1u, settings_.jobs); }

  /// Gives the free processors, and those whose slices are over, to the runs that were served
  /// least. A run that keeps its processor goes on without a pause.
  void share_processors() {
    charge_all();
    std::vector<Run*> candidates;
    std::size_t places = jobs();
    const bool may_begin = head_start_left() <= Seconds(0);
    const auto has_begun = [](const Run& run) { return run.process.has_value(); };
    const Run* first = std::ranges::none_of(runs_, has_begun) ? &runs_.front() : nullptr;
    for (Run& run : runs_) {
      if (run.has_processor && run.slice_left > Seconds(0)) {
        --places;
      } else if (run.process || may_begin || &run == first) {
        candidates.push_back(&run);
      }
    }
    std::ranges::stable_sort(candidates, {}, [](const Run* run) {
      return std::pair(run->share.served, !run->claim.has_value());
    });
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (i >= places) take_processor(*candidates[i]);
    for (std::size_t i = 0; i < std::min(places, candidates.size()); ++i)
      give_processor(*candidates[i]);
  }

  /// Of the first search, or of the check that began last.
  Seconds head_start_left() const {
    Seconds left = kHeadStart - Seconds(steady_clock::now() - begun_);
    for (const Run& run : runs_)
      if (run.claim)
        left = std::max(left, kHeadStart - Seconds(steady_clock::now() - run.claimed_at));
    return left;
  }

  void take_processor(Run& run) {
    if (run.has_processor) run.process->pause();
    run.has_processor = false;
  }

  void give_processor(Run& run) {
    run.slice_left = slice_after(run.share.used);
    if (run.has_processor) return;
    run.has_processor = true;
    run.charged_until = steady_clock::now();
    if (run.process) {
      run.process->resume();
    } else {
      run.process = start_search(*run.engine);
      announce(run, {"searching", {}});
    }
  }

  void charge_all() {
    for (Run& run : runs_)
      if (run.has_processor) charge(run);
  }

  void charge(Run& run) const {
    const TimePoint now = steady_clock::now();
    const Seconds elapsed = now - std::exchange(run.charged_until, now);
    run.active += elapsed;
    add_turn(run, Seconds(now - begun_).count() - elapsed.count(), Seconds(now - begun_).count());
    Seconds taken = elapsed;
    if (const auto time = run.process->processor_time())
      taken = *time - std::exchange(run.processor_time, *time);
    const Seconds price = charge_for(taken, elapsed);
    run.share.charge(price);
    run.slice_left -= price;
  }

  /// A turn that goes on where the last one ended is the same turn.
  static void add_turn(Run& run, double from, double to) {
    const bool is_check = run.claim.has_value();
    const bool goes_on =
        !run.turns.empty() && run.turns.back().is_check == is_check &&
        (from - run.turns.back().to < kShortestGap || run.turns.size() >= kMostTurns);
    if (goes_on) {
      run.turns.back().to = to;
    } else {
      run.turns.push_back({from, to, is_check});
    }
  }

  /// A paused child cannot keep its deadline. What has not begun by then does not begin.
  void end_waiting_at_deadline() {
    const auto& deadline = settings_.limits.deadline;
    if (!deadline || steady_clock::now() < *deadline) return;
    for (Run& run : runs_) {
      if (run.has_processor) continue;
      if (run.process) run.process->kill_if_overdue(TimePoint::max());
      run.settled = !run.process;
    }
  }

  /// Paused children keep their memory. Where the machine has too little, the last of the order
  /// that is paused and holds enough to matter is ended.
  void relieve_memory() {
    const auto holds_enough = [](const Run& run) {
      return run.process && !run.has_processor && !run.claim && !run.process->ended() &&
             resident_mb(run.process->id()) >= kWorthEnding;
    };
    const auto last = std::ranges::find_if(runs_ | std::views::reverse, holds_enough);
    if (last == runs_.rend() || !settings_.short_of_memory()) return;
    last->process->stop();
    note_cost(*last);
    give_up(*last,
            {Unknown{UnknownReason::MemoryLimit, "ended: the machine ran short of memory"}, {}});
    last->settled = true;
  }

  bool has_waiting() const {
    return std::ranges::any_of(runs_, [](const Run& run) { return !run.has_processor; });
  }

  /// When somebody waits: the end of the first slice, or the deadline.
  std::optional<TimePoint> next_turn() const {
    if (!has_waiting()) return std::nullopt;
    Seconds left = kLongestTurn;
    for (const Run& run : runs_)
      if (run.has_processor) left = std::min(left, run.slice_left);
    if (const Seconds head_start = head_start_left(); head_start > Seconds(0))
      left = std::min(left, head_start);
    const TimePoint turn = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                                     std::max(left, kShortestTurn));
    const auto& deadline = settings_.limits.deadline;
    return deadline && *deadline > steady_clock::now() ? std::min(turn, *deadline) : turn;
  }

  ChildProcess start_search(const EngineRow& engine) {
    const auto job = [&](const SendEvent& send) {
      const std::clock_t begun = std::clock();
      base::RunContext context(settings_.limits, settings_.seed);
      context.listen([&](const base::Event& event) {
        if (settings_.on_event || event.milestone) send(write_event(event));
      });
      const bool is_original = works_on_original(engine);
      Verdict verdict = engine.run(is_original ? assignment_.original : assignment_.transformed,
                                   settings_.options, context);
      verdict = (is_original ? assignment_.finish_original
                             : assignment_.translate_back)(std::move(verdict));
      const bool is_short = std::clock() - begun < kShortSearch;
      return message_text({std::move(verdict), context.statistics()}, is_short);
    };
    return ChildProcess(job, hard_limits(settings_.limits));
  }

  /// What an engine's process sends. What is checked there is what will be read here.
  std::string message_text(EngineMessage message, bool is_short) const {
    std::string text = answer::write_message(message);
    if (!is_short || !settings_.check || std::holds_alternative<Unknown>(message.verdict))
      return text;
    const auto sent = answer::read_message(text, model::kind_of(assignment_.original));
    if (!sent) return text;
    base::Limits limits = settings_.limits;
    const TimePoint soon = steady_clock::now() + kShortCheck;
    limits.deadline = std::min(limits.deadline.value_or(soon), soon);
    try {
      message.check = check_here(settings_.check, assignment_.original, sent->verdict, limits);
    } catch (const std::exception&) {
      return text;  // as a check that takes longer
    }
    if (message.check->status != EvidenceStatus::Confirmed) return text;
    return answer::write_message(message);
  }

  void wait() {
    std::vector<ChildProcess*> children;
    for (Run& run : runs_)
      if (run.process) children.push_back(&*run.process);
    result_.interrupted_by = wait_for_activity(children, interrupts_, {}, next_turn());
    for (Run& run : runs_) {
      if (!run.process) continue;
      for (const std::string& text : run.process->receive()) {
        const base::Event event = read_event(text);
        if (event.milestone) established_[std::string(run.engine->name)] = event.phase;
        announce(run, event);
      }
      if (run.process->ended() && !winner_ && !run.settled) settle(run);
      if (run.settled) announce(run, output::ended_event());
    }
    std::erase_if(runs_, [](const Run& run) { return run.settled; });
  }

  void announce(const Run& run, const base::Event& event) const {
    if (settings_.on_event) settings_.on_event(run.engine->name, event);
  }

  /// A child process has ended: takes the engine's claim or the checker's word on it.
  void settle(Run& run) {
    const ChildOutcome outcome = run.process->outcome();
    note_cost(run);
    if (run.claim) {
      judge(run, check_result(outcome));
    } else {
      hear(run, outcome);
    }
    run.settled = run.process->ended();  // unless the check of its claim has just begun
  }

  void note_cost(Run& run) {
    if (run.has_processor) charge(run);
    answer::EngineRun& line = record(run);
    line.seconds = run.active.count();
    result_.turns.resize(result_.report.runs.size());
    result_.turns[run.record] = run.turns;
    line.peak_memory_mb = std::max(line.peak_memory_mb, run.process->outcome().peak_memory_mb);
  }

  void hear(Run& run, const ChildOutcome& outcome) {
    EngineMessage message = message_of(outcome, [&](std::string_view text) {
      return answer::read_message(text, model::kind_of(assignment_.original));
    });
    answer::EngineRun& line = record(run);
    line.outcome = answer::verdict_name(message.verdict);
    if (std::holds_alternative<Unknown>(message.verdict)) {
      give_up(run, std::move(message));
      if (outcome.end == ChildEnd::Crash || outcome.end == ChildEnd::Exception)
        line.outcome = "crashed";
    } else if (!settings_.check) {
      accept({line.engine, std::move(message), {EvidenceStatus::NotChecked, "--no-check"}});
    } else {
      run.claim = std::move(message);
      if (run.claim->check) return judge(run, std::move(*run.claim->check));
      line.outcome += ", being checked";
      begin_check(run);
    }
  }

  void give_up(Run& run, EngineMessage message) {
    const auto& unknown = std::get<Unknown>(message.verdict);
    answer::EngineRun& line = record(run);
    line.outcome = answer::verdict_name(message.verdict);
    line.detail = unknown.detail.empty() ? answer::to_string(unknown.reason) : unknown.detail;
    undecided_.push_back({line.engine, std::move(message), {}});
  }

  /// A check is served as little as whoever was served least, and all slices end: it gets a
  /// processor at once.
  void begin_check(Run& run) {
    run.share.weight = kCheckWeight;
    for (Run& other : runs_) {
      run.share.served = std::min(run.share.served, other.share.served);
      other.slice_left = Seconds(0);
    }
    run.process =
        start_check(settings_.check, assignment_.original, run.claim->verdict, settings_.limits);
    run.processor_time = Seconds(0);
    run.charged_until = run.claimed_at = steady_clock::now();
    run.has_processor = true;
    announce(run, {"its answer is being checked: " +
                       std::string(answer::verdict_name(run.claim->verdict)),
                   {}});
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

  static bool answers(const answer::Bound& bound, const std::optional<std::uint32_t>& asked) {
    return asked && bound.what == answer::BoundKind::Contexts && bound.value >= *asked;
  }
  /// Bounds of different kinds do not compare: the first one stays.
  static bool is_greater(const answer::Bound& a, const answer::Bound& b) {
    return a.what == b.what && a.value > b.value;
  }

  /// An answer to all that was asked wins. One up to a lower bound is kept for the case that
  /// nothing better comes.
  void accept(Claim claim) {
    const auto* bounded = std::get_if<SafeUpTo>(&claim.message.verdict);
    const auto& asked = model::contexts_of(assignment_.original);
    if (!bounded || answers(bounded->bound, asked)) {
      winner_ = std::move(claim);
    } else if (!bounded_ ||
               is_greater(bounded->bound, std::get<SafeUpTo>(bounded_->message.verdict).bound)) {
      bounded_ = std::move(claim);
    }
  }

  void stop_the_rest() {
    for (Run& run : runs_) {
      if (run.settled || !run.process) continue;
      run.process->stop();
      note_cost(run);
      record(run).outcome = "stopped";
      if (run.claim && !winner_)
        established_[std::string(run.engine->name)] =
            "claims " + std::string(answer::verdict_name(run.claim->verdict)) +
            ", whose check did not finish";
    }
    runs_.clear();
    for (const answer::EngineRun& line : result_.report.runs)
      result_.report.peak_memory_mb = std::max(result_.report.peak_memory_mb, line.peak_memory_mb);
  }

  void conclude() {
    if (winner_) {
      adopt(*winner_, winner_->message.verdict);
    } else if (result_.interrupted_by && !bounded_) {
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
    add_established();
  }

  /// What engines have found out on the way is not checked, and no answer; better than nothing.
  void add_established() {
    auto* unknown = std::get_if<Unknown>(&result_.report.verdict);
    if (!unknown || established_.empty()) return;
    if (!unknown->detail.empty()) unknown->detail += "; ";
    unknown->detail += "so far, not checked:";
    for (const auto& [engine, what] : established_)
      unknown->detail +=
          (engine == established_.begin()->first ? " " : "; ") + engine + ": " + what;
  }

  /// The report speaks of this claim, with `verdict` as the answer.
  void adopt(const Claim& claim, const Verdict& verdict) {
    answer::Report& report = result_.report;
    report.verdict = verdict;
    report.check = claim.check;
    report.engine = claim.engine;
    report.statistics = claim.message.statistics;
    if (!answer::is_definite(verdict)) report.set_claim(claim.message.verdict);
  }

  void conclude_undecided() {
    if (undecided_.empty()) {
      result_.report.verdict =
          Unknown{UnknownReason::Unsupported,
                  what_to_change(assignment_.transformed, engines_, settings_.all_engines)};
      return;
    }
    const auto& best = *std::ranges::min_element(undecided_, {}, [](const Claim& claim) {
      return rank(std::get<Unknown>(claim.message.verdict).reason);
    });
    Unknown answer = std::get<Unknown>(best.message.verdict);
    for (const Claim& claim : undecided_) {
      const auto& other = std::get<Unknown>(claim.message.verdict);
      if (&claim == &best || other.reason != UnknownReason::Incomplete) continue;
      answer.detail += (answer.detail.empty() ? "" : "; ") + claim.engine + ": " + other.detail;
    }
    adopt(best, answer);
    result_.report.claim.clear();
  }

  const std::span<const EngineRow> engines_;
  const Assignment& assignment_;
  const PortfolioSettings& settings_;
  const TimePoint begun_ = steady_clock::now();
  InterruptWatch interrupts_;
  std::vector<Run> runs_;  ///< not settled yet; in order
  std::optional<Claim> winner_;
  std::optional<Claim> bounded_;  ///< the best SafeUpTo that does not answer the whole question
  std::vector<Claim> refuted_;
  std::vector<Claim> unconfirmed_;
  std::vector<Claim> undecided_;
  std::map<std::string, std::string> established_;  ///< by engine: its last milestone
  PortfolioResult result_;
};

}  // namespace

PortfolioResult run_portfolio(std::span<const EngineRow> engines, const Assignment& assignment,
                              const PortfolioSettings& settings) {
  return Portfolio(engines, assignment, settings).run();
}

}  // namespace heddle::driver
