/// Models of the formula say more than is needed: threads go on although nobody waits for them, and
/// are switched where they need not be. A turn is moved to the end of its thread's turn before, and
/// the last instructions of a thread are left out; what is tried counts if the interpreter comes to
/// the same violation.

#include "engine/bounded/shortening.hpp"

#include <algorithm>
#include <set>

#include "model/c/run_rounds.hpp"

namespace heddle::engine::bounded {

namespace {

using model::c::Run;
using model::c::RunStep;
using model::c::ThreadId;

constexpr std::size_t kMostTurns = 200;  ///< of runs in which turns are moved
constexpr std::size_t kMostInstructions = 50'000;

class Shortening {
 public:
  Shortening(const model::c::Interpreter& interpreter, const Run& run)
      : interpreter_(interpreter), run_(run) {}

  Run result() {
    if (!split()) return std::move(run_);
    if (run_.steps.size() <= kMostTurns) join_turns();
    std::set<std::uint32_t> threads;
    for (const RunStep& one : instructions_) threads.insert(one.thread.value);
    for (const std::uint32_t thread : threads) cut(ThreadId(thread));
    return joined(instructions_);
  }

 private:
  using Instructions = std::vector<RunStep>;  ///< each a step of one instruction

  /// False if the run is too long.
  bool split() {
    std::size_t length = 0;
    for (const RunStep& step : run_.steps) length += step.instructions;
    if (length > kMostInstructions) return false;
    replay(interpreter_, run_, nullptr, [&](const model::c::ReplayedInstruction& executed) {
      instructions_.push_back(
          {executed.thread, 1, {executed.choices.begin(), executed.choices.end()}});
    });
    return instructions_.size() == length;
  }

  Run joined(const Instructions& instructions) const {
    Run run;
    run.violation = run_.violation;
    for (const RunStep& one : instructions) append(run, one.thread, one.choices);
    return run;
  }

  bool is_kept_if(const Instructions& tried) {
    if (refute(interpreter_, joined(tried))) return false;
    instructions_ = tried;
    return true;
  }

  /// Where turns begin, and the end.
  std::vector<std::size_t> turns() const {
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < instructions_.size(); ++i)
      if (i == 0 || instructions_[i].thread != instructions_[i - 1].thread) begins.push_back(i);
    begins.push_back(instructions_.size());
    return begins;
  }

  /// Moves each turn to its thread's turn before, if that saves rounds or turns.
  void join_turns() {
    for (std::size_t turn = 1; turn + 1 < turns().size(); ++turn)
      if (move_back(turn)) --turn;
  }

  bool move_back(std::size_t turn) {
    const std::vector<std::size_t> begins = turns();
    const ThreadId thread = instructions_[begins[turn]].thread;
    for (std::size_t before = turn; before-- > 0;) {
      if (instructions_[begins[before]].thread != thread) continue;
      Instructions tried = instructions_;
      const auto at = [&](std::size_t i) { return tried.begin() + static_cast<std::ptrdiff_t>(i); };
      std::rotate(at(begins[before + 1]), at(begins[turn]), at(begins[turn + 1]));
      const Run run = joined(tried);
      return rounds_of(run) <= rounds_of(joined(instructions_)) && is_kept_if(tried);
    }
    return false;
  }

  /// Without so many of the thread's last instructions.
  Instructions without(ThreadId thread, std::size_t count) const {
    Instructions rest = instructions_;
    for (std::size_t i = rest.size(); i-- > 0 && count > 0;) {
      if (rest[i].thread != thread) continue;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      --count;
    }
    return rest;
  }

  /// As many of its last instructions as halving finds.
  void cut(ThreadId thread) {
    const auto is_its = [&](const RunStep& one) { return one.thread == thread; };
    for (auto count = static_cast<std::size_t>(std::ranges::count_if(instructions_, is_its));
         count > 0; count /= 2)
      while (is_kept_if(without(thread, count))) {
        const auto left = static_cast<std::size_t>(std::ranges::count_if(instructions_, is_its));
        if (left < count) break;
      }
  }

  const model::c::Interpreter& interpreter_;
  Run run_;
  Instructions instructions_;
};

}  // namespace

Run shortened(const model::c::Interpreter& interpreter, const Run& run) {
  return Shortening(interpreter, run).result();
}

}  // namespace heddle::engine::bounded
