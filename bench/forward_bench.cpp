#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "coverability/forward_search.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/spec.hpp"
#include "transform/net_to_threads.hpp"

/// How many configurations a second the forward search of `cutoff` finds and looks at, and how many
/// bytes each of them takes, on the net mesh3x2 translated to threads. The net is not part of this
/// project: HEDDLE_MESH3X2 names the file (mesh3x2.spec of MIST's examples).

namespace heddle::coverability {
namespace {

model::NetTask read_task(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  auto file = frontend::petri::parse_spec({path, text.str()});
  if (!file) std::abort();
  return {std::move(file->model), {std::move(file->initial), std::move(file->targets)}};
}

void ConfigurationsPerSecond(benchmark::State& state) {
  const char* path = std::getenv("HEDDLE_MESH3X2");
  if (!path || !std::filesystem::exists(path)) {
    state.SkipWithError("HEDDLE_MESH3X2 does not name a file");
    return;
  }
  const auto translated = transform::net_to_threads(read_task(path));
  const auto family = thread_family(translated->translated);
  double configurations = 0, successors = 0, bytes = 0;
  for (auto _ : state) {
    ForwardSearch search(*family, {});
    base::RunContext context;
    while (search.states() < static_cast<std::uint64_t>(state.range(0)))
      search.next_level(context, {});
    configurations += static_cast<double>(search.states());
    successors += static_cast<double>(context.steps());
    bytes = static_cast<double>(search.bytes()) / static_cast<double>(search.states());
  }
  using benchmark::Counter;
  state.counters["stored"] = Counter(configurations, Counter::kIsRate);
  state.counters["generated"] = Counter(successors, Counter::kIsRate);
  state.counters["bytes"] = bytes;
}
BENCHMARK(ConfigurationsPerSecond)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::coverability
