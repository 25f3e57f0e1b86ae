#pragma once

/// The states seen so far, each stored once. A state is a row of numbers, one for each object and
/// each thread; the numbers stand for contents, which are stored once, too. Rows are compared in
/// full: two states are one only if they are equal.

#include <cstdint>
#include <utility>
#include <vector>

#include "model/c/state.hpp"

namespace heddle::engine::explore {

/// Numbers for rows of words, from 0.
class RowTable {
 public:
  /// The row's number, and whether it is new.
  std::pair<std::uint32_t, bool> insert(const std::vector<std::uint32_t>& row);
  std::size_t size() const { return begins_.size() - 1; }
  const std::uint32_t* begin(std::uint32_t row) const { return words_.data() + begins_[row]; }
  const std::uint32_t* end(std::uint32_t row) const { return words_.data() + begins_[row + 1]; }
  std::size_t bytes() const;

 private:
  void grow();
  bool equals(std::uint32_t row, const std::vector<std::uint32_t>& other) const;

  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> begins_{0};
  std::vector<std::uint32_t> hashes_;                                         ///< of the rows
  std::vector<std::uint32_t> buckets_ = std::vector<std::uint32_t>(1024, 0);  ///< number + 1, or 0
};

class StateTable {
 public:
  /// Not in an atomic section, not ended. Costs a look at each object and thread.
  std::pair<std::uint32_t, bool> insert(const model::c::State& state);
  model::c::State restore(std::uint32_t number) const;
  std::size_t size() const { return rows_.size(); }
  std::size_t bytes() const;

 private:
  std::uint32_t number_of(std::uint64_t address, const model::c::Memory::Slot& slot);
  std::uint32_t number_of(const model::c::CopyOnWrite<model::c::Thread>& thread);

  RowTable rows_;
  RowTable object_contents_;
  RowTable thread_contents_;
  std::vector<model::c::Memory::Slot> objects_;  ///< by number
  std::vector<model::c::CopyOnWrite<model::c::Thread>> threads_;
  std::vector<std::uint32_t> scratch_;
  std::vector<std::uint32_t> row_;
  std::size_t content_bytes_ = 0;
};

}  // namespace heddle::engine::explore
