#pragma once

/// The minimal predecessors of an upward-closed set, derived from the step semantics in
/// model/thread_system.hpp and model/petri_net.hpp: given a transition t and a demand m, all
/// minimal p such that some t-successor of p covers m.
///
/// The enumerations may give some p that are not minimal; each p that they give is a predecessor,
/// and every predecessor is above one of them. So ↑U contains all t-predecessors of its elements if
/// and only if, for every m in U, all of them lie in ↑U.
///
/// A net's guard may have upper bounds. Then not everything above a predecessor is one, but the
/// above holds all the same: a p beyond an upper bound has no predecessor above it and is left out,
/// and what a predecessor is above is within the bounds like itself (net_predecessors.cpp).

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check/counting/demand.hpp"
#include "model/counting.hpp"

namespace heddle::check {

template <class Amount>
class Predecessors {
 public:
  /// Looks at one predecessor; false ends the enumeration.
  using Visit = std::function<bool(const Demand<Amount>&)>;

  virtual ~Predecessors() = default;

  /// The transitions that may have a predecessor which is not above the demand itself, by number,
  /// ascending. Others lead into another shared state, or only take away what is demanded.
  virtual std::vector<std::uint32_t> candidates(const Demand<Amount>& demand) const = 0;

  /// Visits predecessors one after the other, without storing them: there may be exponentially
  /// many. False if a visit ended the enumeration. Precondition: the transition leads into the
  /// demand's shared state.
  virtual bool for_each(std::uint32_t transition, const Demand<Amount>& demand,
                        const Visit& visit) const = 0;
};

template <class Amount>
std::unique_ptr<Predecessors<Amount>> make_predecessors(const model::ThreadSystem& system);
template <class Amount>
std::unique_ptr<Predecessors<Amount>> make_predecessors(const model::PetriNet& net);

}  // namespace heddle::check
