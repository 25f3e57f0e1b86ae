#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::base {

/// An exact integer of any size: weights of models, counts in evidence.
/// The engines' hot loops use machine counters instead and detect overflow.
using Integer = mpz_class;

/// Reads decimal digits with an optional leading '-'. Nothing else is accepted, not even blanks.
std::optional<Integer> parse_integer(std::string_view text);

std::string to_string(const Integer& value);

/// `1 thread`, `3 threads`. The noun must be one with a regular plural.
std::string counted(const Integer& count, std::string_view singular);

/// The value as a machine word, or nothing if it does not fit.
std::optional<std::uint32_t> to_uint32(const Integer& value);
std::optional<std::int64_t> to_int64(const Integer& value);

}  // namespace heddle::base
