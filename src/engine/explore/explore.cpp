/// The states of a C program, all of them or until a bad one is found.
///
/// A state is stored once (state_table.hpp). From each, the steps of every thread are tried, a step
/// being one operation that other threads can notice and all that follows up to the next one
/// (stepper.hpp). States with few preemptions and few choices of inputs are expanded first, and
/// shallow ones before deep ones (search.hpp): most errors need few switches between threads.
///
/// Why steps may be joined. An instruction is *local* if it commutes with every instruction that
/// any other thread can execute, now and later until it is executed itself, and if it neither
/// enables nor disables one: work on registers; accesses to memory that no other thread knows
/// (escape.hpp), or to objects that are always accessed under a mutex that the thread holds
/// (locksets.hpp); allocation, because threads allocate in regions of their own. Unlocking one's
/// own mutex enables others but commutes to the left with all that they can do meanwhile, if nobody
/// tries locks. With spurious wake-ups, signals change nothing but what a deadlock is. Hence every
/// execution can be reordered, step by step, into one in which each thread's local instructions
/// follow its last operation at once; the order of all other instructions, and every thread's own,
/// stays the same. The reordered execution ends in the same state once the local instructions at
/// its end are executed, and every failure, which is a location of one thread, is reached.
///
///   - Globals that every thread writes before it reads them are 0 in stored states, and so are
///     registers that are not read again.
///   - What ends a run (a false assumption, `exit`, an invalid access) does not commute: others may
///     have failed before. The thread stops there for good, and the others go on without it.
///   - A thread that is at a local instruction in a stored state (a choice, the end of a very long
///     step) is the only one expanded, because what it does commutes with all the others do. If
///     that leads to no new state, the others are expanded, too: nobody is put off for ever, since
///     states are stored in an order, and following new states one comes to a state where all are
///     expanded.
///   - A data race is a state in which two threads stand before conflicting accesses that are not
///     both atomic. If accesses of an execution race by happens-before, then up to the first such
///     pair the execution can be reordered so that they are adjacent; local instructions do not
///     take part in races.
///   - A deadlock is a state in which nobody can step; all threads then stand before operations, so
///     that it is a stored one.
///   - Lost memory stays lost: it is seen in the state that a step ends in. Memory is unfreed if a
///     thread stands before the end of the process and something is allocated; `free` is then not
///     local, because the process may end before. Globals are kept, because they may point to it.
///
/// Termination. All steps between stored states are kept. There is an infinite execution if and
/// only if there is an infinite path of steps, and for finitely many states that is a cycle:
///
///   - Take the beginnings of an infinite execution. Each is reordered as above, and completed by
///     local instructions, which disable nothing; it is then a path. If infinitely many of its
///     instructions are not local, the paths become longer and longer, and because a state has
///     finitely many steps, there is an infinite one. Otherwise some thread executes local
///     instructions for ever; steps are cut after some thousands of them, which gives an infinite
///     path, too.
///   - Where only one thread is expanded, because its next instruction is local, that instruction
///     can be put in front of any infinite execution, or moved there; what remains is infinite.
///     Nobody need be put off for ever to lose nothing.
///   - A cycle of stored states is an infinite execution: what is left out of them is never read.
///     Evidence needs states that are equal in all; lasso.hpp says how they are found.
///
/// Weak fairness. A run is fair if every thread steps again and again, or again and again cannot
/// step; moments in the middle of an atomic section do not count. Each step has a note of the
/// threads that it *serves*: those that execute some of its instructions, and those that cannot
/// step at some moment of it (mutexes may be held within one step only). An infinite fair execution
/// exists if and only if the steps inside a strongly connected component serve all threads:
///
///   - A fair execution is reordered as above. Each thread's instructions keep their order, and
///     none is put off for ever: a thread before a local instruction can step until it does, so
///     that a fair execution contains that instruction, and it is moved to the front. Only one
///     thread is expanded only where all its steps lead to new states: such states form no cycle,
///     so that after finitely many moves the others have their turn. So who steps
///     infinitely often still does. Who does not, stands at one instruction from some moment on,
///     and infinitely often it waits for a mutex, a thread, a signal or another value of memory
///     that its section reads. Others lock and unlock as often as before, end or do not end as
///     before, and what they change of such memory is not local, so that its values follow each
///     other as before: it still waits infinitely often. The steps that are taken infinitely often
///     lie in one component.
///   - A cycle through all steps that are needed is executed, and the whole of it must lead back to
///     the same state (whole_lasso_of).
///   - A thread that is about to end the process, or to fail, can step: a fair run ends there.
///
/// An execution that stops although threads are left is a deadlock, which is a stored state.
/// Threads do not wake by themselves, so that signals are not local, are kept in states, and
/// locking is not joined to what follows (as for deadlocks). Executions end where C does not define
/// what follows; then, and if the bound on threads has cut something off, nothing is claimed.
///
/// Bounds. Threads alive at a time are bounded; if the bound cuts something off, the exploration is
/// repeated with a greater one, and until then the answer is "up to" it. Once there is such an
/// answer, the search ends when a third of the time is over, because the rest is for its check.
///
/// Words. Where the program may choose a word, all are tried if they are few, and otherwise a small
/// set (values.hpp); SAFE is then a guess (see below). The set grows by demand: a decision of which
/// one outcome is not seen is a formula over the chosen words on the path to it
/// (symbolic_replay.hpp), and the solver's answer is tried next. Where that leads nowhere, all
/// words of up to eight bits are tried. That it is only tried is all that its being right needs.
///
/// Most inputs are data that are stored, copied and compared with themselves. If all are, beside
/// each round
/// there is a search with one word for each such choice. If it comes to its end and finds nothing
/// bad, and the next round finds nothing either, SAFE is claimed; likewise at the end of a search
/// with few words. That is a guess, which the check decides: it follows such words as unknown ones.
///
/// Deadlocks and threads that wait for ever are looked for first among states in which many threads
/// wait, or hold a mutex and are about to take another one: so a circle of waiting threads is found
/// without all the states around it.
///
/// Rounds. A small bound, or an order that goes deep, may keep a search busy for ever next to an
/// error that another one finds at once. So all of them are given a few states each, then eight
/// times as many, and so on; one that runs out of states is not repeated.

