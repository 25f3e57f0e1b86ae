#pragma once

/// Weighted sums of tokens that no step of a net increases, found when a demand needs them. The
/// source file has the argument.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "answer/certificate.hpp"
#include "model/petri_net.hpp"

namespace heddle::coverability {

class WeightedSums {
 public:
  using Demand = std::span<const std::pair<std::uint32_t, std::uint64_t>>;

  /// `net` and `initial` must outlive this.
  WeightedSums(const model::PetriNet& net, const std::vector<model::Region>& initial);

  /// False if the net is too large for linear programs.
  bool is_small() const { return is_small_; }

  /// A sum that is larger in the demand than in any reachable marking. Nothing if there is none, or
  /// if it is not found in reasonable time. Solves a linear program; the same every time.
  std::optional<answer::LinearInvariant> exceeded_by(Demand demand);

  /// What linear programs have taken so far, in units of `solver::find_in`.
  std::uint64_t work() const { return work_; }

 private:
  /// Coefficients of weights, by column.
  using Row = std::vector<std::pair<std::uint32_t, std::int64_t>>;

  void number_places();
  void add_rows(const model::PetriTransition& t);
  void leave_out_zeros();
  bool confirms(const answer::LinearInvariant& sum, Demand demand) const;

  const model::PetriNet* net_;
  const std::vector<model::Region>* initial_;
  std::vector<std::optional<std::uint32_t>> column_of_;  ///< none: the weight must be 0
  std::vector<std::uint32_t> places_;                    ///< of the columns
  std::vector<Row> no_increase_;                         ///< row·w ≤ 0
  bool is_small_ = false;
  std::uint64_t work_ = 0;
};

}  // namespace heddle::coverability
