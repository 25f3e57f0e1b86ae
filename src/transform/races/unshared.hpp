#pragma once

/// Accesses to new objects that no other thread can know yet, roughly. See unshared.cpp.

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "transform/races/points_to.hpp"

namespace heddle::transform::races {

class Unshared {
 public:
  /// `roots`: the functions that threads begin with.
  Unshared(const PointsTo& points_to, const std::vector<std::uint32_t>& roots,
           const std::function<bool()>& stops);

  /// The register holds the address of a new object there.
  bool is_new(std::uint32_t function, std::uint32_t at, const model::c::Operand& address) const;

 private:
  /// Registers with addresses of new objects, each with where the object comes from: the location
  /// of an allocation or a call, or a parameter (`kParameters` + its number).
  using New = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  static constexpr std::uint32_t kParameters = 1U << 30;

  void find_escapes(const std::function<bool()>& stops);
  New behind(std::uint32_t function, std::uint32_t at, const New& before,
             std::set<std::uint32_t>* escaped) const;
  std::vector<std::optional<New>> flow(std::uint32_t function, const New& entry) const;

  const PointsTo& points_to_;
  const model::c::Program& program_;
  std::vector<std::set<std::uint32_t>> escapes_;  ///< parameters that are stored or handed over
  std::vector<bool> returns_new_;                 ///< functions that return a new object
  std::vector<std::vector<std::optional<New>>> new_;
};

}  // namespace heddle::transform::races
