#pragma once

/// Expressions whose names are resolved: what guards, values and constraints of a flow edge are.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/boolean_program/cube.hpp"

namespace heddle::model::boolean {

enum class AtomKind : std::uint8_t {
  Shared,      ///< a shared variable before the step
  Local,       ///< a local variable of the active thread before the step
  NextShared,  ///< after the step
  NextLocal,   ///< after the step
  Receiver,    ///< a local variable, before the step, of the thread that a passive value is for
  Choice       ///< a `*` of the edge; in a passive value, of the thread that it is for
};

struct Atom {
  AtomKind kind = AtomKind::Choice;
  std::uint32_t index = 0;
  friend auto operator<=>(const Atom&, const Atom&) = default;
};

struct Formula {
  enum class Kind : std::uint8_t { False, True, Atom, Not, And, Or, Equal, Conditional };
  Kind kind = Kind::True;
  boolean::Atom atom;             ///< of Kind::Atom
  std::vector<Formula> operands;  ///< one for Not, three for Conditional, two otherwise
  friend bool operator==(const Formula&, const Formula&) = default;
};

Formula constant(bool value);
Formula atom(AtomKind kind, std::uint32_t index);
Formula negation(Formula f);  ///< this and the next simplify constants and double negations
Formula conjunction(Formula a, Formula b);
Formula disjunction(Formula a, Formula b);
Formula equality(Formula a, Formula b);
Formula conditional(Formula c, Formula a, Formula b);

/// What is known of the atoms of an edge: cubes of values before and after, and of the choices.
struct Knowledge {
  Cube shared;
  Cube local;
  Cube next_shared;
  Cube next_local;
  Cube receiver;
  Cube choices;

  Cube& of(AtomKind kind);
  const Cube& of(AtomKind kind) const;
  std::optional<bool> operator[](const Atom& atom) const;
  void set(const Atom& atom, bool value) { of(atom.kind) = of(atom.kind).with(atom.index, value); }
};

/// Three-valued (Kleene): nothing if the formula's value is not determined by the parts that are.
std::optional<bool> evaluate(const Formula& f, const Knowledge& known);

/// The first atom of the formula that is not known, on a path that still matters; preferring atoms
/// that are no choices. Precondition: `evaluate` gives nothing.
Atom first_unknown(const Formula& f, const Knowledge& known);

/// The formula with every atom replaced.
Formula substitute(const Formula& f, const std::function<Formula(const Atom&)>& replacement);

/// Can the atoms that are not known be chosen so that the formula holds? Exponential in their
/// number in the worst case; branches are cut as soon as the formula is determined.
bool satisfiable(const Formula& f, Knowledge known);

/// Every atom of the formula, visited as often as it occurs.
void for_each_atom(const Formula& f, const std::function<void(const Atom&)>& visit);

}  // namespace heddle::model::boolean
