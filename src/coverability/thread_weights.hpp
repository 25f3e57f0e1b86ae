#pragma once

/// Lower bounds on the number of threads that it takes to cover a demand, by weighted sums of
/// threads that no step increases. The source file has the argument.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coverability/linear_program.hpp"
#include "coverability/thread_family.hpp"

namespace heddle::coverability {

/// A weight for each shared state and each counter, the pool included. No step of the family
/// increases the sum of the weights, that of the shared state included.
struct ThreadWeighting {
  std::vector<std::uint32_t> controls;
  std::vector<std::uint32_t> counters;
  friend bool operator==(const ThreadWeighting&, const ThreadWeighting&) = default;
};

/// At least so many threads are needed; the weighting that shows it, if one is needed for that.
struct LeastThreads {
  std::int64_t threads = 0;  ///< kNoNumberOfThreads: no number does
  std::optional<std::size_t> weighting = std::nullopt;
};
constexpr std::int64_t kNoNumberOfThreads = INT64_MAX;

class ThreadWeights {
 public:
  using Counts = std::span<const CounterCount>;

  /// `family` must outlive this.
  explicit ThreadWeights(const ThreadFamily& family);

  /// By the initial regions and the weightings found so far. Linear in the size of the demand times
  /// the number of weightings.
  LeastThreads least_threads(Control control, Counts counts) const;

  /// Looks for a further weighting, by which a demand needs more than `threads` threads; false if
  /// there is none, or if it is not found in reasonable time. Solves a linear program.
  bool look_for_more(std::int64_t threads, Control control, Counts counts);

  const std::vector<ThreadWeighting>& found() const { return found_; }

 private:
  /// Up to `most` threads more, of a weight each.
  struct Supply {
    std::uint32_t weight;
    Count most;
  };
  /// An initial region as a weighting sees it.
  struct WeighedStart {
    std::int64_t threads;          ///< of its least configuration
    std::uint64_t weight;          ///< of its least configuration
    std::vector<Supply> supplies;  ///< the heaviest first
  };

  std::int64_t threads_to_weigh(std::size_t weighting, Control control, Counts counts) const;
  WeighedStart weigh(const ThreadWeighting& weighting, const FamilyStart& start) const;
  LinearProgram program(std::int64_t threads, Control control, Counts counts) const;

  const ThreadFamily& family_;
  std::int64_t fewest_;                          ///< threads of an initial configuration
  bool is_small_;                                ///< enough for linear programs
  std::vector<LinearProgram::Row> no_increase_;  ///< a row for each kind of step
  std::vector<ThreadWeighting> found_;
  std::vector<std::vector<WeighedStart>> starts_;  ///< of each weighting
};

}  // namespace heddle::coverability
