#pragma once

/// Which threads may run while main executes an instruction, roughly. See lifetimes.cpp.

#include <functional>
#include <optional>
#include <vector>

#include "transform/races/points_to.hpp"

namespace heddle::transform::races {

class Lifetimes {
 public:
  Lifetimes(const PointsTo& points_to, const std::function<bool()>& stops);

  /// A thread with this start routine may run while the thread of the entry is there.
  bool may_run(std::uint32_t start, std::uint32_t function, std::uint32_t at) const;

 private:
  using Starts = std::set<std::uint32_t>;
  using Running = std::vector<std::optional<Starts>>;  ///< by location; nothing: not reached

  Starts joined_by(std::uint32_t function, std::uint32_t at) const;
  void find_joins();
  Starts behind(std::uint32_t function, std::uint32_t at, Starts running) const;
  Running flow(std::uint32_t function, const Starts& entry) const;
  void summarise(const std::function<bool()>& stops);
  void search(const std::function<bool()>& stops);

  const PointsTo& points_to_;
  const model::c::Program& program_;
  std::vector<std::map<std::uint32_t, Starts>> joined_;  ///< by function and loop
  std::vector<Starts> left_;                             ///< by function: run on when it returns
  std::vector<Starts> ended_;                            ///< by function: it joins them
  std::vector<Running> running_;
};

}  // namespace heddle::transform::races
