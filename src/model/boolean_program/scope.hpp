#pragma once

/// Which variable a name means, and what expressions and assignments mean with it. Private to
/// unfold.cpp.

#include <cstddef>
#include <string>

#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::model::boolean {

/// Why a program has no flow graph. Leaves unfold.cpp as a value.
struct Refusal {
  std::string why;
};

/// Throws a Refusal if there are more than kMostVariables.
void check_count(std::size_t count, const std::string& what);

/// Reads the frames of a flow graph that is being made; both must outlive it.
class Scope {
 public:
  Scope(const BooleanProgram& program, const Flow& flow) : program_(program), flow_(flow) {}

  bool declares(const std::string& name, std::uint32_t frame) const;
  /// A variable of the frame's procedure, or else a shared one. Precondition: it is declared.
  Atom variable(const std::string& name, std::uint32_t frame) const;
  /// The expression's choices become choices of the edge.
  Formula lower(const Expression& expression, std::uint32_t frame, FlowEdge& edge) const;
  /// One more choice of the edge.
  static Formula choice(FlowEdge& edge);
  static void assign(FlowEdge& edge, const Atom& variable, Formula value);

  void lower_assignment(const Statement& s, std::uint32_t frame, FlowEdge& edge) const;
  void lower_constraint(const Statement& s, std::uint32_t frame, FlowEdge& edge) const;
  /// First values of a procedure's variables: arguments, declared values, or any. The callee's
  /// parameters without an argument may have any.
  std::vector<Assignment> entry_values(std::uint32_t callee_frame,
                                       const std::vector<Expression>& arguments,
                                       std::uint32_t frame, FlowEdge& edge) const;
  std::uint32_t end_of_locals(std::uint32_t frame) const;

 private:
  void lower_passive(const Statement& s, std::uint32_t frame, FlowEdge& edge) const;

  const BooleanProgram& program_;
  const Flow& flow_;
};

}  // namespace heddle::model::boolean
