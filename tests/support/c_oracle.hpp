#pragma once

/// The naive truth about a small C program: all states, each instruction of each thread a step of
/// its own, nothing joined, nothing left out, states compared by all that they hold. Shares the
/// interpreter with engines and checkers and nothing else. Header only, for test programs that do
/// not link our test support.
///
/// Termination: no thread wakes by itself, and the steps between states form a graph; a run is
/// infinite if that has a cycle. What C does not define makes the answer incomplete. Of weakly fair
/// runs: the greatest set of states from each of which, for every thread, a step can be reached
/// inside the set that serves the thread (Emerson and Lei 1986); it steps, or cannot step before.

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/c/interpreter.hpp"
#include "model/c/lost_memory.hpp"

namespace heddle::testing::c {

struct COracleAnswer {
  bool is_violated = false;
  bool is_complete = true;  ///< all states were seen, with all words that can be chosen
  std::uint64_t states = 0;
};

inline void write_number(std::string& text, std::uint64_t number) {
  text += std::to_string(number);
  text += ' ';
}

/// All that a state holds.
inline std::string text_of(const model::c::State& state) {
  std::string text;
  write_number(text, state.section_owner ? state.section_owner->value + 1 : 0);
  for (const auto& thread : state.threads) {
    for (const std::uint64_t number :
         {static_cast<std::uint64_t>(thread->status), std::uint64_t{thread->is_detached},
          std::uint64_t{thread->is_signalled}, std::uint64_t{thread->sections}, thread->condition,
          thread->mutex, thread->result, thread->heap_next, thread->stack_next}) {
      write_number(text, number);
    }
    for (const model::c::Frame& frame : thread->frames) {
      text += 'f';
      write_number(text, frame.function.value);
      write_number(text, frame.at.value);
      write_number(text, frame.stack_mark);
    }
    for (const std::uint64_t word : thread->registers) write_number(text, word);
    text += '\n';
  }
  for (const model::c::Memory::Slot& slot : state.memory.slots()) {
    write_number(text, slot.address);
    write_number(text, slot.object->is_alive ? 1 : 0);
    for (std::uint64_t i = 0; i < slot.object->size; ++i) {
      const auto byte = byte_of(*slot.object, i);
      write_number(text, byte ? *byte : 256);
    }
    text += '\n';
  }
  return text;
}

class COracle {
 public:
  using Final = std::function<void(const model::c::State&)>;

  COracle(const model::c::Program& program, model::c::Property property)
      : interpreter_(program), property_(property), lost_(program) {}

  /// Where there are too many words to choose from, these are tried. What is found is real, but the
  /// answer is not complete.
  void try_words(std::vector<std::uint64_t> words) { words_ = std::move(words); }

  /// States with more threads alive are left out.
  void limit_threads(std::uint64_t most) { thread_limit_ = most; }

  /// A thread that ends the process stands still instead and the others go on. `on_final` is told
  /// the states in which no thread goes on and none fails, unless they are in a section.
  COracleAnswer ask(std::uint64_t most_states, const Final& on_final = {}) {
    visit(interpreter_.initial());
    while (!pending_.empty()) {
      if (seen_.size() > most_states) {
        answer_.is_complete = false;
        break;
      }
      const model::c::State state = std::move(pending_.back().first);
      expanded_ = pending_.back().second;
      pending_.pop_back();
      note_waiting(state);
      look_at(state);
      bool goes_on = false;
      for (std::size_t i = 0; i < state.threads.size(); ++i) {
        if (sleeps_on(state, model::c::ThreadId(i))) continue;
        stepping_ = i;
        goes_on = step(state, model::c::ThreadId(i), {}) || goes_on;
      }
      if (!goes_on && !state.section_owner && on_final) on_final(state);
    }
    answer_.states = seen_.size();
    if (property_ == model::c::Property::Termination && has_cycle()) note(Kind::Lasso);
    if (property_ == model::c::Property::FairTermination && has_fair_run()) note(Kind::Lasso);
    return answer_;
  }

