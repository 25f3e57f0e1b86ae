#pragma once

/// Thread systems with the shape on which loops can be summarised: a chain of loops of shared
/// states, mostly simple ones.

#include "model/counting.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// One to four loops of one to three shared states each, ways between them (some parallel, some
/// past a loop), now and then a loop within a loop, a spawn, a transfer; targets that ask for
/// several threads in one local state.
model::CountingTask random_loop_task(Random& random);

/// One loop that turns a thread in local state 0 into one in 1 and a thread in 1 into one in 2,
/// by way of `length` shared states; the target asks for `count` threads in 2.
model::CountingTask counting_loop(unsigned length, unsigned count);

/// Loop i turns two threads in local state i−1 into one in i; the target is one in local state
/// `loops`, which takes 2^loops threads.
model::CountingTask doubling_chain(unsigned loops);

}  // namespace heddle::test
