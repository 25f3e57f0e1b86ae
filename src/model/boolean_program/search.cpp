/// Naive searches over the step function, as oracles for tests.

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "model/boolean_program/listed_threads.hpp"
#include "model/boolean_program/semantics.hpp"

namespace heddle::model::boolean {

namespace {

class Search {
 public:
  Search(const Semantics& semantics, const SearchLimits& limits, bool threads_are_alike)
      : semantics_(semantics), limits_(limits), threads_are_alike_(threads_are_alike) {}

  void begin(std::size_t threads) {
    for (const ProgramState& state : semantics_.initial_states(threads)) meet(state);
  }

  /// Closes the states found under steps of this thread, or of all.
  void close(std::optional<std::uint32_t> thread) {
    for (std::size_t i = 0; i < found_.size() && !result_.fails; ++i) {
      const ProgramState state = found_[i];
      if (is_too_large(state)) {
        result_.exact = false;
        continue;
      }
      for (std::uint32_t t = 0; t < state.threads.size(); ++t)
        if (!thread || t == *thread)
          for (const ProgramState& after : semantics_.successors(state, t)) meet(after);
    }
  }

  const SearchResult& result() const { return result_; }
  std::size_t threads() const { return found_.empty() ? 0 : found_.front().threads.size(); }

 private:
  bool is_too_large(const ProgramState& state) const {
    return found_.size() > limits_.max_states || state.threads.size() > limits_.max_threads ||
           std::ranges::any_of(state.threads, [&](const Thread& thread) {
             return thread.stack.size() > limits_.max_depth;
           });
  }

  void meet(ProgramState state) {
    if (threads_are_alike_) std::ranges::sort(state.threads);
    if (!seen_.insert(state).second) return;
    result_.fails = result_.fails || semantics_.has_failed(state);
    found_.push_back(std::move(state));
  }

  const Semantics& semantics_;
  const SearchLimits& limits_;
  bool threads_are_alike_;
  std::vector<ProgramState> found_;
  std::set<ProgramState> seen_;
  SearchResult result_;
};

}  // namespace

SearchResult search(const Semantics& semantics, std::size_t threads, const SearchLimits& limits) {
  Search run(semantics, limits, !lists_threads(semantics.program()));
  run.begin(threads);
  run.close(std::nullopt);
  return run.result();
}

SearchResult search_rounds(const Semantics& semantics, std::size_t threads, std::size_t rounds,
                           const SearchLimits& limits) {
  Search run(semantics, limits, false);
  run.begin(threads);
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::uint32_t thread = 0; thread < run.threads(); ++thread) run.close(thread);
  return run.result();
}

}  // namespace heddle::model::boolean
