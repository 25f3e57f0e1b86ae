#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "answer/trace.hpp"
#include "model/thread_system.hpp"

namespace heddle::check {

/// More initial threads than this are refused if the trace names threads.
constexpr std::size_t kMostIdentities = 1000000;

/// Follows the threads of a trace one by one, to see that its names are right. Called beside
/// `model::step`, which decides whether a step is possible at all: here only the names count.
///
/// Names may end, at a step without them or at a repeated block, but must not come back: nobody
/// could know then who is where. Cost: linear in the number of threads for a step that moves
/// passive threads, logarithmic or less for any other.
class ThreadIdentities {
 public:
  static std::expected<ThreadIdentities, std::string> start(const model::ThreadSystem& system,
                                                            const model::Configuration& initial);

  /// Takes a step that `model::step` allows. Nothing if its names are right, else what is wrong.
  std::optional<std::string> follow(const answer::TraceStep& step);

  /// From here on there are no names.
  void forget() { known_ = false; }

 private:
  using Choices = std::map<answer::ThreadId, model::LocalState>;

  explicit ThreadIdentities(const model::ThreadSystem& system) : system_(&system) {}
  std::optional<std::string> wrong_actor(const model::ThreadTransition& t,
                                         const answer::TraceStep& step) const;
  std::optional<std::string> move_passive(const model::ThreadTransition& t,
                                          const answer::TraceStep& step);

  const model::ThreadSystem* system_;
  std::vector<model::LocalState> locals_;  ///< by thread
  bool known_ = true;
};

}  // namespace heddle::check