 private:
  using State = model::c::State;
  using ThreadId = model::c::ThreadId;
  using Kind = model::c::Violation::Kind;

  void note(Kind kind) {
    if (violates(property_, kind)) answer_.is_violated = true;
    if (kind == Kind::Unsupported) answer_.is_complete = false;
    if (is_about_ending(property_) && is_undefined_behaviour(kind) && kind != Kind::Overflow &&
        kind != Kind::DataRace) {
      answer_.is_complete = false;
    }
  }

  /// Whether the thread goes on, or fails.
  bool step(const State& state, ThreadId thread, std::vector<std::uint64_t> choices) {
    State next = state;
    const model::c::StepResult result = interpreter_.step(next, thread, choices);
    if (result.overflowed) note(Kind::Overflow);
    const bool ends = result.outcome == model::c::Outcome::ProcessEnded ||
                      (result.violation && result.violation->kind == Kind::Failure);
    if (ends && find_allocated(next)) note(Kind::UnfreedMemory);
    if (result.violation) {
      note(result.violation->kind);
      return true;
    }
    if (result.outcome == model::c::Outcome::NeedsChoice) {
      return choose(state, thread, choices, result.request);
    }
    if (result.outcome != model::c::Outcome::Continued) return false;
    if (result.overflowed && property_ == model::c::Property::NoOverflow) return false;
    visit(std::move(next));
    return true;
  }

  bool choose(const State& state, ThreadId thread, std::vector<std::uint64_t> choices,
              const model::c::ChoiceRequest& request) {
    std::uint64_t count = request.count;
    if (count == 0 && request.width <= 8) count = std::uint64_t{1} << request.width;
    if (count == 0) answer_.is_complete = false;
    bool goes_on = false;
    choices.push_back(0);
    for (const std::uint64_t word : count == 0 ? words_ : std::vector<std::uint64_t>()) {
      choices.back() = request.width < 64 ? word & ((std::uint64_t{1} << request.width) - 1) : word;
      goes_on = step(state, thread, choices) || goes_on;
    }
    choices.back() = 0;
    for (; choices.back() < count; ++choices.back()) {
      goes_on = step(state, thread, choices) || goes_on;
    }
    return goes_on;
  }

  void visit(State state) {
    const auto alive =
        std::ranges::count_if(state.threads, [](const auto& thread) { return thread->is_live(); });
    if (std::cmp_greater(alive, thread_limit_)) {
      answer_.is_complete = false;
      return;
    }
    const auto [known, is_new] = seen_.emplace(text_of(state), seen_.size());
    if (!is_new || known->second > 0) steps_.push_back({expanded_, known->second, stepping_});
    if (is_new) pending_.emplace_back(std::move(state), known->second);
  }

  bool sleeps_on(const State& state, ThreadId thread) const {
    return is_about_ending(property_) &&
           state.thread(thread).status == model::c::Thread::Status::Sleeping &&
           !interpreter_.can_step(state, thread, false);
  }

  /// Whether some state can be reached from itself: by looking for the end of every chain.
  bool has_cycle() const {
    std::vector<std::vector<std::size_t>> next(seen_.size());
    for (const Step& step : steps_) next[step.from].push_back(step.to);
    std::vector<int> marks(seen_.size(), 0);  // 1: on the path, 2: done
    std::vector<std::pair<std::size_t, std::size_t>> path{{0, 0}};
    marks[0] = 1;
    while (!path.empty()) {
      auto& [state, at] = path.back();
      if (at == next[state].size()) {
        marks[state] = 2;
        path.pop_back();
        continue;
      }
      const std::size_t to = next[state][at++];
      if (marks[to] == 1) return true;
      if (marks[to] == 2) continue;
      marks[to] = 1;
      path.emplace_back(to, 0);
    }
    return false;
  }

  // ---- Fair runs

  struct Step {
    std::size_t from;
    std::size_t to;
    std::size_t thread;
  };

