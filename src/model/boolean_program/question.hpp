#pragma once

/// What is asked about Boolean programs: the property is in the program, and its threads start in
/// main, unless the program lists them (listed_threads.hpp).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/integer.hpp"
#include "model/boolean_program/syntax.hpp"
#include "model/kind.hpp"

namespace heddle::model {

/// How many threads start in main: at least `least` and, where there is a bound, at most `most`.
/// One where the program lists its threads; it means nothing there.
struct ThreadsInMain {
  base::Integer least = 1;
  std::optional<base::Integer> most = std::nullopt;

  bool allows(const base::Integer& count) const {
    return count >= least && (!most || count <= *most);
  }
  friend bool operator==(const ThreadsInMain&, const ThreadsInMain&) = default;
};

/// A thread fails: an assertion, or at a label that is a failure.
struct Failure {
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// Can a thread fail in a run that starts with one of these numbers of threads?
struct ProgramQuestion {
  std::vector<ThreadsInMain> initial;
  std::vector<Failure> targets;  ///< at most one
  /// At most so many contexts per thread, at least 1 (see PushdownQuestion).
  std::optional<std::uint32_t> contexts = std::nullopt;
  /// The program's `failure_labels`.
  std::vector<std::string> labels = {};
  friend bool operator==(const ProgramQuestion&, const ProgramQuestion&) = default;
};

template <>
struct Kind<BooleanProgram> {
  using Question = ProgramQuestion;
  using Initial = ThreadsInMain;
  using Target = Failure;
  static constexpr std::string_view kName = "Boolean program";
};

/// The exact number of threads that start in main, where the question fixes one.
std::optional<base::Integer> exact_threads(const ProgramQuestion& question);

/// `1 thread in main`, `any number of threads in main`
std::string initial_to_string(const BooleanProgram& program, const ThreadsInMain& threads);
/// `an assertion fails`
std::string target_to_string(const BooleanProgram& program, const Failure& failure);

}  // namespace heddle::model
