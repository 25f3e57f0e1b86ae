#include <benchmark/benchmark.h>
#include <malloc.h>

#include <random>

#include "coverability/backward_search.hpp"
#include "coverability/cover_index.hpp"
#include "model/counting.hpp"

/// How fast the backward search makes cover predecessors, subsumption included, and how many bytes
/// a stored demand takes.

namespace heddle::coverability {
namespace {

using model::Counter;
using model::PetriNet;

/// A ring of cells of five places each: items enter, wait, use one of the two resources that the
/// cell shares with its neighbour, and move on. Any number of items.
PetriNet ring(unsigned cells) {
  PetriNet net;
  const auto place = [cells](unsigned cell, unsigned which) {
    return Counter(cell % cells * 5 + which);
  };
  for (unsigned i = 0; i < cells * 5; ++i) net.places.push_back("p" + std::to_string(i));
  for (unsigned c = 0; c < cells; ++c) {
    model::add_transition(net, "enter", {{place(c, 0), 1}}, {{place(c, 1), 1}});
    model::add_transition(net, "take", {{place(c, 1), 1}, {place(c, 3), 1}, {place(c + 1, 3), 1}},
                          {{place(c, 2), 1}});
    model::add_transition(net, "give", {{place(c, 2), 1}},
                          {{place(c, 3), 1}, {place(c + 1, 3), 1}, {place(c, 4), 1}});
    model::add_transition(net, "move", {{place(c, 4), 1}}, {{place(c + 1, 0), 1}});
  }
  return net;
}

model::CountingTask ring_task(unsigned cells) {
  model::CountingTask task{ring(cells), {}};
  model::Region initial{model::SharedState(0u), {}};
  model::Region target{model::SharedState(0u), {}};
  for (unsigned c = 0; c < cells; ++c) {
    if (c == 0) initial.bounds.push_back({Counter(0u), 0, std::nullopt});
    initial.bounds.push_back({Counter(c * 5 + 3), 1, 1});
    if (c < 3) target.bounds.push_back({Counter(c * 5 + 2), 2, std::nullopt});
  }
  task.question = {{initial}, {target}};
  return task;
}

void CoverPredecessorsPerSecond(benchmark::State& state) {
  const model::CountingTask task = ring_task(static_cast<unsigned>(state.range(0)) / 5);
  std::uint64_t predecessors = 0;
  double found = 0;
  for (auto _ : state) {
    base::Limits limits;
    limits.steps = 1'000'000;
    base::RunContext context(limits);
    Pruner none;
    benchmark::DoNotOptimize(backward_search(task, none, SearchOrder::SmallestFirst, context));
    predecessors += context.steps();
    found = context.statistics().get("found");
  }
  state.counters["predecessors"] =
      benchmark::Counter(static_cast<double>(predecessors), benchmark::Counter::kIsRate);
  state.counters["found"] = found;
}
BENCHMARK(CoverPredecessorsPerSecond)->Arg(50)->Arg(100)->Arg(250)->Unit(benchmark::kMillisecond);

/// Stores and indexes demands with `range(0)` non-zero counters out of 60, most of them 1, none of
/// which covers another (they have equal sums).
void BytesPerStoredElement(benchmark::State& state) {
  constexpr std::size_t kElements = 100'000;
  constexpr unsigned kCounters = 60;
  using Word = std::uint16_t;
  const PackedLayout<Word> layout(kCounters);
  double bytes = 0;
  for (auto _ : state) {
    std::mt19937 random(1);
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    ElementStore<Word> store;
    CoverTrie<Word> trie(layout, store, 1, kCounters);
    std::vector<Word> words;
    std::vector<std::uint32_t> counters(kCounters);
    for (std::uint32_t i = 0; i < kCounters; ++i) counters[i] = i;
    for (std::size_t i = 0; i < kElements; ++i) {
      std::shuffle(counters.begin(), counters.end(), random);
      std::vector<std::uint32_t> chosen(counters.begin(), counters.begin() + state.range(0));
      std::sort(chosen.begin(), chosen.end());
      words.clear();
      for (std::size_t k = 0; k < chosen.size(); ++k)
        words.push_back(layout.pack(chosen[k], k == i % chosen.size() ? 2 : 1));
      if (trie.covers(0, words)) continue;
      trie.insert(store.add(0, words, 0, kNoElement));
    }
    const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    bytes = static_cast<double>(after - before) / static_cast<double>(store.size());
  }
  state.counters["bytes"] = bytes;
}
BENCHMARK(BytesPerStoredElement)->Arg(5)->Arg(20)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::coverability
