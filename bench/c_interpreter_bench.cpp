/// Steps of C programs: single instructions of the interpreter, and states of the exploration.

#include <benchmark/benchmark.h>

#include "engine/explore/explore.hpp"
#include "model/c/interpreter.hpp"
#include "support/c_program_builder.hpp"

namespace {

using namespace heddle::testing::c;

/// for (;;) { x = x + 1; y = x ^ y; } over two globals: loads, stores, arithmetic, a branch.
Built loop() {
  Built built;
  built.add_global("x", 4);
  built.add_global("y", 4);
  built.add_function(
      "main",
      {load(0, global(0)), binary(1, Operator::Add, reg(0), num(1)), store(global(0), reg(1)),
       load(2, global(1)), binary(3, Operator::Xor, reg(1), reg(2)), store(global(1), reg(3)),
       binary(4, Operator::ULt, reg(3), num(0)), branch(reg(4), 8, 0), finish()});
  return built;
}

void BM_InterpreterSteps(benchmark::State& bench) {
  const Built built = loop();
  const Interpreter interpreter(built.program);
  State state = interpreter.initial();
  for (auto _ : bench) benchmark::DoNotOptimize(interpreter.step(state, ThreadId(0u)).outcome);
  bench.SetItemsProcessed(static_cast<std::int64_t>(bench.iterations()));
}
BENCHMARK(BM_InterpreterSteps);

/// Three threads that add to shared counters: all their interleavings.
Built threads() {
  Built built;
  for (const char* name : {"a", "b", "c"}) built.add_global(name, 4);
  std::vector<Effect> entry;
  for (int i = 0; i < 3; ++i) {
    entry.push_back(sync(SyncOperation::CreateThread, {num(0), function(1), num(0)}));
  }
  entry.push_back(sync(SyncOperation::ExitThread, {num(0)}));
  built.add_function("main", std::move(entry));
  std::vector<Effect> code;
  for (std::uint32_t i = 0; i < 6; ++i) {
    code.push_back(load(1, global(i % 3)));
    code.push_back(binary(2, Operator::Add, reg(1), num(1)));
    code.push_back(store(global(i % 3), reg(2)));
  }
  code.push_back(ret());
  built.add_function("work", std::move(code), 1);
  return built;
}

void BM_Explore(benchmark::State& bench) {
  const Built built = threads();
  std::uint64_t states = 0;
  std::uint64_t instructions = 0;
  for (auto _ : bench) {
    heddle::base::RunContext context;
    const auto result =
        heddle::engine::explore::explore(built.program, Property::Reach, {}, context);
    states += result.states;
    instructions += result.instructions;
  }
  bench.counters["states"] =
      benchmark::Counter(static_cast<double>(states), benchmark::Counter::kIsRate);
  bench.counters["instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Explore)->Unit(benchmark::kMillisecond);

}  // namespace
