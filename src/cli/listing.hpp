#pragma once

/// What there is, read off the tables.

#include <optional>
#include <string>

namespace heddle::cli {

/// All engines, or all about the one of that name, which must exist.
std::string engines_text(const std::optional<std::string>& name);
std::string engines_json(const std::optional<std::string>& name);

std::string formats_text();
std::string formats_json();

}  // namespace heddle::cli
