#pragma once

/// Forward steps of ω-configurations: a control state and, for each counter, a number or ω, which
/// stands for all numbers. An ω-configuration describes the configurations below it; the steps of a
/// counter system lead from them to the configurations below finitely many ω-configurations, its
/// *successors* by a transition. There are several only where passive threads choose.
///
/// Vectors are sparse: a word per counter that is not 0, the counter in its high half and the count
/// in its low half, sorted. ω is the greatest count, so that `≤` of vectors is `≤` of words. A
/// number that does not fit becomes kMostTokens: too small, hence good enough for a run, but not
/// for a proof; `has_saturated` tells.

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "coverability/counter_system.hpp"

namespace heddle::coverability {

using OmegaWord = std::uint64_t;
using OmegaVector = std::vector<OmegaWord>;

constexpr Count kOmega = kUnbounded;
constexpr Count kMostTokens = kOmega - 1;

constexpr OmegaWord omega_word(std::uint32_t counter, Count count) {
  return OmegaWord{counter} << 32 | count;
}
constexpr std::uint32_t counter_of(OmegaWord word) {
  return static_cast<std::uint32_t>(word >> 32);
}
constexpr Count count_of(OmegaWord word) { return static_cast<Count>(word); }

/// Componentwise.
bool is_below(std::span<const OmegaWord> small, std::span<const OmegaWord> large);

/// What lies below it are the initial configurations of the region and what they cover.
/// Upper bounds that do not fit a word become kMostTokens; `saturated` tells.
OmegaVector initial_vector(const model::Region& region, bool* saturated = nullptr);
OmegaVector to_omega_vector(const Demand& demand);

/// How many of the passive threads in `from` choose `to`; kOmega for as many as one likes.
struct OmegaFlow {
  std::uint32_t from;
  std::uint32_t to;
  Count count;
};

class OmegaSteps {
 public:
  explicit OmegaSteps(const CounterSystem& system);

  /// The vector after the step, valid during the visit, and which of the transition's choices led
  /// to it. Returns whether to go on.
  using Visit =
      std::function<bool(std::uint32_t transition, std::uint32_t choice, const OmegaVector& after)>;

  /// The transitions that have successors, and those of nets that would lead to a negative number
  /// by a transfer. Costs a look at every transition of the control state that takes something from
  /// a counter that is not 0.
  void list_enabled(Control control, std::span<const OmegaWord> before,
                    std::vector<std::uint32_t>& enabled);
  /// All successors by one transition that is listed as enabled.
  void successors_by(std::uint32_t transition, std::span<const OmegaWord> before,
                     const Visit& visit);

  /// The vector after one choice, and what the passive threads do. Precondition: it exists.
  OmegaVector after(std::span<const OmegaWord> before, std::uint32_t transition,
                    std::uint32_t choice, std::vector<OmegaFlow>* flows = nullptr);

  /// Has a number been too large for a word since the beginning?
  bool has_saturated() const { return has_saturated_; }

 private:
  struct Keyed {
    Control control;
    std::uint32_t counter;  ///< something is taken from it, or it has to hold something
    std::uint32_t transition;
    friend auto operator<=>(const Keyed&, const Keyed&) = default;
  };
  /// A source whose passive threads go to `targets`.
  struct Mover {
    std::uint32_t from;
    std::vector<std::uint32_t> targets;
  };
  using Change = std::pair<std::uint32_t, Count>;  ///< a counter and its value after the step

  void load(std::span<const OmegaWord> before);
  void unload(std::span<const OmegaWord> before);
  bool is_enabled(const Transition& t) const;
  /// False if `visit` said so. `before` is loaded.
  bool successors(std::uint32_t index, std::span<const OmegaWord> before, const Visit& visit);
  bool divide(std::uint32_t index, std::span<const OmegaWord> before, const Visit& visit);
  bool choose(std::uint32_t index, std::size_t mover, std::size_t target, Count left,
              std::span<const OmegaWord> before, const Visit& visit);
  bool copy(std::uint32_t index, std::span<const OmegaWord> before, const Visit& visit);
  /// `before` with the counters of `changes_` replaced.
  void merge(std::span<const OmegaWord> before);
  void set_change(std::uint32_t counter, Count value) { changes_.emplace_back(counter, value); }
  Count plus(Count a, std::uint64_t b);  ///< b is a number, not ω
  Count passive_in(const Transition& t, std::uint32_t counter) const;

  const CounterSystem& system_;
  std::vector<Keyed> keyed_;                        ///< sorted
  std::vector<std::vector<std::uint32_t>> always_;  ///< per control: nothing needs to be there
  std::vector<std::vector<Mover>> movers_;          ///< of each transition
  std::vector<Count> values_;                       ///< of the loaded vector
  std::vector<Change> changes_;
  std::vector<OmegaFlow> flows_;
  OmegaVector after_;
  std::uint32_t choice_ = 0;
  bool has_saturated_ = false;
};

}  // namespace heddle::coverability
