#pragma once

/// The preimage of an edge, for any representation of sets of valuations. `Algebra` has, beside
/// what cover.hpp says, `constant(b)`, `variable(x)`, `restricted(f, literals)` (f where these
/// variables have these values, as a function of the others) and `without(f, variables)` (some
/// values of the variables make f true); a `Function` has `!`, `iff` and `ite`, too.

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/onthefly/cover.hpp"
#include "engine/onthefly/edge_functions.hpp"

namespace heddle::engine::onthefly {

/// Values before the step, of the shared variables and of the active thread's.
struct Before {
  model::boolean::Cube shared;
  model::boolean::Cube local;
  friend auto operator<=>(const Before&, const Before&) = default;
};

/// Values of an edge's atoms, by position.
using AtomValues = std::vector<std::pair<std::uint32_t, bool>>;

template <class Algebra>
class EdgeImage {
 public:
  using Function = typename Algebra::Function;

  /// Both must outlive it. Precondition: the algebra has a variable for each atom of the edge.
  EdgeImage(const EdgeFunctions& edge, const Algebra& algebra)
      : edge_(edge), algebra_(algebra), condition_(function_of(edge.condition)) {
    for (const Effect& effect : edge.effects) values_.push_back(function_of(effect.value));
  }

  /// Cubes whose union is the set of all values from which some choice leads to `after`.
  std::vector<Before> of(const After& after) const {
    std::vector<Before> out;
    const auto kept = edge_.kept(after);
    if (!kept) return out;
    Function wanted = algebra_.restricted(condition_, positions(*kept));
    for (std::size_t i = 0; i < values_.size() && !wanted.is_false(); ++i)
      if (const auto value = edge_.effects[i].wanted(after)) {
        const Function is_one = algebra_.restricted(values_[i], positions(*kept));
        wanted = *value ? wanted & is_one : wanted - is_one;
      }
    wanted = algebra_.without(wanted, edge_.choices);
    const auto add = [&](const Literals& literals) { out.push_back(literals.before); };
    Cover<Algebra, Literals, decltype(add)>(algebra_, add)
        .find(wanted, wanted, {&edge_, {kept->shared, kept->local}});
    return out;
  }

 private:
  using Formula = model::boolean::Formula;

  struct Literals {
    const EdgeFunctions* edge = nullptr;
    Before before;

    Literals with(std::uint32_t x, bool value) const {
      const model::boolean::Atom& which = edge->atoms[x];
      Literals out = *this;
      auto& cube =
          which.kind == model::boolean::AtomKind::Shared ? out.before.shared : out.before.local;
      cube = cube.with(which.index, value);
      return out;
    }
  };

  AtomValues positions(const model::boolean::Knowledge& known) const {
    AtomValues out;
    for (std::uint32_t i = 0; i < edge_.atoms.size(); ++i)
      if (const auto value = known[edge_.atoms[i]]) out.emplace_back(i, *value);
    return out;
  }

  Function function_of(const Formula& f) const {
    const auto operand = [&](std::size_t i) { return function_of(f.operands[i]); };
    switch (f.kind) {
      case Formula::Kind::False: return algebra_.constant(false);
      case Formula::Kind::True: return algebra_.constant(true);
      case Formula::Kind::Atom: {
        const auto at = std::ranges::find(edge_.atoms, f.atom) - edge_.atoms.begin();
        return algebra_.variable(static_cast<std::uint32_t>(at));
      }
      case Formula::Kind::Not: return !operand(0);
      case Formula::Kind::And: return operand(0) & operand(1);
      case Formula::Kind::Or: return operand(0) | operand(1);
      case Formula::Kind::Equal: return operand(0).iff(operand(1));
      case Formula::Kind::Conditional: break;
    }
    return operand(0).ite(operand(1), operand(2));
  }

  const EdgeFunctions& edge_;
  const Algebra& algebra_;
  Function condition_;
  std::vector<Function> values_;  ///< of the effects
};

}  // namespace heddle::engine::onthefly
