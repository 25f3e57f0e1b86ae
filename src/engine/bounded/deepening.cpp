/// One bound after another.
///
/// A bound is a number of rounds, or any number of them, and a level, which stands for iterations,
/// threads and instructions. Bounds are taken up in the order of what they cost, each with a limit
/// on the solver's conflicts: a violation that needs many contexts and few iterations is found
/// without the proof that fewer contexts are not enough. What is not decided within the limit waits
/// for the next pass, in which the solver goes on where it was, with four times as many conflicts,
/// and greater bounds are taken up, too.

#include "engine/bounded/deepening.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "base/integer.hpp"
#include "engine/bounded/deadlocks.hpp"
#include "engine/bounded/encoding.hpp"
#include "engine/bounded/races.hpp"
#include "engine/bounded/schedule.hpp"
#include "engine/bounded/shortening.hpp"
#include "model/c/run_rounds.hpp"

namespace heddle::engine::bounded {

namespace {

using model::c::Run;
using solver::SatAnswer;

/// How formulas are made: for so many rounds, or for any order of moments.
constexpr std::uint32_t kAnyOrder = 0;
constexpr std::array<std::uint32_t, 11> kRounds = {2, kAnyOrder, 3, 4, 6, 8, 12, 16, 24, 32, 48};
/// Beyond all of them: in the list of what is done, all of them are.
constexpr auto kAll = static_cast<std::uint32_t>(kRounds.size());
constexpr std::size_t kMostClausesOfOrder = 3'000'000;
constexpr std::uint32_t kMostLevels = 12;
constexpr std::uint32_t kFirstConflicts = 2000;
constexpr std::uint32_t kPasses = 6;
constexpr std::uint32_t kFirstPass = 3;  ///< bounds in the first pass: index of rounds plus level
/// Formulas with more clauses are built again rather than kept until the next pass.
constexpr std::size_t kMostClausesKept = 4'000'000;
/// Formulas with more clauses are not made again for runs with fewer contexts.
constexpr std::size_t kMostClausesSaving = 200'000;

/// Of deadlocks and errors of memory some are not encoded.
bool proves(model::c::Property property) {
  using enum model::c::Property;
  return property == Reach || property == NoOverflow || property == NoDataRace;
}

/// The formula for a bound, with what the solver has learned about it.
struct Attempt {
  explicit Attempt(Unrolling made)
      : unrolling(std::move(made)), clauses(unrolling.circuit, solver) {}
  Unrolling unrolling;
  std::unique_ptr<Encoding> encoding;
  solver::SatSolver solver;
  Clauses clauses;
};

class Deepening {
 public:
  Deepening(const model::c::Program& program, model::c::Property property,
            std::optional<std::uint32_t> contexts, base::RunContext& context)
      : interpreter_(program),
        property_(property),
        contexts_(contexts),
        context_(context),
        objects_(interpreter_) {}

  Found run() {
    std::uint32_t conflicts = kFirstConflicts;
    for (std::uint32_t pass = 0; pass < kPasses && !is_finished_; ++pass) {
      for (std::uint32_t cost = 0; cost <= kFirstPass + pass; ++cost)
        for (std::uint32_t level = 0; level <= std::min(cost, kMostLevels - 1); ++level)
          if (!is_finished_ && !take_up(cost - level, level, conflicts)) return std::move(found_);
      conflicts *= 4;
    }
    found_.why = left_out_.value_or(completed_);
    return std::move(found_);
  }

 private:
  bool stop() {
    found_.why = completed_;
    found_.is_stopped = true;
    return false;
  }

  std::optional<Bounds> bounds_of(std::uint32_t rounds, std::uint32_t level) const {
    if (rounds >= kRounds.size()) return std::nullopt;
    if (contexts_ && kRounds[rounds] == kAnyOrder) return std::nullopt;
    const auto smaller = std::span(kRounds).first(rounds);
    if (contexts_ && std::ranges::any_of(smaller, [&](auto r) { return r >= *contexts_; }))
      return std::nullopt;
    Bounds bounds;
    for (std::uint32_t i = 0; i < level; ++i) {
      bounds.iterations *= 2;
      bounds.instructions *= 2;
      bounds.constant_iterations *= 2;
      bounds.threads = 2 * bounds.threads - 1;
    }
    return bounds;
  }

