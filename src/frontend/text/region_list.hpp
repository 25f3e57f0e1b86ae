#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "model/configuration.hpp"

namespace heddle::frontend::text {

/// Reads regions separated by line ends or ';' with `read_one`, which reports its own errors and
/// then returns nothing. There must be at least one; `hint` tells how one is written.
base::Parsed<std::vector<model::Region>> read_regions(
    Lexer& lexer, Problems& problems, const std::function<std::optional<model::Region>()>& read_one,
    std::string_view hint);

}  // namespace heddle::frontend::text
