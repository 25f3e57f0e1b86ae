#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend::text {

/// Reads items separated by line ends or ';' with `read_one`, which tells whether it read one.
base::Diagnostics read_list(Lexer& lexer, Problems& problems, const std::function<bool()>& read_one,
                            std::string_view hint);

/// Reads regions separated by line ends or ';' with `read_one`, which reports its own errors and
/// then returns nothing. There must be at least one; `hint` tells how one is written.
template <class Region>
base::Parsed<std::vector<Region>> read_regions(
    Lexer& lexer, Problems& problems, const std::function<std::optional<Region>()>& read_one,
    std::string_view hint) {
  std::vector<Region> regions;
  const auto read = [&] {
    std::optional<Region> region = read_one();
    if (region) regions.push_back(std::move(*region));
    return region.has_value();
  };
  if (auto problem = read_list(lexer, problems, read, hint); !problem.empty())
    return std::unexpected(std::move(problem));
  return regions;
}

}  // namespace heddle::frontend::text