  /// Whether a greater bound, or one that differs in nothing, is done.
  bool is_done(std::uint32_t rounds, std::uint32_t level) const {
    return std::ranges::any_of(
        done_, [&](const auto& done) { return done.first >= rounds && done.second >= level; });
  }

  /// Whether to go on.
  bool take_up(std::uint32_t rounds, std::uint32_t level, std::uint32_t conflicts) {
    const std::optional<Bounds> bounds = bounds_of(rounds, level);
    if (!bounds || level > whole_level_ || is_done(rounds, level)) return true;
    const std::pair key(rounds, level);
    if (!attempts_.contains(key) && !prepare(key, *bounds)) return stop();
    if (!attempts_.contains(key)) return true;
    Attempt& attempt = *attempts_.at(key);
    const SatAnswer answer = solve(attempt, conflicts);
    context_.statistics().set("clauses", static_cast<double>(attempt.clauses.clauses()));
    if (context_.stopped()) return stop();
    if (answer == SatAnswer::Unknown) {
      if (attempt.clauses.clauses() > kMostClausesKept) attempts_.erase(key);
      return true;
    }
    if (answer == SatAnswer::Satisfiable && replay(attempt)) {
      save_contexts(*bounds, attempt.clauses.clauses());
      return false;
    }
    if (answer == SatAnswer::Unsatisfiable) complete(key, *bounds, attempt);
    done_.push_back(key);
    attempts_.erase(key);
    return true;
  }

  std::uint32_t rounds_of(const std::pair<std::uint32_t, std::uint32_t>& key) const {
    return std::min(kRounds[key.first], contexts_.value_or(kRounds[key.first]));
  }

  bool prepare(const std::pair<std::uint32_t, std::uint32_t>& key, const Bounds& bounds) {
    std::unique_ptr<Attempt> attempt = unrolled(bounds);
    if (!attempt) return false;
    if (!attempt->unrolling.meets_iterations && !attempt->unrolling.meets_threads)
      whole_level_ = std::min(whole_level_, key.second);
    if (!encode(*attempt, rounds_of(key))) {
      done_.push_back(key);
      return true;
    }
    if (attempt->unrolling.left_out) left_out_ = attempt->unrolling.left_out;
    attempts_[key] = std::move(attempt);
    return true;
  }

  /// None if the context says to stop.
  std::unique_ptr<Attempt> unrolled(const Bounds& bounds) {
    std::optional<Unrolling> unrolling =
        unroll(interpreter_, property_, bounds, objects_, facts_, context_);
    return unrolling ? std::make_unique<Attempt>(std::move(*unrolling)) : nullptr;
  }

  /// False if the formula would be too large.
  bool encode(Attempt& attempt, std::uint32_t rounds) {
    attempt.encoding = rounds == kAnyOrder
                           ? encode_order(attempt.unrolling, objects_, kMostClausesOfOrder)
                           : encode_rounds(attempt.unrolling, objects_, rounds);
    if (attempt.encoding == nullptr) return false;
    if (property_ == model::c::Property::NoDataRace)
      encode_races(attempt.unrolling, *attempt.encoding);
    if (property_ == model::c::Property::NoDeadlock)
      encode_deadlock(attempt.unrolling, *attempt.encoding);
    std::ranges::copy(objects_.undefined(), std::back_inserter(attempt.unrolling.undefined));
    for (const auto& clause : attempt.unrolling.requirements) attempt.clauses.require(clause);
    attempt.clauses.require(attempt.unrolling.violations);
    return true;
  }

  /// A conflict is a unit of work; those of a search that comes to its end are not counted.
  SatAnswer solve(Attempt& attempt, std::uint32_t conflicts) {
    std::uint64_t limit = conflicts;
    if (context_.limits().steps)
      limit = std::min(limit, *context_.limits().steps - context_.steps());
    attempt.solver.limit_conflicts(static_cast<std::uint32_t>(limit));
    const SatAnswer answer = attempt.solver.solve({}, context_);
    if (answer == SatAnswer::Unknown) context_.add_steps(limit + (limit < conflicts ? 1 : 0));
    return answer;
  }

