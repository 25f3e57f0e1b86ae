/// Pairs of accesses that race. Threads that stand before accesses are compared byte by byte, all
/// accesses of a thread at once, so that the circuit is linear in accesses and bytes. An access
/// that was made is compared with each that a thread stands before: that one's thread must have
/// come there before.

#include "engine/bounded/races.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::engine::bounded {

namespace {

bool conflict(const RacingAccess& a, const RacingAccess& b) {
  return a.thread != b.thread && a.object == b.object && a.first < b.end && b.first < a.end &&
         (a.is_write || b.is_write) && !(a.is_atomic && b.is_atomic);
}

/// Whether accesses of these kinds are made to a byte.
struct Kinds {
  Wire plain_read, atomic_read, plain_write, atomic_write;
};

Wire conflict(Circuit& circuit, const Kinds& a, const Kinds& b) {
  const Wire b_writes = circuit.disjunction(b.plain_write, b.atomic_write);
  const Wire b_is_plain = circuit.disjunction(b.plain_read, b.plain_write);
  const Wire b_is_there =
      circuit.disjunction(b_writes, circuit.disjunction(b_is_plain, b.atomic_read));
  return disjunction(circuit, {circuit.conjunction(a.plain_write, b_is_there),
                               circuit.conjunction(a.atomic_write, b_is_plain),
                               circuit.conjunction(a.plain_read, b_writes),
                               circuit.conjunction(a.atomic_read, b.plain_write)});
}

void add(Circuit& circuit, Kinds& kinds, const RacingAccess& access) {
  Wire& kind = access.is_write ? (access.is_atomic ? kinds.atomic_write : kinds.plain_write)
                               : (access.is_atomic ? kinds.atomic_read : kinds.plain_read);
  kind = circuit.disjunction(kind, access.happens);
}

using Accesses = std::vector<const RacingAccess*>;

/// Two threads that stand before accesses to a byte.
void add_races_at(Unrolling& unrolling, const Accesses& accesses) {
  Circuit& circuit = unrolling.circuit;
  std::map<std::uint32_t, Kinds> by_thread;
  for (const RacingAccess* access : accesses) add(circuit, by_thread[access->thread], *access);
  Kinds before;
  for (const auto& [thread, kinds] : by_thread) {
    const Wire races = conflict(circuit, kinds, before);
    if (races != kFalse) unrolling.violations.push_back(races);
    before.plain_read = circuit.disjunction(before.plain_read, kinds.plain_read);
    before.atomic_read = circuit.disjunction(before.atomic_read, kinds.atomic_read);
    before.plain_write = circuit.disjunction(before.plain_write, kinds.plain_write);
    before.atomic_write = circuit.disjunction(before.atomic_write, kinds.atomic_write);
  }
}

void add_races_of(Unrolling& unrolling, const Accesses& accesses) {
  std::set<std::uint32_t> borders;
  for (const RacingAccess* access : accesses)
    if (!access->is_made) borders.insert({access->first, access->end});
  std::set<Accesses> seen;
  for (const std::uint32_t border : borders) {
    Accesses here;
    std::ranges::copy_if(accesses, std::back_inserter(here), [&](const RacingAccess* access) {
      return !access->is_made && access->first <= border && border < access->end;
    });
    if (seen.insert(here).second) add_races_at(unrolling, here);
  }
}

/// Whether the thread that stands before `other` came there before `made` was made.
Wire is_in_time(Encoding& encoding, const RacingAccess& made, const RacingAccess& other) {
  return encoding.precedes(other.moment, other.thread, made.moment, made.thread);
}

}  // namespace

void encode_races(Unrolling& unrolling, Encoding& encoding) {
  std::map<std::uint32_t, Accesses> by_object;
  for (const RacingAccess& access : unrolling.racing) by_object[access.object].push_back(&access);
  for (const auto& [object, accesses] : by_object) {
    add_races_of(unrolling, accesses);
    for (const RacingAccess* made : accesses) {
      if (!made->is_made) continue;
      for (const RacingAccess* other : accesses) {
        if (other->is_made || !conflict(*made, *other)) continue;
        Circuit& circuit = unrolling.circuit;
        const Wire both = circuit.conjunction(made->happens, other->happens);
        const Wire races = circuit.conjunction(both, is_in_time(encoding, *made, *other));
        if (races != kFalse) unrolling.violations.push_back(races);
      }
    }
  }
}

std::optional<std::pair<const RacingAccess*, const RacingAccess*>> racing_in(
    const Unrolling& unrolling, Encoding& encoding, Clauses& model) {
  Accesses happening;
  for (const RacingAccess& access : unrolling.racing)
    if (model.value(access.happens)) happening.push_back(&access);
  for (const RacingAccess* first : happening) {
    for (const RacingAccess* second : happening) {
      if (second->is_made || !conflict(*first, *second)) continue;
      if (first->is_made && !model.value(is_in_time(encoding, *first, *second))) continue;
      // After `free` there is nothing to access, and in a section nobody else frees.
      if (first->frees && !first->is_made && (!second->frees || first->is_atomic)) continue;
      return std::pair(first, second);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::engine::bounded
