#include <benchmark/benchmark.h>

#include <cstdlib>

#include "coverability/backward_search.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/flow.hpp"
#include "support/long_inputs.hpp"

/// How the time for reading and preparing inputs grows, from 10^4 to 10^6 lines (or places, labels,
/// targets, …). Each row reads a text that is long in one way, and of programs makes the flow
/// graphs; the rows BigO and RMS say how well the times fit n log n.
///
///     build-bench/bench/reading_bench [--benchmark_filter=goto]

namespace heddle {
namespace {

frontend::AnyModelFile read(const char* format, const std::string& text) {
  auto file = frontend::find_format(format)->parse({"text", text}, {});
  if (!file) std::abort();
  return std::move(*file);
}

void read_and_prepare(benchmark::State& state, const test::LongInput& input) {
  const std::string text = input.text(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const frontend::AnyModelFile file = read(input.format, text);
    if (const auto* program = std::get_if<frontend::ProgramFile>(&file)) {
      if (!model::boolean::keep_calls(program->model)) std::abort();
      if (!model::boolean::unfold(program->model)) std::abort();
    }
  }
  state.SetComplexityN(state.range(0));
}

/// A backward search takes in targets none of which covers another.
void take_in_targets(benchmark::State& state) {
  auto file = std::get<frontend::NetFile>(
      read("spec", test::incomparable_targets(static_cast<std::size_t>(state.range(0)))));
  const model::CountingTask task{std::move(file.model),
                                 {std::move(file.initial), std::move(file.targets)}};
  for (auto _ : state) {
    base::RunContext context;
    coverability::Pruner none;
    benchmark::DoNotOptimize(coverability::backward_search(
        task, none, coverability::SearchOrder::SmallestFirst, context));
  }
  state.SetComplexityN(state.range(0));
}

bool register_all() {
  const auto sizes = [](benchmark::internal::Benchmark* row) {
    row->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);
    row->Complexity(benchmark::oNLogN);
  };
  for (const test::LongInput& input : test::long_inputs())
    sizes(benchmark::RegisterBenchmark(
        input.name, [&input](benchmark::State& state) { read_and_prepare(state, input); }));
  sizes(benchmark::RegisterBenchmark("backward/targets", take_in_targets));
  return true;
}

const bool kRegistered = register_all();

}  // namespace
}  // namespace heddle
