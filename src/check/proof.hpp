#pragma once

/// The skeleton of every checker of evidence that is closed under steps: a set of configurations, a
/// basis, an invariant. Evidence may come from a file, so nothing is believed of it. A checker is a
/// class with five steps:
///
///   well_formed          every number is that of something that exists, and nothing is listed
///                        twice where that would leave open what is meant
///   keeps_to_its_scope   each set speaks only about what its kind may speak about
///   contains_beginning   the initial states are inside (of a basis: outside)
///   is_closed            no step leads out (of a basis: in), by steps that the checker derives
///                        itself from the model
///   excludes_end         the targets are outside (of a basis: inside)
///
/// and with `confirmation`, which says what has been proved. A step gives back the problem that it
/// found, or nothing. One that a checker does not need has the return type NotNeeded and an
/// argument why; to leave it out does not compile. Each step may count on those before it, and on
/// nothing else: `well_formed` is the place to derive what the others use.

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "answer/report.hpp"
#include "base/run_context.hpp"

namespace heddle::check {

/// Why a claim is refuted or not checked, or nothing.
using Problem = std::optional<answer::CheckResult>;

inline Problem refuted(std::string why) {
  return answer::CheckResult{answer::EvidenceStatus::Refuted, std::move(why)};
}

inline Problem not_checked(std::string_view why) {
  return answer::CheckResult{answer::EvidenceStatus::NotChecked, std::string(why)};
}

/// Counts a step of the check; a problem if the context says that it must end.
inline Problem count_step(base::RunContext& context) {
  const auto reason = context.step();
  return reason ? not_checked(base::to_string(*reason)) : std::nullopt;
}

/// Thrown out of rules, which are many and nested; `prove` catches it.
struct Broken {
  answer::CheckResult result;
};
[[noreturn]] inline void refute(std::string why) { throw Broken{*refuted(std::move(why))}; }

/// A step that a checker does not need, and why not. The argument is a literal that is not empty.
class NotNeeded {
 public:
  consteval NotNeeded(const char* why) : why_(why) {
    if (why_.empty()) throw "say why the step is not needed";
  }
  std::string_view why() const { return why_; }

 private:
  std::string_view why_;
};

template <class Result>
concept ProofStep = std::same_as<Result, Problem> || std::same_as<Result, NotNeeded>;

template <class Type>
concept Checker = requires(Type& checker) {
  { checker.well_formed() } -> ProofStep;
  { checker.keeps_to_its_scope() } -> ProofStep;
  { checker.contains_beginning() } -> ProofStep;
  { checker.is_closed() } -> ProofStep;
  { checker.excludes_end() } -> ProofStep;
  { checker.confirmation() } -> std::same_as<std::string>;
};

namespace detail {

inline const Problem& problem_of(const Problem& found) { return found; }
inline Problem problem_of(const NotNeeded&) { return std::nullopt; }

}  // namespace detail

/// Takes the five steps in order, up to the first problem.
template <Checker Type>
answer::CheckResult prove(Type&& checker) {
  try {
    if (const Problem found = detail::problem_of(checker.well_formed())) return *found;
    if (const Problem found = detail::problem_of(checker.keeps_to_its_scope())) return *found;
    if (const Problem found = detail::problem_of(checker.contains_beginning())) return *found;
    if (const Problem found = detail::problem_of(checker.is_closed())) return *found;
    if (const Problem found = detail::problem_of(checker.excludes_end())) return *found;
    return {answer::EvidenceStatus::Confirmed, checker.confirmation()};
  } catch (const Broken& broken) {
    return broken.result;
  }
}

}  // namespace heddle::check
