#pragma once

/// What the encodings share: guards and values of steps, with the names of a thread's locals
/// marked.

#include <string>
#include <vector>

#include "engine/compositional/encoding.hpp"
#include "term/substitute.hpp"

namespace heddle::engine::compositional {

/// Bodies and heads of clauses for one prepared program.
class Clauses {
 public:
  explicit Clauses(const Prepared& prepared);

 protected:
  using ThreadIndex = model::threads::ThreadIndex;
  using Point = model::threads::Point;
  using VariableId = model::threads::VariableId;

  static term::Term number(long value) { return term::constant(base::Integer(value)); }
  static term::Term marked(const term::Term& variable, const std::string& mark) {
    return term::variable(variable.name() + mark, variable.sort());
  }

  const model::threads::Variable& variable(VariableId v) const { return program_.variable(v); }
  const model::threads::Thread& thread(ThreadIndex t) const { return program_.thread(t); }

  /// Names for the locals and inputs of a thread.
  term::Substitution names(ThreadIndex t, const std::vector<model::threads::Input>& inputs,
                           const std::string& mark) const;
  term::Term ranges_of_globals() const;
  term::Term ranges_of_locals(ThreadIndex t, Point p, const std::string& mark) const;
  term::Term facts(ThreadIndex t, Point p, const std::string& mark) const;
  /// The guard of a step with the ranges of its inputs.
  term::Term enabled(const transform::blocks::BlockStep& step, const std::string& mark) const;
  /// The value of a variable after a step.
  term::Term after(const transform::blocks::BlockStep& step, VariableId v,
                   const std::string& mark) const;

  const Prepared& prepared_;
  const model::threads::ThreadProgram& program_;
  const transform::blocks::BlockProgram& blocks_;
  bool needs_busy_ = false;  ///< a thread may stand at a cut inside a block
};

}  // namespace heddle::engine::compositional
