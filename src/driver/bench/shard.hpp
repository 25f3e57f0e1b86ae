#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace heddle::driver::bench {

/// Every `of`-th case of a suite, beginning with number `part`: 1 ≤ part ≤ of. Neighbours, which
/// are often equally hard, go to different shards.
struct Shard {
  std::size_t part = 1;
  std::size_t of = 1;

  bool has(std::size_t index) const { return index % of == part - 1; }

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// "2/5" is the second of five.
std::optional<Shard> shard_of(const std::string& text);

}  // namespace heddle::driver::bench
