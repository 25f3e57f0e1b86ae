#include "support/loop_models.hpp"

#include "support/builders.hpp"

namespace heddle::test {

namespace {

using model::ThreadTransition;

/// The shared states of one loop.
struct Ring {
  unsigned first;
  unsigned length;
  unsigned any(Random& random) const { return first + random.below(length); }
};

class LoopSystem {
 public:
  explicit LoopSystem(Random& random) : random_(random), locals_(random.between(2, 5)) {
    const unsigned rings = random.between(1, 4);
    for (unsigned i = 0; i < rings; ++i) add_ring();
    for (unsigned i = 0; i + 1 < rings; ++i) connect(i, i + 1);
    if (rings > 2 && random.one_in(3)) connect(0, rings - 1);
    if (random.one_in(5)) add(rings_.back().any(random), rings_.back().any(random));
    if (random.one_in(8)) add(rings_.front().any(random), rings_.front().any(random));
  }

  model::CountingTask task() {
    return {thread_system(shared_, locals_, edges_), {{initial()}, {goal()}}};
  }

 private:
  unsigned local() { return random_.below(locals_); }

  void add(unsigned from, unsigned to) {
    if (random_.one_in(8))
      edges_.push_back(spawn(from, local(), to, local()));
    else if (random_.one_in(40))
      edges_.push_back(transfer(from, local(), to, local()));
    else
      edges_.push_back(move(from, local(), to, local()));
  }

  void add_ring() {
    const Ring ring{shared_, random_.between(1, 3)};
    shared_ += ring.length;
    rings_.push_back(ring);
    if (random_.one_in(4)) return;  // a place on the way without a loop
    for (unsigned i = 0; i < ring.length; ++i)
      add(ring.first + i, ring.first + (i + 1) % ring.length);
  }

  void connect(unsigned a, unsigned b) {
    const unsigned ways = random_.between(1, 2);
    for (unsigned i = 0; i < ways; ++i) add(rings_[a].any(random_), rings_[b].any(random_));
  }

  model::Region initial() {
    const unsigned shared = rings_.front().any(random_);
    if (random_.one_in(4)) return exactly(shared, {0, 0, local(), local()});
    if (random_.one_in(3)) return any_number(shared, {0, 1});
    return any_number(shared, {0});
  }

  model::Region goal() {
    const std::vector<unsigned> many(random_.between(1, 6), local());
    const unsigned shared = rings_.back().any(random_);
    return target(shared, random_.one_in(2) ? many : std::vector<unsigned>{local(), local()});
  }

  Random& random_;
  unsigned locals_;
  unsigned shared_ = 0;
  std::vector<Ring> rings_;
  std::vector<ThreadTransition> edges_;
};

}  // namespace

model::CountingTask random_loop_task(Random& random) { return LoopSystem(random).task(); }

model::CountingTask counting_loop(unsigned length, unsigned count) {
  std::vector<ThreadTransition> edges;
  for (unsigned s = 0; s + 1 < length; ++s) edges.push_back(move(s, 0, s + 1, 1));
  edges.push_back(move(length - 1, 1, 0, 2));
  return task(thread_system(length, 3, edges), {any_number(0, {0})},
              {target(0, std::vector<unsigned>(count, 2))});
}

model::CountingTask doubling_chain(unsigned loops) {
  const unsigned gone = loops + 1;
  std::vector<ThreadTransition> edges;
  for (unsigned i = 1; i <= loops; ++i) {
    const unsigned here = 2 * (i - 1);
    edges.push_back(move(here, i - 1, here + 1, i));
    edges.push_back(move(here + 1, i - 1, here, gone));
    edges.push_back(move(here, i, here + 2, i));
  }
  return task(thread_system(2 * loops + 1, loops + 2, edges), {any_number(0, {0})},
              {target(2 * loops, {loops})});
}

}  // namespace heddle::test
