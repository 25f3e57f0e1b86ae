#pragma once

/// Formulas over integers of any size and Booleans, without a solver: built here, printed as
/// SMT-LIB (print.hpp), evaluated (evaluate.hpp), handed to solvers by the adapters in src/solver.
///
/// A term is immutable and cheap to copy; terms share what they are built from. Who builds large
/// formulas names intermediate results by variables, so that nothing depends on how much is shared.

#include <memory>
#include <string>
#include <vector>

#include "base/integer.hpp"

namespace heddle::term {

enum class Sort { Boolean, Integer };

enum class Operator {
  Boolean,   ///< a constant
  Integer,   ///< a constant
  Variable,  ///< of either sort
  Not,
  And,  ///< of any number of terms, none: true
  Or,   ///< of any number of terms, none: false
  Implies,
  Equal,      ///< of two terms of one sort
  AtMost,     ///< a ≤ b
  Sum,        ///< of any number of terms, none: 0
  Product,    ///< a constant times a term
  Choice,     ///< if a then b else c; b and c of one sort
  Quotient,   ///< a divided by a positive constant, rounded down
  Remainder,  ///< a minus the constant times that quotient: never negative
};

class Term {
 public:
  Operator op() const { return node_->op; }
  Sort sort() const { return node_->sort; }
  const std::vector<Term>& arguments() const { return node_->arguments; }
  const std::string& name() const { return node_->name; }          ///< of a variable
  const base::Integer& integer() const { return node_->integer; }  ///< of an integer constant
  bool boolean() const { return node_->integer != 0; }             ///< of a Boolean constant

  /// The same for copies of one term: a key for memory of what was made of it.
  const void* identity() const { return node_.get(); }

 private:
  struct Node {
    Operator op;
    Sort sort;
    std::vector<Term> arguments;
    std::string name;
    base::Integer integer;
  };
  explicit Term(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

  friend Term constant(bool value);
  friend Term constant(const base::Integer& value);
  friend Term variable(std::string name, Sort sort);
  friend Term apply(Operator op, Sort sort, std::vector<Term> arguments);

  std::shared_ptr<const Node> node_;
};

Term constant(bool value);
Term constant(const base::Integer& value);
/// Variables are the same if name and sort are. A name is a simple SMT-LIB symbol.
Term variable(std::string name, Sort sort);

// Building checks the sorts of the arguments (an invariant of ours: no input gets here unchecked)
// and folds constants where it is free to do so.
Term negation(const Term& a);
Term conjunction(std::vector<Term> terms);
Term disjunction(std::vector<Term> terms);
Term implication(const Term& a, const Term& b);
Term equal(const Term& a, const Term& b);
Term at_most(const Term& a, const Term& b);
Term at_least(const Term& a, const Term& b);
Term sum(std::vector<Term> terms);
Term product(const base::Integer& factor, const Term& a);
Term choice(const Term& condition, const Term& then, const Term& otherwise);
Term maximum(const Term& a, const Term& b);
/// Precondition: the divisor is positive.
Term quotient(const Term& a, const base::Integer& divisor);
Term remainder(const Term& a, const base::Integer& divisor);

}  // namespace heddle::term