#include "engine/explore/explore.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "engine/explore/input_solver.hpp"
#include "engine/explore/search.hpp"
#include "engine/explore/word_classes.hpp"
#include "model/c/run_end.hpp"

namespace heddle::engine::explore {

using namespace model::c;

namespace {

/// The bounds on threads that are tried one after the other.
constexpr std::array<std::uint32_t, 7> kThreadBounds{3, 4, 6, 9, 14, 40, 1000};
constexpr std::array<SearchOrder, 2> kOrders{SearchOrder{48}, SearchOrder{4000}};
/// For properties that are about waiting, before the others in each round.
constexpr SearchOrder kDeadlockOrder{48, true};
constexpr std::uint64_t kDeadlockShare = 8;  ///< it gets a part of the states
constexpr std::uint64_t kFirstRound = 2'500;
constexpr std::uint64_t kGrowth = 8;
constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
/// A bound with more states than this is not claimed if a smaller one can be: without the reduction
/// there are up to a thousand times as many.
constexpr std::uint64_t kMostCheckable = 5'000;
/// Decisions for which the solver is asked after one search.
constexpr std::size_t kMostDecisions = 200;

class Exploration {
 public:
  Exploration(const Program& program, Property property, const ExploreOptions& options,
              base::RunContext& context)
      : interpreter_(program),
        analyses_(program),
        values_(program),
        one_word_(program),
        inputs_are_data_(inputs_are_data(program)),
        solver_(interpreter_),
        property_(property),
        options_(options),
        context_(context) {
    if (const auto& deadline = context.limits().deadline) {
      const auto now = std::chrono::steady_clock::now();
      time_to_answer_ = now + (*deadline - now) / 3;
    }
    one_word_.try_one_word();
    if (options.threads != 0) {
      bounds_ = {options.threads};
    } else {
      bounds_.assign(kThreadBounds.begin(), kThreadBounds.end());
    }
  }

  ExploreResult run() {
    std::uint64_t most = options_.reduces ? kFirstRound : kUnlimited;
    while (explore_all(most) && !inputs_seem_irrelevant_) {
      if (has_open_inputs_ && explore_one_word(most)) return std::move(result_);
      most *= kGrowth;
    }
    if (inputs_seem_irrelevant_ && result_.verdict == ExploreVerdict::Unknown && !result_.stop)
      claim_safe();
    return std::move(result_);
  }

