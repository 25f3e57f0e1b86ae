#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/integer.hpp"

namespace heddle::answer {

/// What a bound counts.
enum class BoundKind : std::uint8_t {
  Contexts,  ///< of each thread: rounds of the run
  Threads    ///< alive at a time
};

std::string_view to_string(BoundKind kind);  ///< "contexts", as in the JSON

/// No violation within so many of them.
struct Bound {
  BoundKind what = BoundKind::Contexts;
  base::Integer value;
  friend bool operator==(const Bound&, const Bound&) = default;
};

inline Bound context_bound(base::Integer contexts) {
  return {BoundKind::Contexts, std::move(contexts)};
}

inline Bound thread_bound(base::Integer threads) {
  return {BoundKind::Threads, std::move(threads)};
}

/// The kinds of bound that a kind of evidence can prove; most kinds prove none.
template <BoundKind... Kinds>
struct BoundList {
  static constexpr bool kIsEmpty = sizeof...(Kinds) == 0;
  static constexpr bool contains(BoundKind kind) { return ((kind == Kinds) || ...); }
};

}  // namespace heddle::answer
