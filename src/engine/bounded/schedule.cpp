/// From a model of the formula to a run. The model says which actions a thread makes, in which
/// order, and which words are chosen; the interpreter says everything else. Between two actions a
/// thread is alone with its registers, so it is executed up to its next action, and then waits for
/// its next turn. The formula is not believed: what the interpreter does otherwise is an error.

#include "engine/bounded/schedule.hpp"

#include <map>

#include "engine/bounded/races.hpp"
#include "model/c/races.hpp"
#include "model/c/run_end.hpp"

namespace heddle::engine::bounded {

namespace {

using model::c::Outcome;
using model::c::Run;
using model::c::StepResult;
using model::c::ThreadId;

constexpr unsigned kMostSteps = 1'000'000;

class Player final : private model::c::StepObserver {
 public:
  Player(const model::c::Interpreter& interpreter, model::c::Property property,
         const Unrolling& unrolling, Encoding& encoding, Clauses& model)
      : interpreter_(interpreter),
        property_(property),
        unrolling_(unrolling),
        encoding_(encoding),
        model_(model),
        state_(interpreter.initial()) {
    ids_[0] = ThreadId(0u);
    for (const ThreadInstance& thread : unrolling.threads) plan(thread);
  }

  std::expected<Run, std::string> play() {
    while (const std::optional<std::uint32_t> thread = next_thread()) {
      if (!make(*thread, *plans_[*thread][next_[*thread]])) {
        const bool waits = property_ == model::c::Property::NoDeadlock && is_blocked_;
        if (!waits) return std::unexpected(error_);
        plans_[*thread].resize(next_[*thread]);  // nobody is there yet who could change it
        continue;
      }
      if (is_done_) return std::move(run_);
      ++next_[*thread];
    }
    if (property_ == model::c::Property::NoDataRace) return play_race();
    if (property_ == model::c::Property::NoDeadlock) return play_deadlock();
    return std::unexpected("the run ends without a violation");
  }

 private:
  /// The accesses that threads stand before.
  std::expected<Run, std::string> play_race() {
    const auto pair = racing_in(unrolling_, encoding_, model_);
    if (!pair) return std::unexpected("no two accesses race");
    for (const RacingAccess* access : {pair->first, pair->second}) {
      if (access->is_made) continue;
      if (!make(access->thread, unrolling_.threads[access->thread].actions[access->action]))
        return std::unexpected(error_);
      if (is_done_) return std::move(run_);
    }
    return std::unexpected("the accesses do not race");
  }

  /// Threads go on until they cannot.
  std::expected<Run, std::string> play_deadlock() {
    for (std::size_t i = 0; i < state_.threads.size(); ++i) {
      const ThreadId id(i);
      unsigned left = kMostSteps;
      while (is_enabled(interpreter_, state_, id) && left-- > 0)
        if (!step(id, nullptr)) return std::unexpected(error_);
    }
    if (!is_deadlocked(interpreter_, state_)) return std::unexpected("a thread can step");
    run_.violation = deadlock_in(interpreter_, state_);
    return std::move(run_);
  }

  void plan(const ThreadInstance& thread) {
    std::vector<const Action*> actions;
    for (const Action& action : thread.actions)
      if (model_.value(action.guard) && !model_.value(action.moment->never))
        actions.push_back(&action);
    plans_.push_back(std::move(actions));
    next_.push_back(0);
  }

  /// The thread whose next action comes first.
  std::optional<std::uint32_t> next_thread() {
    std::optional<std::uint32_t> first;
    for (std::uint32_t thread = 0; thread < plans_.size(); ++thread) {
      if (next_[thread] == plans_[thread].size()) continue;
      if (!first || encoding_.comes_before(model_, plans_[thread][next_[thread]]->moment, thread,
                                           plans_[*first][next_[*first]]->moment, *first))
        first = thread;
    }
    return first;
  }

  void created(ThreadId creator, ThreadId created) override {
    created_ = created;
    races_.created(creator, created);
  }
  void accessed(ThreadId thread, const model::c::Access& access,
                model::c::Position position) override {
    races_.accessed(thread, access, position);
  }
  void allocated(ThreadId thread, std::uint64_t address, std::uint64_t bytes) override {
    races_.allocated(thread, address, bytes);
  }
  void locked(ThreadId thread, std::uint64_t mutex) override { races_.locked(thread, mutex); }
  void unlocked(ThreadId thread, std::uint64_t mutex) override { races_.unlocked(thread, mutex); }
  void joined(ThreadId waiting, ThreadId ended) override { races_.joined(waiting, ended); }

