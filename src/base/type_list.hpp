#pragma once

#include <type_traits>
#include <variant>

namespace heddle::base {

/// A closed list of types.
template <class... Types>
struct TypeList {};

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

namespace detail {

template <class Variant, class... Types>
struct Appended;

template <class... Known>
struct Appended<std::variant<Known...>> {
  using Type = std::variant<Known...>;
};

template <class... Known, class First, class... Rest>
struct Appended<std::variant<Known...>, First, Rest...>
    : std::conditional_t<(std::is_same_v<Known, First> || ...),
                         Appended<std::variant<Known...>, Rest...>,
                         Appended<std::variant<Known..., First>, Rest...>> {};

template <template <class> class Map, class List>
struct Mapped;

template <template <class> class Map, class... Types>
struct Mapped<Map, TypeList<Types...>> : Appended<std::variant<>, Map<Types>...> {};

}  // namespace detail

/// std::variant<Map<T>...> for the types T of the list, each alternative once.
template <template <class> class Map, class List>
using VariantOf = typename detail::Mapped<Map, List>::Type;

/// Calls `visit.template operator()<T>()` for each type of the list, in order.
template <class... Types, class Visit>
constexpr void for_each_type(TypeList<Types...>, Visit&& visit) {
  (visit.template operator()<Types>(), ...);
}

template <class Type, class List>
inline constexpr bool kContains = false;
template <class Type, class... Types>
inline constexpr bool kContains<Type, TypeList<Types...>> = (std::is_same_v<Type, Types> || ...);

}  // namespace heddle::base
