#include "check/pathwise/live_transitions.hpp"

#include <map>
#include <set>

namespace heddle::check {

namespace {

using model::LocalState;
using model::SharedState;
using model::StepKind;
using model::ThreadState;
using model::ThreadTransition;

/// Grows the closed set thread state by thread state. What a new one (s, l) gives rise to: the
/// transitions that it enables carry along every thread that may be in s, and the transitions that
/// were enabled in s before carry along the threads in l.
class Closure {
 public:
  explicit Closure(const model::ThreadSystem& system)
      : system_(system), enabled_(system.transitions.size()) {
    for (std::uint32_t t = 0; t < system.transitions.size(); ++t)
      from_[system.transitions[t].source.shared].push_back(t);
  }

  std::vector<bool> run(const std::vector<model::Region>& initial) {
    for (const model::Region& region : initial) {
      add(region.shared);
      for (const model::CounterBound& bound : region.bounds)
        if (!bound.upper || *bound.upper > 0) add({region.shared, bound.counter});
    }
    while (!fresh_.empty() || !fresh_shared_.empty()) {
      if (!fresh_shared_.empty())
        enable_transfers(take(fresh_shared_));
      else
        carry(take(fresh_));
    }
    return std::move(enabled_);
  }

 private:
  template <class T>
  static T take(std::vector<T>& list) {
    const T last = list.back();
    list.pop_back();
    return last;
  }

  void add(SharedState shared) {
    if (locals_.try_emplace(shared).second) fresh_shared_.push_back(shared);
  }

  void add(const ThreadState& state) {
    add(state.shared);
    if (locals_[state.shared].insert(state.local).second) fresh_.push_back(state);
  }

  void enable_transfers(SharedState shared) {
    for (const std::uint32_t t : from_[shared])
      if (system_.transitions[t].kind == StepKind::Transfer) enable(t);
  }

  void carry(const ThreadState& state) {
    for (const std::uint32_t t : from_[state.shared]) {
      const bool acts = system_.transitions[t].kind != StepKind::Transfer &&
                        system_.transitions[t].source.local == state.local;
      if (enabled_[t])
        carry(t, state.local);
      else if (acts)
        enable(t);
    }
  }

  /// Precondition: not enabled yet.
  void enable(std::uint32_t t) {
    const ThreadTransition& transition = system_.transitions[t];
    enabled_[t] = true;
    add(transition.target.shared);
    if (transition.kind != StepKind::Transfer) add(transition.target);
    const std::set<LocalState> present = locals_[transition.source.shared];
    for (const LocalState local : present) carry(t, local);
  }

  void carry(std::uint32_t t, LocalState passive) {
    const ThreadTransition& transition = system_.transitions[t];
    for (const LocalState to : model::passive_targets(transition, passive))
      add({transition.target.shared, to});
  }

  const model::ThreadSystem& system_;
  std::vector<bool> enabled_;
  std::map<SharedState, std::vector<std::uint32_t>> from_;
  std::map<SharedState, std::set<LocalState>> locals_;
  std::vector<ThreadState> fresh_;
  std::vector<SharedState> fresh_shared_;
};

bool changes_nothing(const ThreadTransition& t) {
  return t.kind == StepKind::Move && t.source == t.target && t.passive.empty();
}

}  // namespace

std::vector<std::uint32_t> live_transitions(const model::ThreadSystem& system,
                                            const model::CountingQuestion& question) {
  const std::vector<bool> enabled = Closure(system).run(question.initial);
  std::vector<std::uint32_t> live;
  for (std::uint32_t t = 0; t < enabled.size(); ++t)
    if (enabled[t] && !changes_nothing(system.transitions[t])) live.push_back(t);
  return live;
}

}  // namespace heddle::check