  bool fail(std::string why) {
    error_ = std::move(why);
    return false;
  }

  /// Steps until the thread has made this action.
  bool make(std::uint32_t thread, const Action& action) {
    if (!ids_.contains(thread)) return fail("a thread runs before it is created");
    const ThreadId id = ids_[thread];
    for (unsigned i = 0; i < kMostSteps; ++i) {
      if (!state_.thread(id).is_live()) return fail("a thread has ended early");
      const model::c::Frame& frame = state_.thread(id).frames.back();
      const bool is_it = frame.function == action.function && frame.at == action.at;
      const bool creates = is_creation(interpreter_.next(state_, id));
      created_.reset();
      if (!step(id, is_it ? &action : nullptr)) return false;
      if (is_done_) return true;
      if (creates && created_) note_created(thread, *created_);
      if (is_it) return true;
    }
    return fail("an action is not reached");
  }

  static bool is_creation(const model::c::Instruction& instruction) {
    const auto* sync = std::get_if<model::c::Synchronise>(&instruction.effect);
    return sync != nullptr && sync->operation == model::c::SyncOperation::CreateThread;
  }

  void note_created(std::uint32_t creator, ThreadId id) {
    const Action* action = plans_[creator][next_[creator]];
    for (std::uint32_t i = 1; i < unrolling_.threads.size(); ++i) {
      const ThreadInstance& thread = unrolling_.threads[i];
      if (thread.creation.creator == creator && thread.created_by == index_of(creator, action) &&
          state_.thread(id).start == thread.start)
        ids_[i] = id;
    }
  }

  std::size_t index_of(std::uint32_t thread, const Action* action) const {
    return static_cast<std::size_t>(action - unrolling_.threads[thread].actions.data());
  }

  bool step(ThreadId id, const Action* action) {
    std::vector<std::uint64_t> choices;
    const model::c::Position position = interpreter_.position(state_, id);
    while (true) {
      const StepResult result = interpreter_.step(state_, id, choices, this);
      if (property_ == model::c::Property::NoDataRace && races_.race()) {
        append(run_, id, choices);
        const model::c::RacingAccess& second = races_.race()->second;
        run_.violation = {model::c::Violation::Kind::DataRace, std::string(model::c::kRacePhrase),
                          second.thread, second.position};
        is_done_ = true;
        return true;
      }
      const bool overflows = result.overflowed && property_ == model::c::Property::NoOverflow;
      if (overflows || result.outcome == Outcome::Violated) {
        append(run_, id, choices);
        if (overflows)
          run_.violation = {model::c::Violation::Kind::Overflow,
                            std::string(model::c::kOverflowPhrase), id, position};
        else
          run_.violation = *result.violation;
        is_done_ = violates(property_, run_.violation.kind);
        return is_done_ || fail("another violation: " + run_.violation.what);
      }
      if (result.outcome == Outcome::NeedsChoice && choices.size() < 4) {
        choices.push_back(chosen(action, result.request));
        continue;
      }
      is_blocked_ = result.outcome == Outcome::Blocked;
      if (result.outcome != Outcome::Continued) return fail("a step cannot be made");
      append(run_, id, choices);
      return true;
    }
  }

  std::uint64_t chosen(const Action* action, const model::c::ChoiceRequest& request) {
    if (action == nullptr || request.kind == model::c::ChoiceRequest::Kind::Signalled) return 0;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < action->choice.size() && i < 64; ++i)
      if (model_.value(action->choice[i])) word |= std::uint64_t{1} << i;
    return word;
  }

  const model::c::Interpreter& interpreter_;
  model::c::Property property_;
  const Unrolling& unrolling_;
  Encoding& encoding_;
  Clauses& model_;
  model::c::State state_;
  std::vector<std::vector<const Action*>> plans_;  ///< by threads
  std::vector<std::size_t> next_;
  std::map<std::uint32_t, ThreadId> ids_;
  std::optional<ThreadId> created_;
  Run run_;
  model::c::RaceDetector races_;  ///< sees all of the run
  bool is_done_ = false;
  bool is_blocked_ = false;  ///< the last step could not be made
  std::string error_;
};

}  // namespace

std::expected<Run, std::string> run_of_model(const model::c::Interpreter& interpreter,
                                             model::c::Property property,
                                             const Unrolling& unrolling, Encoding& encoding,
                                             Clauses& model) {
  return Player(interpreter, property, unrolling, encoding, model).play();
}

}  // namespace heddle::engine::bounded
