#pragma once

/// The states that the search of check_safe.cpp has seen, each once. A state is a row of numbers:
/// of the contents of its threads and of its objects, which are kept once each, byte for byte, and
/// of whose turn it is.
/// Nothing is forgotten by hashing.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/c/unknown_words.hpp"
#include "model/c/state.hpp"

namespace heddle::check::c {

class StateStore {
 public:
  using Number = std::uint32_t;

  /// Whether the state is new, and its number. Precondition: no thread is in an atomic section.
  std::pair<Number, bool> insert(const Moment& moment);
  Moment restore(Number number) const;
  std::size_t size() const { return begins_.size() - 1; }

 private:
  Number thread_number(const model::c::CopyOnWrite<model::c::Thread>& thread);
  Number object_number(const model::c::Memory::Slot& slot);
  bool equals(Number number, const std::vector<std::uint32_t>& row) const;
  void grow();

  std::unordered_map<std::string, Number> thread_numbers_, object_numbers_;
  std::vector<model::c::CopyOnWrite<model::c::Thread>> threads_;
  std::vector<model::c::Memory::Slot> objects_;
  std::unordered_map<Number, UnknownWords> unknown_;

  std::vector<std::uint32_t> words_;  ///< of all rows
  std::vector<std::uint64_t> begins_ = {0};
  std::vector<std::uint32_t> hashes_;
  std::vector<Number> buckets_ = std::vector<Number>(1024, 0);  ///< numbers from 1, or 0
  std::vector<std::uint32_t> row_;
};

}  // namespace heddle::check::c
