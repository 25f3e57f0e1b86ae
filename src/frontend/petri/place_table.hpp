#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

/// The places of a net by name. Names are views: what they point to must outlive the table.
class PlaceTable {
 public:
  PlaceTable() = default;
  explicit PlaceTable(const std::vector<std::string>& names);

  /// False if there is a place of that name already.
  bool declare(std::string_view name);
  std::optional<model::PlaceId> find(std::string_view name) const;

  /// "did you mean 'lock'?", or empty.
  std::string suggestion(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, model::PlaceId> ids_;
  std::vector<std::string_view> names_;
};

/// What an undeclared name stands for while the rest of the text is looked at for more mistakes.
constexpr model::PlaceId kUnknownPlace{0xFFFF'FFFFu};

/// Tells whether a place occurs for the first time since the last `restart`; constant time each.
/// Unknown places never count as repeated.
class OncePerPlace {
 public:
  void restart() { ++round_; }
  bool first(model::PlaceId place);

 private:
  std::vector<std::uint64_t> seen_in_;
  std::uint64_t round_ = 1;
};

/// The five words that start a section, and `in` and `true`: none can name a place.
bool is_reserved(std::string_view word);
bool is_section(std::string_view word);

}  // namespace heddle::frontend::petri
