#pragma once

/// What firing transitions backward does to a demand, counter by counter (papers/cutr.txt, Alg. 2
/// and Theorem 3, extended to thread creation).
///
/// Firing a move from l to l' backward takes the thread out of l', if one is asked for there, and
/// asks for one in l: n_l' ↦ max(n_l' − 1, 0), then n_l ↦ n_l + 1. A spawn by l of a thread in l'
/// takes the new thread out of l' and asks that its spawner be there: n_l' ↦ max(n_l' − 1, 0), then
/// n_l ↦ max(n_l, 1). Each of these has the form n ↦ max(n + shift, floor), and so has each of
/// their compositions: max(max(n + d, b) + d', b') = max(n + (d + d'), max(b + d', b')).
///
/// Therefore κ ≥ 1 rounds of a loop whose single round is n ↦ max(n + d, b) are
///     n ↦ max(n + κd, b + (κ−1)d)  if d > 0,      n ↦ max(n + κd, b)  if d ≤ 0,
/// by induction on κ: another round turns n + κd into n + (κ+1)d and the other argument, if d > 0,
/// into b + κd ≥ b; if d ≤ 0, into b + d ≤ b, so b is what remains of it. With θ = min(κ, 1) both
/// cases and κ = 0, where nothing happens, are one maximum of forms that are linear in κ and θ:
///     n ↦ max(n + κd, θb + (κ−θ)·max(d, 0)).

#include <cstdint>
#include <utility>
#include <vector>

#include "base/integer.hpp"
#include "model/thread_system.hpp"

namespace heddle::engine::concolic {

/// n ↦ max(n + shift, floor) on counts n ≥ 0, in the form in which floor ≥ max(shift, 0).
/// Numbers are bounded by the number of transitions, so machine words do.
struct Update {
  std::int64_t shift = 0;
  std::int64_t floor = 0;
  friend bool operator==(const Update&, const Update&) = default;
};

Update then(const Update& first, const Update& second);

/// `rounds` times the update, by the formula above.
base::Integer repeat(const Update& update, const base::Integer& rounds, const base::Integer& count);

/// One update for each counter that is changed, sorted by counter.
using Summary = std::vector<std::pair<std::uint32_t, Update>>;

Summary then(const Summary& first, const Summary& second);

/// Does firing the transition backward have a summary? Transfers and passive moves do not: how
/// they change one counter depends on others.
bool is_summable(const model::ThreadTransition& transition);

/// Firing one transition backward. Precondition: is_summable.
Summary summary_of(const model::ThreadTransition& transition);

}  // namespace heddle::engine::concolic
