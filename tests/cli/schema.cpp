#include "cli/schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

using nlohmann::json;

bool has_type(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  return type == "object"    ? value.is_object()
         : type == "array"   ? value.is_array()
         : type == "string"  ? value.is_string()
         : type == "number"  ? value.is_number()
         : type == "boolean" ? value.is_boolean()
                             : type == "null" && value.is_null();
}

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  std::string check(const json& schema, const json& value, const std::string& path) const {
    if (schema.contains("$ref"))
      return check(root_.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))), value,
                   path);
    if (schema.contains("enum") && std::ranges::count(schema["enum"], value) == 0)
      return path + ": " + value.dump() + " is not among " + schema["enum"].dump();
    if (schema.contains("type") && !has_some_type(schema["type"], value))
      return path + ": " + value.dump() + " is not of type " + schema["type"].dump();
    if (schema.contains("anyOf")) {
      if (std::ranges::none_of(schema["anyOf"], [&](const json& choice) {
            return check(choice, value, path).empty();
          }))
        return path + ": " + value.dump() + " fits none of " + schema["anyOf"].dump();
      if (!schema.contains("properties")) return {};  // the choices list the keys
    }
    if (value.is_object()) return check_object(schema, value, path);
    if (value.is_array()) return check_array(schema, value, path);
    return {};
  }

 private:
  static bool has_some_type(const json& type, const json& value) {
    if (type.is_string()) return has_type(value, type);
    return std::ranges::any_of(type, [&](const json& one) { return has_type(value, one); });
  }

  std::string check_object(const json& schema, const json& value, const std::string& path) const {
    for (const json& key : schema.value("required", json::array()))
      if (!value.contains(key.get<std::string>())) return path + ": no " + key.dump();
    const json properties = schema.value("properties", json::object());
    for (const auto& [key, member] : value.items()) {
      const bool listed = properties.contains(key);
      if (!listed && !schema.contains("additionalProperties")) return path + ": unlisted " + key;
      const json& expected = listed ? properties[key] : schema["additionalProperties"];
      if (const std::string found = check(expected, member, path + "/" + key); !found.empty())
        return found;
    }
    return {};
  }

  std::string check_array(const json& schema, const json& value, const std::string& path) const {
    for (std::size_t i = 0; schema.contains("items") && i < value.size(); ++i)
      if (const std::string found =
              check(schema["items"], value[i], path + "/" + std::to_string(i));
          !found.empty())
        return found;
    return {};
  }

  const json& root_;
};

}  // namespace

std::string violation(const json& schema, const json& value) {
  return Validator(schema).check(schema, value, "");
}

}  // namespace heddle::cli
