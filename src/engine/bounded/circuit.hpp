#pragma once

/// Boolean circuits: gates with two or three inputs, each built once, with constants folded away.
/// What is built costs memory only; a solver gets to know the gates that it is asked about.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "solver/sat.hpp"

namespace heddle::engine::bounded {

/// The output of a gate or its negation.
struct Wire {
  std::uint32_t code = 0;  ///< twice the gate's number, plus 1 if negated; gate 0 is the constant
  constexpr std::uint32_t gate() const { return code >> 1; }
  constexpr bool is_negated() const { return (code & 1) != 0; }
  constexpr bool is_constant() const { return code < 2; }
  friend constexpr Wire operator!(Wire a) { return {a.code ^ 1}; }
  friend constexpr bool operator==(Wire, Wire) = default;
};

constexpr Wire kFalse{0};
constexpr Wire kTrue{1};
constexpr Wire constant(bool value) { return value ? kTrue : kFalse; }

class Circuit {
 public:
  enum class Kind : std::uint8_t { Input, And, Xor, Choice };
  struct Gate {
    Kind kind = Kind::Input;
    std::array<Wire, 3> inputs{};
    friend bool operator==(const Gate&, const Gate&) = default;
  };

  Circuit() { gates_.emplace_back(); }

  Wire input();
  Wire conjunction(Wire a, Wire b);
  Wire disjunction(Wire a, Wire b) { return !conjunction(!a, !b); }
  Wire exclusive(Wire a, Wire b);
  Wire equal(Wire a, Wire b) { return !exclusive(a, b); }
  Wire choice(Wire condition, Wire then, Wire otherwise);
  /// A gate that is neither an input nor the constant.
  const Gate& gate(std::uint32_t number) const { return gates_[number]; }
  std::size_t size() const { return gates_.size(); }

 private:
  Wire made(const Gate& gate);
  std::size_t place_of(const Gate& gate) const;
  /// Whether `a` is a conjunction with `b` among its inputs.
  bool implies_directly(Wire a, Wire b) const;

  std::vector<Gate> gates_;
  /// Numbers of gates at the places that their inputs give, or the next free ones; 0: free.
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(1024, 0);
};

/// Tells a solver about the gates below the wires that it is asked about.
class Clauses {
 public:
  Clauses(const Circuit& circuit, solver::SatSolver& solver) : circuit_(circuit), solver_(solver) {}

  /// At least one of them is true.
  void require(std::span<const Wire> clause);
  solver::Literal literal(Wire wire);
  /// In the solver's model; a wire that the solver was never told about is evaluated from its
  /// inputs, where inputs that it does not know are false.
  bool value(Wire wire);
  std::size_t clauses() const { return clauses_; }

 private:
  void add(std::initializer_list<solver::Literal> clause);
  void define(std::uint32_t gate);
  solver::Literal known(Wire wire) const;

  const Circuit& circuit_;
  solver::SatSolver& solver_;
  std::vector<solver::Literal> literals_;  ///< by gates; 0: none yet
  std::unordered_map<std::uint32_t, bool> evaluated_;
  std::size_t clauses_ = 0;
};

}  // namespace heddle::engine::bounded
