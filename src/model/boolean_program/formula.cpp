#include "model/boolean_program/formula.hpp"

#include <utility>

#include "base/invariant.hpp"

namespace heddle::model::boolean {

namespace {

using Kind = Formula::Kind;

bool is(const Formula& f, bool value) { return f.kind == (value ? Kind::True : Kind::False); }

Formula node(Kind kind, std::vector<Formula> operands) { return {kind, {}, std::move(operands)}; }

template <class... Formulas>
Formula make(Kind kind, Formulas&&... operands) {
  std::vector<Formula> list;
  list.reserve(sizeof...(operands));
  (list.push_back(std::forward<Formulas>(operands)), ...);
  return node(kind, std::move(list));
}

/// And, with `absorbing` = false; Or, with true.
std::optional<bool> evaluate_junction(const Formula& f, const Knowledge& known, bool absorbing) {
  const auto a = evaluate(f.operands[0], known);
  if (a == absorbing) return absorbing;
  const auto b = evaluate(f.operands[1], known);
  if (b == absorbing) return absorbing;
  return a && b ? std::optional(!absorbing) : std::nullopt;
}

std::optional<bool> evaluate_conditional(const Formula& f, const Knowledge& known) {
  const auto condition = evaluate(f.operands[0], known);
  if (condition) return evaluate(f.operands[*condition ? 1 : 2], known);
  const auto a = evaluate(f.operands[1], known);
  const auto b = evaluate(f.operands[2], known);
  return a == b ? a : std::nullopt;
}

/// Looks for an unknown atom; one that is no choice ends the search.
void find_unknown(const Formula& f, const Knowledge& known, std::optional<Atom>& found) {
  if (found && found->kind != AtomKind::Choice) return;
  if (f.kind == Kind::Atom) {
    if (!known[f.atom] && (!found || f.atom.kind != AtomKind::Choice)) found = f.atom;
    return;
  }
  for (const Formula& operand : f.operands)
    if (!evaluate(operand, known)) find_unknown(operand, known, found);
}

}  // namespace

Formula constant(bool value) { return node(value ? Kind::True : Kind::False, {}); }

Formula atom(AtomKind kind, std::uint32_t index) { return {Kind::Atom, {kind, index}, {}}; }

Formula negation(Formula f) {
  if (is(f, true)) return constant(false);
  if (is(f, false)) return constant(true);
  if (f.kind == Kind::Not) {
    Formula inner = std::move(f.operands[0]);
    return inner;
  }
  return make(Kind::Not, std::move(f));
}

Formula conjunction(Formula a, Formula b) {
  if (is(a, false) || is(b, true)) return a;
  if (is(b, false) || is(a, true)) return b;
  return make(Kind::And, std::move(a), std::move(b));
}

Formula disjunction(Formula a, Formula b) {
  if (is(a, true) || is(b, false)) return a;
  if (is(b, true) || is(a, false)) return b;
  return make(Kind::Or, std::move(a), std::move(b));
}

Formula equality(Formula a, Formula b) {
  if (is(a, true)) return b;
  if (is(b, true)) return a;
  if (is(a, false)) return negation(std::move(b));
  if (is(b, false)) return negation(std::move(a));
  return make(Kind::Equal, std::move(a), std::move(b));
}

Formula conditional(Formula c, Formula a, Formula b) {
  if (is(c, true)) return a;
  if (is(c, false)) return b;
  return make(Kind::Conditional, std::move(c), std::move(a), std::move(b));
}

Cube& Knowledge::of(AtomKind kind) { return const_cast<Cube&>(std::as_const(*this).of(kind)); }

const Cube& Knowledge::of(AtomKind kind) const {
  switch (kind) {
    case AtomKind::Shared: return shared;
    case AtomKind::Local: return local;
    case AtomKind::NextShared: return next_shared;
    case AtomKind::NextLocal: return next_local;
    case AtomKind::Receiver: return receiver;
    case AtomKind::Choice: break;
  }
  return choices;
}

std::optional<bool> Knowledge::operator[](const Atom& which) const {
  return of(which.kind)[which.index];
}

std::optional<bool> evaluate(const Formula& f, const Knowledge& known) {
  switch (f.kind) {
    case Kind::False: return false;
    case Kind::True: return true;
    case Kind::Atom: return known[f.atom];
    case Kind::Not: {
      const auto inner = evaluate(f.operands[0], known);
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Kind::And: return evaluate_junction(f, known, false);
    case Kind::Or: return evaluate_junction(f, known, true);
    case Kind::Equal: {
      const auto a = evaluate(f.operands[0], known);
      if (!a) return std::nullopt;
      const auto b = evaluate(f.operands[1], known);
      return b ? std::optional(*a == *b) : std::nullopt;
    }
    case Kind::Conditional: return evaluate_conditional(f, known);
  }
  return std::nullopt;
}

Atom first_unknown(const Formula& f, const Knowledge& known) {
  std::optional<Atom> found;
  find_unknown(f, known, found);
  HEDDLE_INVARIANT(found.has_value(), "an undetermined formula should have an unknown atom");
  return *found;
}

Formula substitute(const Formula& f, const std::function<Formula(const Atom&)>& replacement) {
  switch (f.kind) {
    case Kind::False:
    case Kind::True: return f;
    case Kind::Atom: return replacement(f.atom);
    default: break;
  }
  std::vector<Formula> operands;
  for (const Formula& operand : f.operands) operands.push_back(substitute(operand, replacement));
  switch (f.kind) {
    case Kind::Not: return negation(std::move(operands[0]));
    case Kind::And: return conjunction(std::move(operands[0]), std::move(operands[1]));
    case Kind::Or: return disjunction(std::move(operands[0]), std::move(operands[1]));
    case Kind::Equal: return equality(std::move(operands[0]), std::move(operands[1]));
    default:
      return conditional(std::move(operands[0]), std::move(operands[1]), std::move(operands[2]));
  }
}

bool satisfiable(const Formula& f, Knowledge known) {
  const auto value = evaluate(f, known);
  if (value) return *value;
  const Atom atom = first_unknown(f, known);
  for (const bool guess : {true, false}) {
    known.set(atom, guess);
    if (satisfiable(f, known)) return true;
  }
  return false;
}

void for_each_atom(const Formula& f, const std::function<void(const Atom&)>& visit) {
  if (f.kind == Kind::Atom) visit(f.atom);
  for (const Formula& operand : f.operands) for_each_atom(operand, visit);
}

}  // namespace heddle::model::boolean
