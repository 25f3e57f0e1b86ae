#pragma once

/// Which variable a name means, and what an expression means with it. Private to unfold.cpp.

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

 private:
  const BooleanProgram& program_;
  const Flow& flow_;
};

}  // namespace heddle::model::boolean
