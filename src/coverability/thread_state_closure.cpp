#include <algorithm>
#include <vector>

#include "coverability/invariants.hpp"

/// The closure is computed by saturation: a shared state is taken up again whenever its row has
/// grown, and every transition out of it that the row enables is applied to the whole row. Rows
/// only grow, so this ends. It is closed under steps because in any configuration whose threads
/// all lie in the rows, the acting thread's new state and each passive thread's new state have been
/// added when its row was last taken up.

namespace heddle::coverability {

using model::StepKind;
using model::ThreadSystem;
using model::ThreadTransition;

bool ThreadStateRows::add_shared(Control shared) {
  if (has_shared(shared)) return false;
  rows_[shared].assign(words_per_row_, 0);
  ++rows_in_use_;
  return true;
}

bool ThreadStateRows::add(Control shared, std::uint32_t local) {
  std::uint64_t& word = rows_[shared][local / 64];
  const std::uint64_t bit = std::uint64_t{1} << (local % 64);
  const bool grew = (word & bit) == 0;
  word |= bit;
  return grew;
}

bool ThreadStateRows::add_all(Control source, Control target) {
  std::uint64_t fresh = 0;
  for (std::size_t i = 0; i < words_per_row_; ++i) {
    fresh |= rows_[source][i] & ~rows_[target][i];
    rows_[target][i] |= rows_[source][i];
  }
  return fresh != 0;
}

answer::ClosedThreadStates ThreadStateRows::to_certificate() const {
  answer::ClosedThreadStates result;
  for (Control shared = 0; shared < rows_.size(); ++shared) {
    if (!has_shared(shared)) continue;
    result.shared.emplace_back(shared);
    for (std::uint32_t local = 0; local < words_per_row_ * 64; ++local)
      if (contains(shared, local))
        result.states.push_back({model::SharedState(shared), model::LocalState(local)});
  }
  return result;
}

namespace {

class Closure {
 public:
  Closure(const ThreadSystem& system, std::size_t byte_limit)
      : system_(system),
        byte_limit_(byte_limit),
        rows_(system.shared_count, system.local_count),
        outgoing_(system.shared_count),
        queued_(system.shared_count, false),
        merged_(system.shared_count, 0) {
    for (const ThreadTransition& t : system.transitions)
      outgoing_[t.source.shared.index()].push_back(&t);
  }

  std::optional<ThreadStateRows> run(const std::vector<model::Region>& initial) {
    for (const model::Region& region : initial) {
      if (reach(region.shared.value)) enqueue(region.shared.value);
      for (const auto& bound : region.bounds)
        if (!bound.upper || *bound.upper > 0) rows_.add(region.shared.value, bound.counter.value);
    }
    while (!queue_.empty()) {
      if (rows_.bytes() > byte_limit_) return std::nullopt;
      const Control shared = queue_.back();
      queue_.pop_back();
      queued_[shared] = false;
      ++round_;
      for (const ThreadTransition* t : outgoing_[shared]) apply(*t);
    }
    return std::move(rows_);
  }

 private:
  bool reach(Control shared) { return rows_.add_shared(shared); }

  void enqueue(Control shared) {
    if (queued_[shared]) return;
    queued_[shared] = true;
    queue_.push_back(shared);
  }

  void apply(const ThreadTransition& t) {
    const Control from = t.source.shared.value;
    const Control to = t.target.shared.value;
    if (t.kind != StepKind::Transfer && !rows_.contains(from, t.source.local.value)) return;
    bool grew = reach(to);
    if (t.kind != StepKind::Transfer) grew |= rows_.add(to, t.target.local.value);
    grew |= t.kind == StepKind::Transfer || !t.passive.empty() ? carry_passive(t, from, to)
                                                               : carry_all(from, to);
    if (grew) enqueue(to);
  }

  /// Without passive moves every thread state is carried over unchanged: once per pair and round.
  bool carry_all(Control from, Control to) {
    if (from == to || merged_[to] == round_) return false;
    merged_[to] = round_;
    return rows_.add_all(from, to);
  }

  bool carry_passive(const ThreadTransition& t, Control from, Control to) {
    bool grew = false;
    for (std::uint32_t local = 0; local < system_.local_count; ++local) {
      if (!rows_.contains(from, local)) continue;
      for (const auto target : model::passive_targets(t, model::LocalState(local)))
        grew |= rows_.add(to, target.value);
    }
    return grew;
  }

  const ThreadSystem& system_;
  std::size_t byte_limit_;
  ThreadStateRows rows_;
  std::vector<std::vector<const ThreadTransition*>> outgoing_;
  std::vector<Control> queue_;
  std::vector<bool> queued_;
  std::vector<std::uint64_t> merged_;  // the round in which a row was last merged as a whole
  std::uint64_t round_ = 0;
};

}  // namespace

std::optional<ThreadStateRows> closed_thread_states(const ThreadSystem& system,
                                                    const std::vector<model::Region>& initial,
                                                    std::size_t byte_limit) {
  return Closure(system, byte_limit).run(initial);
}

}  // namespace heddle::coverability
