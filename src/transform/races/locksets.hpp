#pragma once

/// Mutexes that are held at instructions, roughly. See locksets.cpp.

#include <functional>
#include <optional>
#include <vector>

#include "transform/races/points_to.hpp"

namespace heddle::transform::races {

class Locksets {
 public:
  /// `roots`: the functions that threads begin with, the entry first.
  Locksets(const PointsTo& points_to, const std::vector<std::uint32_t>& roots,
           const std::function<bool()>& stops);

  /// Held on every path to the instruction; nothing if no path was found.
  const std::optional<Spots>& held(std::uint32_t function, std::uint32_t at) const {
    static const std::optional<Spots> kNone;
    return at < held_[function].size() ? held_[function][at] : kNone;
  }

 private:
  enum class Change : std::uint8_t { None, Take, Release };
  /// What a call of a function does.
  struct Summary {
    Spots taken;     ///< held at the end, if nothing was at the beginning
    Spots released;  ///< perhaps
    bool releases_any = false;
  };

  void find_semaphores();
  Change change_of(std::uint32_t function, std::uint32_t at, Spots& which) const;
  Spots behind(std::uint32_t function, std::uint32_t at, Spots held, Summary* summary) const;
  std::vector<std::optional<Spots>> flow(std::uint32_t function, const Spots& entry,
                                         Summary* summary) const;
  void summarise(const std::function<bool()>& stops);
  void search(const std::vector<std::uint32_t>& roots, const std::function<bool()>& stops);

  const PointsTo& points_to_;
  const model::c::Program& program_;
  Spots semaphores_;  ///< that begin with 1 wherever they are initialised
  std::vector<Summary> summaries_;
  std::vector<std::vector<std::optional<Spots>>> held_;
};

}  // namespace heddle::transform::races
