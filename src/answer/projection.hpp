#pragma once

/// The error projection: which statements of a Boolean program, or rules of a pushdown system, lie
/// on an error trace.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::answer {

enum class OnErrorTrace { Yes, No, Undecided };

/// A thread takes its step on the way to a failure, or fails in it. (Of `return`: a thread gets to
/// it.)
struct ProjectedStatement {
  model::boolean::Position at;
  OnErrorTrace on_error_trace = OnErrorTrace::Undecided;
};

struct Projection {
  std::string what = "statement";              ///< or "rule"; a rule is a line
  std::vector<ProjectedStatement> statements;  ///< in the order of the text
  std::size_t questions = 0;                   ///< asked beyond the one about the program itself
  std::optional<Bound> bound;                  ///< error traces beyond it do not count
  std::string why_undecided;                   ///< empty if all is decided

  std::size_t count(OnErrorTrace which) const;
};

}  // namespace heddle::answer