  /// The threads that cannot step in the state that is expanded; none in the middle of a section.
  void note_waiting(const State& state) {
    if (property_ != model::c::Property::FairTermination) return;
    most_threads_ = std::max(most_threads_, state.threads.size());
    if (waiting_.size() <= expanded_) waiting_.resize(expanded_ + 1);
    if (state.section_owner) return;
    for (std::size_t i = 0; i < kMostThreads; ++i)
      if (i >= state.threads.size() || !is_enabled(interpreter_, state, ThreadId(i)))
        waiting_[expanded_].set(i);
  }

  bool serves(const Step& step, std::size_t thread) const {
    return step.thread == thread || waiting_[step.from].test(thread);
  }

  /// The states of the set from which a step that serves the thread can be reached inside it.
  std::vector<bool> served(const std::vector<bool>& set, std::size_t thread,
                           const std::vector<std::vector<std::size_t>>& steps_to) const {
    std::vector<bool> out(set.size(), false);
    std::vector<std::size_t> found;
    const auto add = [&](std::size_t state) {
      if (!set[state] || out[state]) return;
      out[state] = true;
      found.push_back(state);
    };
    for (const Step& step : steps_)
      if (set[step.to] && serves(step, thread)) add(step.from);
    while (!found.empty()) {
      const std::size_t state = found.back();
      found.pop_back();
      for (const std::size_t step : steps_to[state]) add(steps_[step].from);
    }
    return out;
  }

  bool has_fair_run() {
    waiting_.resize(seen_.size());
    std::vector<std::vector<std::size_t>> steps_to(seen_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_to[steps_[i].to].push_back(i);
    std::vector<bool> set(seen_.size(), true);
    for (std::vector<bool> before; before != set;) {
      before = set;
      for (std::size_t i = 0; i < most_threads_; ++i) set = served(set, i, steps_to);
    }
    return std::ranges::find(set, true) != set.end();
  }

  // ---- What is true of states

  void look_at(const State& state) {
    if (is_deadlocked(interpreter_, state)) {
      note(is_about_ending(property_) ? Kind::Blocked : Kind::Deadlock);
    }
    if (tracks_memory(property_) && lost_.find(state)) note(Kind::LostMemory);
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (race(access_of(state, ThreadId(i)), access_of(state, ThreadId(j)))) {
          note(Kind::DataRace);
        }
      }
    }
  }

  static bool race(const model::c::Access& a, const model::c::Access& b) {
    const bool overlap = a.address < b.address + b.bytes && b.address < a.address + a.bytes;
    return a.bytes != 0 && b.bytes != 0 && overlap && (a.is_write || b.is_write) &&
           !(a.is_atomic && b.is_atomic);
  }

  /// The access that a thread makes with its next instruction; none if it cannot make it.
  model::c::Access access_of(const State& state, ThreadId thread) const {
    if (state.thread(thread).status != model::c::Thread::Status::Running) return {};
    const model::c::Effect& effect = interpreter_.next(state, thread).effect;
    if (std::holds_alternative<model::c::Lifetime>(effect)) return {};
    if (std::holds_alternative<model::c::Synchronise>(effect) &&
        !interpreter_.can_step(state, thread, false)) {
      return {};
    }
    const model::c::Access access = interpreter_.next_access(state, thread);
    const auto place = state.memory.locate(access.address, access.bytes);
    return place.error == model::c::AccessError::None ? access : model::c::Access{};
  }

  model::c::Interpreter interpreter_;
  model::c::Property property_;
  model::c::LostMemory lost_;
  std::map<std::string, std::size_t> seen_;
  std::vector<std::pair<State, std::size_t>> pending_;
  std::size_t expanded_ = 0;
  std::uint64_t thread_limit_ = ~std::uint64_t{0};
  std::vector<std::uint64_t> words_;
  std::vector<Step> steps_;
  static constexpr std::size_t kMostThreads = 8;
  std::vector<std::bitset<kMostThreads>> waiting_;  ///< by state
  std::size_t most_threads_ = 0;
  std::size_t stepping_ = 0;
  COracleAnswer answer_;
};

}  // namespace heddle::testing::c
