#pragma once

/// Facts about every reachable configuration that are cheap to find and easy to check, for pruning
/// backward searches. Whatever is excluded by one is excluded together with everything above it.

#include <cstdint>
#include <optional>
#include <vector>

#include "answer/certificate.hpp"
#include "coverability/counter_system.hpp"
#include "model/counting.hpp"

namespace heddle::coverability {

/// An over-approximation of the reachable thread states, closed under steps: the least set that
/// contains the initial thread states and, with a step of one thread from shared state s to s',
/// carries every other thread state (s, k) over to (s', k). One row of bits per shared state.
class ThreadStateRows {
 public:
  ThreadStateRows(std::size_t shared_states, std::size_t local_states)
      : words_per_row_((local_states + 63) / 64), rows_(shared_states) {}

  bool has_shared(Control shared) const { return !rows_[shared].empty(); }
  bool contains(Control shared, std::uint32_t local) const {
    return has_shared(shared) && (rows_[shared][local / 64] >> (local % 64) & 1) != 0;
  }

  /// Makes the shared state reachable; true if it was not.
  bool add_shared(Control shared);
  /// Precondition of both: has_shared(target). True if something new was added.
  bool add(Control shared, std::uint32_t local);
  bool add_all(Control source, Control target);

  std::size_t bytes() const { return rows_in_use_ * words_per_row_ * 8; }
  answer::ClosedThreadStates to_certificate() const;

 private:
  std::size_t words_per_row_;
  std::size_t rows_in_use_ = 0;
  std::vector<std::vector<std::uint64_t>> rows_;
};

/// Nothing if the rows would need more than `byte_limit`.
std::optional<ThreadStateRows> closed_thread_states(const model::ThreadSystem& system,
                                                    const std::vector<model::Region>& initial,
                                                    std::size_t byte_limit);

/// The least number of tokens that a marking which enables the transition has in a place.
base::Integer least_enabled(const model::PetriTransition& t, model::PlaceId place);

/// Σ weight·place ≤ its largest initial value, if that exists, if no weight is negative, and if it
/// can be shown that no step increases the sum.
std::optional<answer::LinearInvariant> bounded_sum(const model::PetriNet& net,
                                                   const std::vector<model::Region>& initial,
                                                   const std::vector<model::WeightedPlace>& sum);

/// The file's claimed invariants that hold initially with some bound and that no step increases,
/// in the form Σ weight·place ≤ bound. Claims that cannot be shown are left out.
std::vector<answer::LinearInvariant> provable_claims(const model::PetriNet& net,
                                                     const std::vector<model::Region>& initial);

}  // namespace heddle::coverability
