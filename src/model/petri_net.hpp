#pragma once

/// Petri nets with weights, resets, transfers and, in general, any update of the form
/// m' = M·m + d with a non-negative integer matrix M (docs/formats/mist-spec.md).
///
/// A transition is enabled if every guard holds and no place would become negative. All updates
/// read the marking before the step. A place without an update keeps its tokens, also if another
/// place's update reads it (then the tokens are copied).
///
/// Without upper bounds in guards a net is monotone. Upper bounds (MIST's `=` and `in`) are kept
/// in the model; `is_monotone` tells, and `transform/monotone_relaxation` drops them.

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "base/integer.hpp"
#include "model/configuration.hpp"
#include "model/kind.hpp"

namespace heddle::model {

/// place' = Σ weight·source + constant. Sources are sorted, weights positive.
struct PlaceUpdate {
  PlaceId place;
  std::vector<WeightedPlace> sources;
  base::Integer constant = 0;

  /// place' = place + constant, the only kind that an ordinary net has.
  bool is_shift() const {
    return sources.size() == 1 && sources[0].place == place && sources[0].weight == 1;
  }
  friend bool operator==(const PlaceUpdate&, const PlaceUpdate&) = default;
};

struct PetriTransition {
  std::string name;                 ///< may be empty
  std::vector<CounterBound> guard;  ///< sorted by place, one each; lower 0 without upper not stored
  std::vector<PlaceUpdate> updates;  ///< sorted by place, one each; no identity stored
  std::string note;                  ///< the comment lines above it in the file, without '#'
  std::uint32_t line = 0;

  bool same_step(const PetriTransition& other) const {
    return guard == other.guard && updates == other.updates;
  }
};

struct PetriNet {
  std::vector<std::string> places;
  std::vector<PetriTransition> transitions;
  /// Weight vectors whose weighted token sum the file claims to be constant. Only a claim.
  std::vector<std::vector<WeightedPlace>> claimed_invariants;
};

template <>
struct Kind<PetriNet> {
  using Question = CountingQuestion;
  using Initial = Region;
  using Target = Region;
  static constexpr std::string_view kName = "Petri net";
};

/// `p>=1, q=0`; names that are no words stand in quotes.
std::string initial_to_string(const PetriNet& net, const Region& region);
std::string target_to_string(const PetriNet& net, const Region& region);
/// `p=1, q=2`
std::string to_string(const PetriNet& net, const Configuration& marking);

/// Nets have one shared state, which has no name.
std::string shared_name(const PetriNet& net, SharedState shared);
std::string counter_name(const PetriNet& net, PlaceId place);

bool is_monotone(const PetriTransition& transition);

/// Adds the transition of an ordinary net: needs and takes `consume`, gives `produce`.
void add_transition(PetriNet& net, std::string name, const Counts& consume, const Counts& produce);

/// Fires a transition; the error says why it is impossible.
std::expected<Configuration, std::string> step(const PetriNet& net, const Configuration& from,
                                               TransitionId transition);

}  // namespace heddle::model
