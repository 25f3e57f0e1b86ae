#include "answer/json_node.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"

namespace heddle::answer {

using base::Integer;
using nlohmann::json;

std::string JsonNode::path() const {
  if (!parent_) return "";
  return parent_->path() + "/" + (key_.empty() ? std::to_string(index_) : std::string(key_));
}

void JsonNode::fail(std::string_view message) const {
  if (failed()) return;
  const std::string where = path();
  *problem_ = base::printable("at " + (where.empty() ? "/" : where) + ": " + std::string(message));
}

void JsonNode::fail_type(std::string_view expected) const {
  if (value_)
    fail("expected " + std::string(expected) + ", found " + std::string(value_->type_name()));
}

void JsonNode::expect_fields(std::initializer_list<std::string_view> required,
                             std::initializer_list<std::string_view> optional) const {
  if (!value_ || !value_->is_object()) return fail_type("an object");
  for (const std::string_view key : required)
    if (!value_->contains(key)) return fail("field '" + std::string(key) + "' is missing");
  for (const auto& entry : value_->items()) {
    const auto is_key = [&](std::string_view key) { return key == entry.key(); };
    if (std::ranges::none_of(required, is_key) && std::ranges::none_of(optional, is_key))
      return fail("field '" + entry.key() + "' is unknown");
  }
}

bool JsonNode::has(std::string_view key) const {
  return value_ && value_->is_object() && value_->contains(key);
}

bool JsonNode::is_null() const { return !value_ || value_->is_null(); }

JsonNode JsonNode::field(std::string_view key) const& {
  const json* found = nullptr;
  if (!value_ || !value_->is_object()) {
    fail_type("an object");
  } else if (const auto it = value_->find(key); it != value_->end()) {
    found = &*it;
  } else {
    fail("field '" + std::string(key) + "' is missing");
  }
  return JsonNode(*this, found, key, 0);
}

std::size_t JsonNode::size() const {
  if (failed()) return 0;
  if (value_ && value_->is_array()) return value_->size();
  fail_type("an array");
  return 0;
}

void JsonNode::expect_size(std::size_t n) const {
  if (const std::size_t found = size(); found != n)
    fail("expected " + std::to_string(n) + " items, found " + std::to_string(found));
}

JsonNode JsonNode::item(std::size_t index) const& {
  const bool present = value_ && value_->is_array() && index < value_->size();
  if (!present) fail("item " + std::to_string(index) + " is missing");
  return JsonNode(*this, present ? &(*value_)[index] : nullptr, {}, index);
}

std::string JsonNode::text() const {
  if (value_ && value_->is_string()) return value_->get<std::string>();
  fail_type("a string");
  return "";
}

std::string JsonNode::name() const { return base::printable(text()); }

double JsonNode::real() const {
  if (value_ && value_->is_number()) return value_->get<double>();
  if (!value_ || !value_->is_null()) fail_type("a number");
  return std::numeric_limits<double>::quiet_NaN();
}

Integer JsonNode::integer() const {
  if (value_ && value_->is_number_unsigned()) return Integer(value_->get<unsigned long>());
  if (value_ && value_->is_number_integer()) return Integer(value_->get<long>());
  if (value_ && value_->is_string())
    if (const auto parsed = base::parse_integer(value_->get_ref<const std::string&>()))
      return *parsed;
  fail_type("an integer, as a number or a string of digits");
  return 0;
}

Integer JsonNode::count() const {
  Integer value = integer();
  if (value >= 0) return value;
  fail("a count should not be negative, found " + base::to_string(value));
  return 0;
}

std::uint32_t JsonNode::number() const {
  const Integer value = integer();
  if (const auto fitting = base::to_uint32(value)) return *fitting;
  fail("expected a number from 0 to 4294967295, found " + base::to_string(value));
  return 0;
}

std::size_t JsonNode::one_of(std::span<const std::string_view> words) const {
  const std::string found = text();
  const auto it = std::ranges::find(words, std::string_view(found));
  if (it != words.end()) return static_cast<std::size_t>(it - words.begin());
  std::string list;
  for (const std::string_view word : words)
    list += (list.empty() ? "'" : ", '") + std::string(word) + "'";
  fail("expected one of " + list + ", found '" + found + "'");
  return 0;
}

}  // namespace heddle::answer
