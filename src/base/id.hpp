#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace heddle::base {

/// An index that cannot be mixed up with another kind of index.
template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}

  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace heddle::base

template <class Tag>
struct std::hash<heddle::base::Id<Tag>> {
  std::size_t operator()(heddle::base::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.value);
  }
};
