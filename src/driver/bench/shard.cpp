#include "driver/bench/shard.hpp"

#include <regex>

namespace heddle::driver::bench {

std::optional<Shard> shard_of(const std::string& text) {
  static const std::regex form("([0-9]{1,9})/([0-9]{1,9})");
  std::smatch match;
  if (!std::regex_match(text, match, form)) return std::nullopt;
  const Shard shard{std::stoul(match[1]), std::stoul(match[2])};
  return 1 <= shard.part && shard.part <= shard.of ? std::optional(shard) : std::nullopt;
}

}  // namespace heddle::driver::bench