  bool replay(Attempt& attempt) {
    auto run = run_of_model(interpreter_, property_, attempt.unrolling, *attempt.encoding,
                            attempt.clauses);
    if (run) run = shortened(interpreter_, *run);
    if (run && contexts_ && model::c::rounds_of(*run) > *contexts_) {
      left_out_ = "threads have other numbers when they run, and more contexts";
      return false;
    }
    if (run) {
      found_.run = std::move(*run);
      return true;
    }
    left_out_ = "a spurious run was found: " + run.error();
    return false;
  }

  /// Asks for a run with fewer contexts, as long as that is quick.
  void save_contexts(const Bounds& bounds, std::size_t clauses) {
    if (clauses > kMostClausesSaving) return;
    const std::uint32_t needed = model::c::rounds_of(*found_.run);
    for (std::uint32_t rounds = 1; rounds < needed; ++rounds) {
      const std::unique_ptr<Attempt> attempt = unrolled(bounds);
      if (!attempt || !encode(*attempt, rounds)) return;
      const SatAnswer answer = solve(*attempt, kFirstConflicts);
      if (answer == SatAnswer::Unknown) return;
      if (answer == SatAnswer::Unsatisfiable) continue;
      auto run = run_of_model(interpreter_, property_, attempt->unrolling, *attempt->encoding,
                              attempt->clauses);
      if (!run) return;
      Run fewer = shortened(interpreter_, *run);
      if (model::c::rounds_of(fewer) < needed) found_.run = std::move(fewer);
      return;
    }
  }

  /// There is no violation within these bounds.
  void complete(std::pair<std::uint32_t, std::uint32_t> key, const Bounds& bounds,
                const Attempt& attempt) {
    const bool is_whole = !attempt.unrolling.meets_iterations && !attempt.unrolling.meets_threads;
    const std::uint32_t rounds = rounds_of(key);
    const std::uint32_t done = rounds == kAnyOrder ? kAll : key.first;
    done_.emplace_back(done, is_whole ? kMostLevels : key.second);
    const std::string contexts =
        rounds == kAnyOrder ? "with any number of contexts, up to "
                            : "with up to " + base::counted(rounds, "context") + " per thread, ";
    completed_ = "no violation " + contexts + base::counted(bounds.iterations, "iteration") +
                 " of a loop and " + base::counted(bounds.threads, "thread");
    context_.emit({completed_,
                   {{"instructions", static_cast<double>(attempt.unrolling.instructions)},
                    {"clauses", static_cast<double>(attempt.clauses.clauses())}},
                   true});
    const bool is_any = attempt.unrolling.violations.empty() || done == kAll;
    is_finished_ = is_whole && (is_any || (contexts_ && rounds == *contexts_));
    const bool is_proof = attempt.unrolling.is_proof && !attempt.unrolling.left_out &&
                          !depends_on_undefined_bytes(attempt.unrolling);
    if (!is_whole || !is_proof || !proves(property_)) return;
    if (is_any)
      found_.is_safe = true;
    else
      found_.safe_contexts = std::max(rounds, found_.safe_contexts.value_or(0));
  }

  model::c::Interpreter interpreter_;
  model::c::Property property_;
  std::optional<std::uint32_t> contexts_;
  base::RunContext& context_;
  Objects objects_;
  Facts facts_;
  Found found_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<Attempt>> attempts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> done_;  ///< index of rounds, and level
  std::string completed_ = "no bound was completed";
  std::optional<std::string> left_out_;
  std::uint32_t whole_level_ = kMostLevels;  ///< at which the program is unrolled completely
  bool is_finished_ = false;                 ///< greater bounds add nothing
};

}  // namespace

Found deepen(const model::c::Program& program, model::c::Property property,
             std::optional<std::uint32_t> contexts, base::RunContext& context) {
  return Deepening(program, property, contexts, context).run();
}

}  // namespace heddle::engine::bounded
