#pragma once

/// Boolean programs as they are written (docs/formats/boolean-program.md): plain data, names
/// instead of numbers, positions for messages. What a program *means* is in semantics.hpp.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::model::boolean {

/// Where something stands in the file. Positions never count in comparisons of programs.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Position&, const Position&) { return true; }
};

/// What a Boolean variable and those declared behind it are together in the file that they come
/// from, if that has other types: an integer, an enumeration, an element of an array. It is there
/// for people only and, like positions, never counts in comparisons of programs.
struct Encoding {
  std::string name = {};                 ///< "x", "a[3]"; empty: the variable is one of the file
  std::uint32_t bits = 1;                ///< least significant first
  std::vector<std::string> values = {};  ///< names of the values 0, 1, …; beyond them, numbers
  friend bool operator==(const Encoding&, const Encoding&) { return true; }
};

/// How the file writes a statement, if that is not what `to_string` makes of it. For people only,
/// too.
struct Wording {
  std::vector<std::string> texts = {};  ///< of a Goto, one for each label; else at most one
  friend bool operator==(const Wording&, const Wording&) { return true; }
};

enum class Operator {
  False,
  True,
  Choice,    ///< `*`: either value, chosen anew at each occurrence
  Variable,  ///< its value before the step
  Next,      ///< `'x`, its value after the assignment; only in constraints
  Not,
  And,
  Or,
  Xor,
  Implies,
  Equal,
  Unequal,
  Conditional,  ///< a ? b : c
  Schoose       ///< `schoose[a,b]`: 1 if a, else 0 if b, else either
};

struct Expression {
  Operator op = Operator::False;
  std::string name;  ///< of Variable and Next
  std::vector<Expression> operands;
  Position at;
  friend bool operator==(const Expression&, const Expression&) = default;
};

enum class StatementKind {
  Skip,
  Goto,         ///< names: labels, one is taken
  Assign,       ///< names := expressions, in parallel, [constrain …] [constrain$ …]
  Call,         ///< [names :=] callee(expressions)
  Return,       ///< expressions
  If,           ///< expressions: one per branch; blocks: one per branch and one for else
  While,        ///< expressions[0], blocks[0]
  Assume,       ///< expressions[0]
  Assert,       ///< expressions[0]
  AbortIf,      ///< expressions[0]: the run ends (nothing goes wrong) if it holds
  Dead,         ///< names: variables whose values do not matter any more
  Constrain,    ///< expressions[0]: every variable may change as far as it allows
  AtomicBegin,  //
  AtomicEnd,    //
  Atomic,       ///< blocks[0]
  StartThread,  ///< names[0]: the label where the child starts; or callee(expressions)
  EndThread,    //
  Wait,         ///< names: a condition variable, or none for the one without a name
  Broadcast,    ///< likewise
  Signal,       ///< likewise
  Sync,         ///< names[0]; no effect
  Print         ///< expressions; no effect
};

/// Names of assigned variables may be `_` (the value is dropped) or `x$` (the local variable x of
/// every other thread that runs the same procedure). In a value for `x$` and in the constraint of
/// such values, `y$` is the variable y of the thread that receives the value, and `'y$` its value
/// after the assignment; each `*` is chosen by each of these threads for itself.
struct Statement {
  StatementKind kind = StatementKind::Skip;
  std::vector<std::string> labels;
  std::vector<std::string> names;
  std::string callee;
  std::vector<Expression> expressions;
  std::optional<Expression> constraint;
  std::optional<Expression> passive_constraint;  ///< `constrain$`, of values for other threads
  std::vector<std::vector<Statement>> blocks;
  Position at;
  Wording wording = {};
  friend bool operator==(const Statement&, const Statement&) = default;
};

/// A variable, with `0`, `1` or `*` as its first value; without one it starts with either.
struct Declaration {
  std::string name;
  std::optional<bool> initial;
  Position at;
  Encoding encoding = {};
  friend bool operator==(const Declaration&, const Declaration&) = default;
};

struct Procedure {
  std::string name;
  std::uint32_t results = 0;  ///< how many values it returns
  std::vector<Declaration> parameters;
  std::vector<Declaration> locals;
  std::optional<Expression> enforce;  ///< holds before each of its statements, or the run ends
  std::vector<Statement> body;
  Position at;
  friend bool operator==(const Procedure&, const Procedure&) = default;
};

/// A thread that reaches a statement with this label has failed, as with a failing assertion.
inline constexpr std::string_view kErrorLabel = "SLIC_ERROR";
/// A call with a label that starts like this runs in a thread of its own.
inline constexpr std::string_view kAsyncPrefix = "ASYNC_";

bool is_asynchronous(const Statement& call);

/// A statement, by the line and column in which it starts.
using StatementPlace = std::pair<std::uint32_t, std::uint32_t>;

inline StatementPlace place_of(const Position& at) { return {at.line, at.column}; }

/// Has a thread failed that reaches the statement?
bool is_failure(const Statement& statement, const std::vector<std::string>& failure_labels);

}  // namespace heddle::model::boolean

namespace heddle::model {

/// The property is built in: can a thread fail an assertion (or reach `SLIC_ERROR`)?
struct BooleanProgram {
  std::vector<boolean::Declaration> globals;
  std::vector<boolean::Procedure> procedures;
  /// Labels at which a thread has failed. If there are any, `SLIC_ERROR` is a label like others,
  /// and a thread whose assertion does not hold is stuck there. Sorted.
  std::vector<std::string> failure_labels = {};
  /// If there are any: a failure counts only if one of these statements was executed before, or it
  /// happens there; a run ends at its first failure, whether or not it counts. Sorted.
  std::vector<boolean::StatementPlace> through = {};
  friend bool operator==(const BooleanProgram&, const BooleanProgram&) = default;

  const boolean::Procedure* find(std::string_view procedure) const;  ///< null if there is none
};

}  // namespace heddle::model
