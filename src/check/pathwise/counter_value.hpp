#pragma once

/// Counters in the formula of a pathwise proof, and what transitions do to them backward.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/integer.hpp"
#include "model/thread_system.hpp"
#include "term/term.hpp"

namespace heddle::check {

/// n ↦ max(n + shift, floor), floor ≥ 0: what a transition of constant effect does to the demand
/// for threads in one local state when it is taken backward. Closed under composition:
/// max(max(n + s, f) + s', f') = max(n + (s + s'), max(f + s', f')).
struct Update {
  base::Integer shift = 0;
  base::Integer floor = 0;

  Update then(const Update& next) const {
    return {shift + next.shift, std::max<base::Integer>(floor + next.shift, next.floor)};
  }
};

/// Updates by local state; the others stay as they are.
using Updates = std::map<std::uint32_t, Update>;

/// The least demand before a transition of constant effect such that afterwards there is at least
/// n, in every local state (thread_predecessors.cpp derives it). From l to l': a move asks for one
/// thread less in l', if any is asked for, and then for one more in l; a spawn for one less in l',
/// and for at least one in l.
inline Updates updates_of(const model::ThreadTransition& t) {
  const std::uint32_t l = t.source.local.value;
  Updates updates{{t.target.local.value, {-1, 0}}};
  const Update of_source = t.kind == model::StepKind::Spawn ? Update{0, 1} : Update{1, 1};
  const auto [it, is_new] = updates.try_emplace(l, of_source);
  if (!is_new) it->second = it->second.then(of_source);
  return updates;
}

/// variable + offset, or offset alone; never below `least`.
struct Value {
  std::optional<term::Term> variable;
  base::Integer offset = 0;
  base::Integer least = 0;

  static Value constant(const base::Integer& n) { return {std::nullopt, n, n}; }

  term::Term term() const {
    const term::Term number = term::constant(offset);
    return variable ? term::sum({*variable, number}) : number;
  }
  bool same_as(const Value& other) const {
    if (offset != other.offset || variable.has_value() != other.variable.has_value()) return false;
    return !variable || variable->identity() == other.variable->identity();
  }
};

/// A demand: how many threads are asked for in each local state; none where nothing is listed.
using Values = std::map<std::uint32_t, Value>;

}  // namespace heddle::check
