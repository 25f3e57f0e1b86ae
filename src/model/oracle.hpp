#pragma once

/// The naive oracle: every configuration that a bounded explicit forward search finds, one by one.
/// It takes the models as they are, with upper bounds in guards and targets, uses nothing but
/// `model::step`, and knows when its answer is exact. Engines are tested against it.

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "base/integer.hpp"
#include "model/counting.hpp"

namespace heddle::model {

struct OracleLimits {
  /// How many values of an initial counter are tried beyond its lower bound.
  unsigned max_unbounded = 3;
  /// Configurations with more threads or tokens are looked at, but not expanded.
  base::Integer max_total = 6;
  std::size_t max_configurations = 20'000;
};

struct OracleStep {
  TransitionId transition;
  std::vector<PassiveFlow> flows;  ///< see model::step; empty for nets
  friend bool operator==(const OracleStep&, const OracleStep&) = default;
};

/// A target is reachable: from `initial`, step by step. Always exact; no shorter witness exists
/// among the initial configurations that were tried.
struct Reached {
  Configuration initial;
  std::vector<OracleStep> steps;
};

/// No target was found. Exact if nothing was left out; otherwise `left_out` says what was.
struct NotReached {
  std::string left_out;
  bool exact() const { return left_out.empty(); }
};

using OracleAnswer = std::variant<Reached, NotReached>;

/// Explores once, answers for any number of targets.
class Oracle {
 public:
  /// Costs time and space in the number of configurations and of the choices of passive threads.
  Oracle(const CountingModel& model, const std::vector<Region>& initial,
         const OracleLimits& limits);

  /// Linear in the number of configurations found.
  OracleAnswer ask(const std::vector<Region>& targets) const;

  std::size_t size() const { return found_.size(); }  ///< configurations found

 private:
  friend class Explorer;
  struct Found {
    Configuration configuration;
    std::size_t parent;  ///< its own index for an initial configuration
    OracleStep step;     ///< from the parent
  };

  Reached witness(std::size_t index) const;

  std::vector<Found> found_;  ///< breadth first
  std::string left_out_;      ///< what the limits cut off first, or empty
};

OracleAnswer ask_oracle(const CountingTask& task, const OracleLimits& limits);

}  // namespace heddle::model
