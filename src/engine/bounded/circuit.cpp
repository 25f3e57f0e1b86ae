#include "engine/bounded/circuit.hpp"

#include <algorithm>
#include <utility>

namespace heddle::engine::bounded {

std::size_t Circuit::place_of(const Gate& gate) const {
  std::uint64_t hash = static_cast<std::uint64_t>(gate.kind);
  for (const Wire input : gate.inputs) hash = (hash ^ input.code) * 0x9e37'79b9'7f4a'7c15 + 1;
  std::size_t place = (hash ^ (hash >> 29)) & (table_.size() - 1);
  while (table_[place] != 0 && gates_[table_[place]] != gate)
    place = (place + 1) & (table_.size() - 1);
  return place;
}

Wire Circuit::input() {
  gates_.emplace_back();
  return {static_cast<std::uint32_t>(2 * (gates_.size() - 1))};
}

Wire Circuit::made(const Gate& gate) {
  std::size_t place = place_of(gate);
  if (table_[place] == 0) {
    gates_.push_back(gate);
    table_[place] = static_cast<std::uint32_t>(gates_.size() - 1);
    if (2 * gates_.size() > table_.size()) {
      table_.assign(2 * table_.size(), 0);
      for (std::uint32_t i = 1; i < gates_.size(); ++i)
        if (gates_[i].kind != Kind::Input) table_[place_of(gates_[i])] = i;
      return {2 * static_cast<std::uint32_t>(gates_.size() - 1)};
    }
  }
  return {2 * table_[place]};
}

bool Circuit::implies_directly(Wire a, Wire b) const {
  const Gate& gate = gates_[a.gate()];
  return !a.is_negated() && gate.kind == Kind::And && (gate.inputs[0] == b || gate.inputs[1] == b);
}

Wire Circuit::conjunction(Wire a, Wire b) {
  if (a.code > b.code) std::swap(a, b);
  if (a == kFalse || a == !b) return kFalse;
  if (a == kTrue || a == b) return b;
  if (implies_directly(a, b)) return a;
  if (implies_directly(b, a)) return b;
  if (implies_directly(a, !b) || implies_directly(b, !a)) return kFalse;
  // (g and c) or (g and not c) is g: the paths of a branch meet again.
  const Gate& first = gates_[a.gate()];
  const Gate& second = gates_[b.gate()];
  if (a.is_negated() && b.is_negated() && first.kind == Kind::And && second.kind == Kind::And) {
    for (const unsigned i : {0u, 1u})
      for (const unsigned j : {0u, 1u})
        if (first.inputs[i] == second.inputs[j] && first.inputs[1 - i] == !second.inputs[1 - j])
          return !first.inputs[i];
  }
  return made({Kind::And, {a, b, kFalse}});
}

Wire Circuit::exclusive(Wire a, Wire b) {
  const bool flips = a.is_negated() != b.is_negated();
  a.code &= ~1u;
  b.code &= ~1u;
  if (a.code > b.code) std::swap(a, b);
  const Wire result = a == b ? kFalse : a == kFalse ? b : made({Kind::Xor, {a, b, kFalse}});
  return flips ? !result : result;
}

Wire Circuit::choice(Wire condition, Wire then, Wire otherwise) {
  if (condition.is_constant()) return condition == kTrue ? then : otherwise;
  if (condition.is_negated()) {
    condition = !condition;
    std::swap(then, otherwise);
  }
  if (then == otherwise) return then;
  if (then == !otherwise) return !exclusive(condition, then);
  if (then == condition || then == kTrue) return disjunction(condition, otherwise);
  if (then == !condition || then == kFalse) return conjunction(!condition, otherwise);
  if (otherwise == condition || otherwise == kFalse) return conjunction(condition, then);
  if (otherwise == !condition || otherwise == kTrue) return disjunction(!condition, then);
  const bool flips = then.is_negated();
  if (flips) {
    then = !then;
    otherwise = !otherwise;
  }
  const Wire result = made({Kind::Choice, {condition, then, otherwise}});
  return flips ? !result : result;
}

// ---- Clauses

void Clauses::add(std::initializer_list<solver::Literal> clause) {
  ++clauses_;
  solver_.add_clause(std::span(clause.begin(), clause.size()));
}

solver::Literal Clauses::known(Wire wire) const {
  const solver::Literal literal = literals_[wire.gate()];
  return wire.is_negated() ? -literal : literal;
}

void Clauses::define(std::uint32_t number) {
  const solver::Literal out = solver_.new_variable();
  literals_[number] = out;
  if (number == 0) return add({-out});
  const Circuit::Gate& gate = circuit_.gate(number);
  if (gate.kind == Circuit::Kind::Input) return;
  const solver::Literal a = known(gate.inputs[0]);
  const solver::Literal b = known(gate.inputs[1]);
  if (gate.kind == Circuit::Kind::And) {
    add({-out, a});
    add({-out, b});
    return add({out, -a, -b});
  }
  if (gate.kind == Circuit::Kind::Xor) {
    add({-out, a, b});
    add({-out, -a, -b});
    add({out, -a, b});
    return add({out, a, -b});
  }
  const solver::Literal c = known(gate.inputs[2]);
  add({-a, -b, out});
  add({-a, b, -out});
  add({a, -c, out});
  add({a, c, -out});
  add({-b, -c, out});
  add({b, c, -out});
}

solver::Literal Clauses::literal(Wire wire) {
  if (literals_.size() < circuit_.size()) literals_.resize(circuit_.size(), 0);
  std::vector<std::uint32_t> open = {wire.gate()};
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    if (literals_[number] != 0) {
      open.pop_back();
      continue;
    }
    const std::size_t before = open.size();
    const Circuit::Gate& gate = circuit_.gate(number);
    if (number != 0 && gate.kind != Circuit::Kind::Input) {
      for (const Wire input : gate.inputs)
        if (literals_[input.gate()] == 0) open.push_back(input.gate());
    }
    if (open.size() != before) continue;
    define(number);
    open.pop_back();
  }
  return known(wire);
}

void Clauses::require(std::span<const Wire> clause) {
  std::vector<solver::Literal> literals;
  for (const Wire wire : clause) {
    if (wire == kTrue) return;
    if (wire != kFalse) literals.push_back(literal(wire));
  }
  ++clauses_;
  solver_.add_clause(literals);
}

bool Clauses::value(Wire wire) {
  if (wire.gate() == 0) return wire.is_negated();
  bool value = false;
  if (wire.gate() < literals_.size() && literals_[wire.gate()] != 0) {
    value = solver_.value(literals_[wire.gate()]);
  } else if (const auto found = evaluated_.find(wire.gate()); found != evaluated_.end()) {
    value = found->second;
  } else {
    const Circuit::Gate& gate = circuit_.gate(wire.gate());
    const auto& [a, b, c] = gate.inputs;
    if (gate.kind == Circuit::Kind::And) value = this->value(a) && this->value(b);
    if (gate.kind == Circuit::Kind::Xor) value = this->value(a) != this->value(b);
    if (gate.kind == Circuit::Kind::Choice)
      value = this->value(a) ? this->value(b) : this->value(c);
    evaluated_.emplace(wire.gate(), value);
  }
  return value != wire.is_negated();
}

}  // namespace heddle::engine::bounded
