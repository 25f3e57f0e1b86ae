#include "model/named_values.hpp"

namespace heddle::model {

std::string values_text(const NamedValues& values) {
  std::string out;
  for (const auto& [name, value] : values) out += (out.empty() ? "" : " ") + name + "=" + value;
  return out;
}

}  // namespace heddle::model
