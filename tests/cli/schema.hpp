#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace heddle::cli {

/// What in `value` goes against the schema, as "path: complaint"; empty if nothing does. Knows the
/// part of JSON Schema that docs/answer.schema.json uses: type, enum, required, properties,
/// additionalProperties, items, anyOf, $ref to $defs.
std::string violation(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace heddle::cli
