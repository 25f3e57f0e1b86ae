#pragma once

/// Words of which some bits are open: a word stands for all words that agree with it outside of its
/// open bits. What instructions do with such words, so that the result stands for every result.

#include <cstdint>
#include <optional>

#include "model/c/program.hpp"

namespace heddle::model::c {

struct OpenWord {
  std::uint64_t word = 0;  ///< one of those that are meant
  std::uint64_t open = 0;  ///< a mask
  bool is_known() const { return open == 0; }
};

/// Whether one of the words that are meant lies in [first, end).
bool may_lie_in(const OpenWord& word, std::uint64_t first, std::uint64_t end);

/// The open bits of `a op b` or, for Select, `a ? b : c`. None if it depends on open bits whether
/// there is a result (a division), or how it comes about (the distance of a shift).
std::optional<std::uint64_t> open_result(const Compute& what, OpenWord a, OpenWord b, OpenWord c);

/// Those of what an atomic operation stores.
std::uint64_t open_result(ReadModifyWrite::Operation operation, unsigned width, OpenWord old,
                          OpenWord value);

/// Whether two words are equal; none if that depends on open bits.
std::optional<bool> are_equal(const OpenWord& a, const OpenWord& b);

}  // namespace heddle::model::c
