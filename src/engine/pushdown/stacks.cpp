/// The engine `stacks`: a recursive Boolean program with fixed threads becomes a pushdown system,
/// value by value (transform/program_to_pushdown.cpp), which is searched by contexts
/// (context_search.cpp, visible_states.cpp); the answer is translated back. This is the one engine
/// that can prove such a program safe for any number of contexts when its stacks have no bound. It
/// counts valuations one by one, so programs with many variables are too wide for it; whether one
/// is shows after a moment, when the rules are too many.

#include "engine/pushdown/pushdown.hpp"
#include "engine/search_verdict.hpp"
#include "transform/fixed_threads.hpp"
#include "transform/program_to_pushdown.hpp"

namespace heddle::engine::pushdown {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;

/// Systems with more rules take longer than others wait for an answer.
constexpr std::size_t kMostRulesSearched = 300'000;

Acceptance accepts_recursive_program(const model::ProgramTask& task) {
  const auto threads = transform::fixed_threads(task);
  if (!threads) return {threads.error()};
  if (threads->starts.size() == 1) return {"the program has one thread: use engine sequential"};
  if (!transform::is_recursive(threads->flow))
    return {"no procedure is recursive: use engine context-joint"};
  return {};
}

void report_size(const transform::ProgramAsPushdown& translation, base::RunContext& context) {
  std::size_t symbols = 0;
  for (const auto& thread : translation.symbols) symbols += thread.size();
  const auto set = [&](std::string_view name, std::size_t value) {
    context.statistics().set(name, static_cast<double>(value));
  };
  set("pushdown rules", translation.origins.size());
  set("pushdown shared states", translation.shared.size());
  set("pushdown symbols", symbols);
}

struct StacksOptions {
  bool use_invariants = true;
};

Verdict run_on_program(const model::ProgramTask& task, const StacksOptions& options,
                       base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the translation began"};
  std::optional<base::StopReason> stop;
  const auto translation = transform::program_to_pushdown(task, kMostRulesSearched, [&] {
    stop = context.step();
    return stop.has_value();
  });
  if (!translation)
    return Unknown{stop ? unknown_reason(*stop) : UnknownReason::Unsupported, translation.error()};
  report_size(*translation, context);
  // Shared states are not listed: their numbers are the translation's.
  return translate_back(*translation, search_by_contexts(translation->translated,
                                                         {options.use_invariants, false}, context));
}

}  // namespace

EngineRow stacks_row() {
  return row_for(
      {.name = "stacks",
       .summary = "stack automata of recursive threads, value by value; SAFE where they close",
       .models = "recursive Boolean programs with a fixed number of threads",
       .proves = true,
       .refutes = true,
       .complete = false,
       .counts_contexts = true,
       .evidence = {"trace", "program_stacks"},
       .options = {invariants_option(&StacksOptions::use_invariants)}},
      accepts_recursive_program, run_on_program, {"only Boolean programs are supported"});
}

}  // namespace heddle::engine::pushdown
