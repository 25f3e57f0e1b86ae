#pragma once

/// Kinds of evidence that nothing bad is reachable. A kind is a struct of plain data that says of
/// itself
///
///   kName    its name in the JSON and in reports
///   Models   the kinds of model that it is about
///   Bounds   the kinds of bound that it can prove, beside safety
///
/// and it is a row of CertificateKinds. What else is needed of a kind is an overload for its type:
/// its JSON form (answer/json_parts.hpp), its check (check/certificates.hpp), its words
/// (output/certificate_text.cpp). All that is generic goes through the list, so that a kind for
/// which one of these is missing does not compile. docs/adding-a-kind-of-evidence.md shows the way.

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "answer/bound.hpp"
#include "answer/c_evidence.hpp"
#include "answer/configuration_evidence.hpp"
#include "answer/context_evidence.hpp"
#include "answer/forward_cover.hpp"
#include "answer/program_evidence.hpp"
#include "answer/pushdown_evidence.hpp"
#include "answer/stack_evidence.hpp"
#include "base/integer.hpp"
#include "base/type_list.hpp"
#include "model/configuration.hpp"
#include "model/petri_net.hpp"
#include "model/thread_system.hpp"

namespace heddle::answer {

/// Σ weight·count (= or ≤) bound, in every reachable configuration, whatever the shared state.
/// Weights are non-zero and sorted by counter; they may be negative.
struct LinearInvariant {
  enum class Relation { Equal, AtMost };
  std::vector<model::WeightedPlace> weights;
  Relation relation = Relation::AtMost;
  base::Integer bound;
  friend bool operator==(const LinearInvariant&, const LinearInvariant&) = default;
};

/// Thread states that are closed under steps (an over-approximation of the reachable ones): in
/// every reachable configuration each thread is in one of them. For thread systems.
/// Sorted, no duplicates. A shared state s is reachable only if `shared` lists it.
struct ClosedThreadStates {
  static constexpr std::string_view kName = "closed_thread_states";
  using Models = base::TypeList<model::ThreadSystem>;
  using Bounds = BoundList<>;

  std::vector<model::SharedState> shared;
  std::vector<model::ThreadState> states;
  friend bool operator==(const ClosedThreadStates&, const ClosedThreadStates&) = default;
};

/// Which places may be marked, and which of them together, in every reachable marking. A pair of a
/// place with itself means that it may hold two or more tokens. For Petri nets.
/// Sorted, no duplicates, first ≤ second in each pair.
struct ConcurrentPlaces {
  std::vector<model::PlaceId> markable;
  std::vector<std::pair<model::PlaceId, model::PlaceId>> together;
  friend bool operator==(const ConcurrentPlaces&, const ConcurrentPlaces&) = default;
};

using Invariant = std::variant<LinearInvariant, ClosedThreadStates, ConcurrentPlaces>;

/// The minimal elements of an upward-closed set that contains every target and no initial
/// configuration and that is closed under predecessors, up to configurations that violate one of
/// the invariants; the invariants hold initially and every step keeps them.
struct BackwardBasis {
  static constexpr std::string_view kName = "backward_basis";
  using Models = base::TypeList<model::ThreadSystem, model::PetriNet>;
  using Bounds = BoundList<>;

  std::vector<model::Configuration> minimal;
  std::vector<Invariant> relative_to;
  friend bool operator==(const BackwardBasis&, const BackwardBasis&) = default;
};

/// For thread systems. Whatever leads to a target is a path through the quotient of the expanded
/// diagram (docs/evidence.md). That no path around the spaghetti components does is left for the
/// checker to find out by a formula of its own. `spaghetti` accounts for the others: its `minimal`
/// is the basis of an upward-closed set that contains every target at the end of such a path,
/// spares the initial configurations and is closed under predecessors along the transitions on
/// such paths, up to configurations that violate one of its invariants. Empty if there is no path
/// through a spaghetti component.
struct PathwiseProof {
  static constexpr std::string_view kName = "pathwise_proof";
  using Models = base::TypeList<model::ThreadSystem>;
  using Bounds = BoundList<>;

  BackwardBasis spaghetti;
  friend bool operator==(const PathwiseProof&, const PathwiseProof&) = default;
};

/// A set of closed thread states is a proof of its own if no target fits into it.
using CertificateKinds =
    base::TypeList<BackwardBasis, ClosedThreadStates, PathwiseProof, ProgramBasis,
                   PushdownInvariant, ContextRelations, ConfigurationSets, TurnFacts, ProgramStacks,
                   ForwardCover, Exploration, ThreadInvariants, RaceFreedom, TerminationProof,
                   DeadlockFreedom>;

using Certificate = base::VariantOf<std::type_identity_t, CertificateKinds>;

template <class Type>
concept CertificateKind = base::kContains<Type, CertificateKinds>;

/// The names of all kinds, in the order of the list.
template <class... Kinds>
constexpr std::array<std::string_view, sizeof...(Kinds)> names_of(base::TypeList<Kinds...>) {
  static_assert((std::equality_comparable<Kinds> && ...));
  return {Kinds::kName...};
}
inline constexpr auto kCertificateNames = names_of(CertificateKinds{});

/// Is evidence of the kind about models of this type?
template <CertificateKind Kind, class Model>
inline constexpr bool kIsAbout = base::kContains<Model, typename Kind::Models>;

std::string_view certificate_kind(const Certificate&);  ///< "backward_basis", as in the JSON

}  // namespace heddle::answer