 private:
  enum class Progress : std::uint8_t {
    Decided,    ///< nothing more can be found out
    Exhausted,  ///< all states within the bound; a greater one may tell more
    Cut,        ///< there are more states; a greater bound may tell more, too
    Unbounded   ///< there are more states, and none was cut off by the bound so far
  };

  /// One round; whether another one may tell more.
  bool explore_all(std::uint64_t most) {
    std::vector<SearchOrder> orders(kOrders.begin(), kOrders.end());
    if (is_about_waiting(property_) && options_.reduces)
      orders.insert(orders.begin(), kDeadlockOrder);
    for (const SearchOrder& order : orders) {
      const std::uint64_t share = order.seeks_deadlocks ? most / kDeadlockShare : most;
      std::size_t i = 0;
      while (i < bounds_.size()) {
        const Progress progress = explore_with(bounds_[i], order, share);
        if (progress == Progress::Decided) return false;
        if (progress == Progress::Unbounded) break;
        ++i;
        if (progress == Progress::Cut) continue;
        bounds_.erase(bounds_.begin(), bounds_.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
      }
    }
    return !bounds_.empty();
  }

  StepperOptions stepper_options(std::uint32_t threads) const {
    StepperOptions options;
    options.property = property_;
    options.reduces = options_.reduces;
    options.analyses = uses_analyses_;
    options.threads = threads;
    options.clears_globals = !options_.on_final && !tracks_memory(property_);
    return options;
  }

  /// One word for each open choice; whether that decides the question.
  bool explore_one_word(std::uint64_t most) {
    Search search(interpreter_, analyses_, one_word_, stepper_options(kThreadBounds.back()),
                  kOrders.front(), locksets_, context_);
    search.run({most, std::nullopt}, {});
    result_.states += search.states();
    result_.instructions += search.instructions();
    if (search.found() || search.stop()) {
      conclude(search);
      return true;
    }
    const Gaps& gaps = search.gaps();
    inputs_seem_irrelevant_ =
        search.is_exhausted() && !gaps.surprise && !gaps.lessons && !gaps.threads &&
        may_leave_inputs_to_check(gaps) &&
        (!is_about_ending(property_) || (!result_.warning && !search.has_inexact_cycle()));
    return false;
  }

  /// The check takes words for unknown, and may find that they do not matter.
  bool may_leave_inputs_to_check(const Gaps& gaps) const {
    return inputs_are_data_ && gaps.unsupported.empty() && !gaps.section && !gaps.crowd &&
           property_ != Property::FairTermination && !options_.on_final && options_.reduces;
  }

  void claim_safe() {
    result_.verdict = ExploreVerdict::Safe;
    result_.why.clear();
  }

  Progress explore_with(std::uint32_t threads, const SearchOrder& order, std::uint64_t most) {
    for (;;) {
      Search search(interpreter_, analyses_, values_, stepper_options(threads), order, locksets_,
                    context_);
      SearchLimits limits{most, std::nullopt};
      if (result_.verdict == ExploreVerdict::SafeUpTo || inputs_seem_irrelevant_)
        limits.until = time_to_answer_;
      search.run(limits, options_.on_final);
      result_.states += search.states();
      result_.instructions += search.instructions();
      has_open_inputs_ =
          has_open_inputs_ || (search.gaps().values && property_ != Property::FairTermination &&
                               options_.reduces && !options_.on_final);
      if (!result_.warning) result_.warning = std::move(search.warning());
      if (unsupported_.empty()) unsupported_ = search.gaps().unsupported;
      if (search.gaps().lessons && !search.gaps().surprise && !search.found() && !search.stop()) {
        continue;
      }
      if (search.gaps().surprise && !search.found()) {
        uses_analyses_ = false;
        continue;
      }
      if (search.found() || search.stop()) return conclude(search);
      if (limits.until && std::chrono::steady_clock::now() > *limits.until) {
        return Progress::Decided;
      }
      const bool has_new_words = search.gaps().values && ask_for_words(search);
      if (!search.is_exhausted()) {
        return search.gaps().threads ? Progress::Cut : Progress::Unbounded;
      }
      if (has_new_words ||
          (search.gaps().values && (values_.add_constants() || values_.add_small_words())))
        continue;
      return conclude(search, threads);
    }
  }

  /// Whether there are words to be tried that were not tried before.
  bool ask_for_words(const Search& search) {
    bool is_new = false;
    std::size_t asked = 0;
    for (const OpenDecision& decision : search.decisions()) {
      if (++asked > kMostDecisions || context_.stopped()) break;
      is_new = solver_.suggest(decision, values_, context_) || is_new;
    }
    return is_new;
  }

  Progress conclude(Search& search) {
    if (search.found()) {
      result_.verdict = ExploreVerdict::Unsafe;
      result_.run = std::move(search.found());
      if (result_.run->violation.kind == Violation::Kind::LostMemory)
        result_.run = until_lost(interpreter_, *result_.run);
      return Progress::Decided;
    }
    std::string why(to_string(*search.stop()));
    if (!unsupported_.empty())
      why += "; the program reaches an unsupported operation: " + unsupported_;
    give_up(ExploreReason::Stopped, std::move(why));
    result_.stop = search.stop();
    return Progress::Decided;
  }

  /// All states within the bound are seen.
  Progress conclude(const Search& search, std::uint32_t threads) {
    const Gaps& gaps = search.gaps();
    if (!gaps.unsupported.empty()) {
      give_up(ExploreReason::Unsupported, gaps.unsupported);
    } else if (gaps.section) {
      give_up(ExploreReason::Section, "an atomic section does not end");
    } else if (gaps.crowd) {
      give_up(ExploreReason::Threads, "fairness is decided for at most 64 threads");
    } else if (gaps.values && (gaps.threads || !may_leave_inputs_to_check(gaps))) {
      give_up(ExploreReason::Values, "not all values of inputs were covered");
    } else if (is_about_ending(property_) && !may_claim_termination(search)) {
      return gaps.threads ? Progress::Exhausted : Progress::Decided;
    } else if (gaps.values) {
      claim_safe();
    } else if (!gaps.threads || result_.verdict != ExploreVerdict::SafeUpTo ||
               search.states() <= kMostCheckable) {
      result_.verdict = gaps.threads ? ExploreVerdict::SafeUpTo : ExploreVerdict::Safe;
      result_.threads = threads;
      result_.why.clear();
    }
    return gaps.threads ? Progress::Exhausted : Progress::Decided;
  }

  /// All states within the bound are seen, and none is bad; the reason if that proves nothing.
  bool may_claim_termination(const Search& search) {
    if (result_.warning) {
      const Violation& violation = result_.warning->violation;
      give_up(ExploreReason::Undefined, "line " + std::to_string(violation.position.line) + ": " +
                                            violation.what +
                                            ", and C does not define what follows");
    } else if (search.has_inexact_cycle()) {
      give_up(ExploreReason::Inexact, "states repeat up to values that do not matter, not exactly");
    } else if (search.gaps().threads) {
      give_up(ExploreReason::Threads, "more threads are alive at once than the search allows");
    } else {
      return true;
    }
    return false;
  }

  /// What is known about a smaller bound stays.
  void give_up(ExploreReason reason, std::string why) {
    if (result_.verdict == ExploreVerdict::SafeUpTo) return;
    result_.verdict = ExploreVerdict::Unknown;
    result_.reason = reason;
    result_.why = std::move(why);
  }

  Interpreter interpreter_;
  Analyses analyses_;
  Values values_;
  Values one_word_;
  bool inputs_are_data_;
  Locksets locksets_;
  InputSolver solver_;
  Property property_;
  ExploreOptions options_;
  base::RunContext& context_;
  std::vector<std::uint32_t> bounds_;  ///< on threads, that were not exhausted yet
  /// From here on an answer up to a bound is better than none: its check takes longer than the
  /// search.
  std::optional<std::chrono::steady_clock::time_point> time_to_answer_;
  bool uses_analyses_ = true;
  bool has_open_inputs_ = false;  ///< not all words were tried somewhere
  /// With one word for each open choice, all states are seen, and none is bad.
  bool inputs_seem_irrelevant_ = false;
  std::string unsupported_;  ///< the first such thing that a run has reached; SAFE is excluded then
  ExploreResult result_;
};

}  // namespace

ExploreResult explore(const Program& program, Property property, const ExploreOptions& options,
                      base::RunContext& context) {
  return Exploration(program, property, options, context).run();
}

}  // namespace heddle::engine::explore
