#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coverability/invariants.hpp"

namespace heddle::engine::cutoff {

using coverability::Control;

/// Thread states that are known to be reachable: (s, l), in a net (0, place).
class KnownStates {
 public:
  KnownStates(std::size_t controls, std::size_t counters)
      : rows_(controls, counters), locals_(controls) {}

  bool contains(Control control, std::uint32_t counter) const {
    return rows_.contains(control, counter);
  }
  std::span<const std::uint32_t> locals(Control control) const { return locals_[control]; }
  std::size_t size() const { return size_; }
  const coverability::ThreadStateRows& rows() const { return rows_; }

  /// True if this is new.
  bool add(Control control, std::uint32_t counter) {
    rows_.add_shared(control);
    if (!rows_.add(control, counter)) return false;
    locals_[control].push_back(counter);
    ++size_;
    return true;
  }

 private:
  coverability::ThreadStateRows rows_;
  std::vector<std::vector<std::uint32_t>> locals_;
  std::size_t size_ = 0;
};

}  // namespace heddle::engine::cutoff
