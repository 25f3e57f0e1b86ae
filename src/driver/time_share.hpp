#pragma once

/// How the processors are shared among more runs than there are processors. Arithmetic only: no
/// processes and no clock.
///
/// Each run has a weight. Time that a run has used, divided by its weight, is what it has been
/// *served*, and the runs that have been served least are next (weighted fair queueing). So
/// every run gets time again and again, whatever the others do, and in the long run each gets
/// processors in proportion to its weight.
///
/// The weights follow from the aim that an answer takes at most about twice as long as the best
/// engine alone. The first runs of the order, one per processor, share three fifths of the
/// processors and the others share two fifths, but a later run never gets more than an earlier one:
/// three runs on two processors have two thirds of one each. So the order is worth something, and a
/// wrong one costs a factor, not the answer.

#include <chrono>
#include <cstddef>

namespace heddle::driver {

using Seconds = std::chrono::duration<double>;

struct TimeShare {
  double weight = 1;
  Seconds used{0};    ///< what was charged so far
  Seconds served{0};  ///< what was charged so far, divided by the weight

  void charge(Seconds time) {
    used += time;
    served += time / weight;
  }
};

/// Of the search at this position of the order, from 0 on. The weights of all searches add up to 1.
double search_weight(std::size_t position, std::size_t searches, unsigned processors);

/// Of the check of a claim: as much as all searches together. A check is most likely all that is
/// missing, so it gets a processor of its own where there are two; but claims whose checks do not
/// end must not keep the other engines from answering.
inline constexpr double kCheckWeight = 1;

/// How long a run goes on before another one may take its place: longer and longer, so that the
/// first answers come soon and switching costs little; but not so long that the shares of runs
/// become visibly unequal.
Seconds slice_after(Seconds used);

/// What a run is charged: the processor time that it took, so that on a busy machine a slice is
/// worth as much as on an idle one. At most the time on the wall clock: two threads on two
/// processors are not charged twice. And at least a part of it: a run that sleeps gives way, too.
Seconds charge_for(Seconds processor_time, Seconds wall_clock);

}  // namespace heddle::driver
