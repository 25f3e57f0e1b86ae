#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::model {

/// Variables and their values, as people read them.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// `x=1 y=0`
std::string values_text(const NamedValues& values);

}  // namespace heddle::model
