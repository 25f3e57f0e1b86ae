#pragma once

/// The steps of a thread family from configurations that are given as ascending lists of local
/// states, one entry per thread.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coverability/forward_search.hpp"
#include "coverability/thread_family.hpp"

namespace heddle::coverability {

struct Successor {
  Control control;
  std::span<const std::uint32_t> symbols;  ///< ascending; valid during the visit
  std::uint32_t transition;                ///< index into ThreadFamily::transitions
  bool is_passive;                         ///< passive threads may have moved
};

class Successors {
 public:
  Successors(const ThreadFamily& family, const std::vector<std::uint32_t>& open);

  const std::vector<bool>& open() const { return is_open_; }
  /// The most births that one step can need.
  std::uint32_t most_births() const { return most_births_; }

  /// All steps that need exactly `births` threads to be born first. `visit(const Successor&)`
  /// returns whether to go on.
  template <class Visit>
  void for_each(Control control, std::span<const std::uint32_t> symbols, std::uint32_t births,
                Visit&& visit) {
    for (const std::uint32_t symbol : symbols) ++counts_[symbol];
    all_steps(control, symbols, births, visit);
    for (const std::uint32_t symbol : symbols) counts_[symbol] = 0;
  }

  /// Who has to be born before the transition can be taken.
  std::vector<CounterCount> births(std::uint32_t transition,
                                   const std::vector<CounterCount>& counts) const;

  /// `visit(control, symbols, transition)` returns whether to go on.
  using VisitPredecessor =
      std::function<bool(Control, std::span<const std::uint32_t>, std::uint32_t)>;
  /// All configurations from which a transition without passive moves, after births, leads here.
  void for_each_predecessor(const ForwardState& after, const VisitPredecessor& visit) const;

 private:
  struct Keyed {
    std::uint32_t counter;  ///< a thread there is needed
    std::uint32_t transition;
  };

  template <class Visit>
  void all_steps(Control control, std::span<const std::uint32_t> symbols, std::uint32_t births,
                 Visit& visit) {
    if (births > 0) {
      for (const std::uint32_t t : bearing_[control])
        if (!try_step(t, symbols, births, visit)) return;
      return;
    }
    if (!keyed_steps(control, symbols, visit)) return;
    for (const std::uint32_t t : always_[control])
      if (!try_step(t, symbols, 0, visit)) return;
  }

  /// The steps that need a thread outside of open counters, in the order of those counters: by
  /// looking at all of the control state's if they are few, else at those for each local state.
  template <class Visit>
  bool keyed_steps(Control control, std::span<const std::uint32_t> symbols, Visit& visit) {
    const std::vector<Keyed>& all = keyed_[control];
    if (all.size() <= 4 * symbols.size())
      return std::ranges::all_of(all, [&](const Keyed& keyed) {
        return counts_[keyed.counter] == 0 || try_step(keyed.transition, symbols, 0, visit);
      });
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (i > 0 && symbols[i] == symbols[i - 1]) continue;
      for (const Keyed& keyed : needing(control, symbols[i]))
        if (!try_step(keyed.transition, symbols, 0, visit)) return false;
    }
    return true;
  }

  std::span<const Keyed> needing(Control control, std::uint32_t counter) const;

  template <class Visit>
  bool try_step(std::uint32_t index, std::span<const std::uint32_t> symbols, std::uint32_t births,
                Visit& visit) {
    const FamilyTransition& t = family_.transitions[index];
    std::uint32_t missing = 0;
    for (const auto& [counter, count] : t.take) {
      if (counts_[counter] >= count) continue;
      if (!is_open_[counter]) return true;
      missing += count - counts_[counter];
    }
    if (missing != births) return true;
    if (t.passive.empty()) {
      take_and_give(t, symbols);
      return visit(Successor{t.to, next_, index, false});
    }
    prepare_passive(t);
    return move_passive(t, 0, [&] { return visit(Successor{t.to, next_, index, true}); });
  }

  /// The list after an ordinary step, into next_.
  void take_and_give(const FamilyTransition& t, std::span<const std::uint32_t> symbols);

  void prepare_passive(const FamilyTransition& t);
  /// Lets the passive threads of the sources from `source` on choose in every way.
  bool move_passive(const FamilyTransition& t, std::size_t source,
                    const std::function<bool()>& visit);
  bool choose(const FamilyTransition& t, std::size_t source, std::size_t target, Count left,
              const std::function<bool()>& visit);

  const ThreadFamily& family_;
  std::vector<bool> is_open_;
  std::uint32_t most_births_ = 0;
  std::vector<std::vector<Keyed>> keyed_;            ///< per control, sorted by counter
  std::vector<std::vector<std::uint32_t>> always_;   ///< per control: take from open counters only
  std::vector<std::vector<std::uint32_t>> bearing_;  ///< per control: may need births
  std::vector<std::vector<std::uint32_t>> into_;     ///< per control: ordinary ones that lead there
  std::vector<Count> counts_;                        ///< of the present configuration
  std::vector<Count> before_;                        ///< passive threads before they move
  std::vector<Count> after_;
  std::vector<std::uint32_t> next_;
};

}  // namespace heddle::coverability
