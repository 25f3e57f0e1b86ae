/// Let a thread be about to make an access that is not atomic, and let no other thread ever be
/// about to make one in conflict with it at that moment: it is in no pair that transform/races
/// leaves open. Then every step that another thread makes until the access commutes with it, so the
/// access may as well be made at once: a turn that ends before it may end behind it. Arithmetic
/// wraps as in the model, since a thread program that stops at an overflow would leave out what
/// comes behind it.

#include "transform/sequential_c/quiet.hpp"

#include "transform/blocks/facts.hpp"
#include "transform/c_threads/threads_of_c.hpp"
#include "transform/races/pairs.hpp"

namespace heddle::transform::sequential_c {

QuietAccesses quiet_accesses(const model::c::Program& program, base::RunContext& context) {
  c_threads::Options reading;
  reading.arithmetic = c_threads::Arithmetic::Wrapping;
  reading.stops = [&] { return context.stopped().has_value(); };
  const auto covered = c_threads::cover(program, reading);
  if (!covered || races::has_rival_joins(program, covered->covering)) return {};
  const blocks::Facts facts(covered->program);
  const races::Conflicts conflicts =
      races::conflicts(program, covered->program, covered->covering, facts, context);
  if (!conflicts.is_complete) return {};
  const auto place_of = [&](const races::MemoryAccess& access) {
    const auto& places = covered->covering.threads[access.thread.index()].places;
    const auto& place = places[access.point.index()];
    return std::pair(covered->covering.contexts[place.context].function, place.at);
  };
  QuietAccesses out;
  for (const races::MemoryAccess& access : conflicts.accesses) out.insert(place_of(access));
  for (const races::Pair& pair : conflicts.pairs) {
    if (pair.reason != races::Reason::Open) continue;
    out.erase(place_of(conflicts.accesses[pair.first]));
    out.erase(place_of(conflicts.accesses[pair.second]));
  }
  return out;
}

}  // namespace heddle::transform::sequential_c
