#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace heddle::check {

/// Visits the document once for each place in it and each way to corrupt that place.
class Mutator {
 public:
  Mutator(nlohmann::json document, std::function<void(const nlohmann::json&)> visit)
      : document_(std::move(document)), visit_(std::move(visit)) {}

  void run() { corrupt(document_); }

 private:
  /// Visits the document with `node` replaced.
  void try_value(nlohmann::json& node, nlohmann::json replacement) {
    std::swap(node, replacement);
    visit_(document_);
    std::swap(node, replacement);
  }

  void corrupt(nlohmann::json& node) {
    for (const nlohmann::json& other :
         {nlohmann::json(nullptr), nlohmann::json(true), nlohmann::json("?"), nlohmann::json(-1),
          nlohmann::json(0.5), nlohmann::json(nlohmann::json::array()),
          nlohmann::json(nlohmann::json::object())})
      if (other != node) try_value(node, other);
    if (node.is_number_integer()) corrupt_number(node);
    if (node.is_string()) corrupt_string(node);
    if (node.is_array()) corrupt_array(node);
    if (node.is_object()) corrupt_object(node);
  }

  void corrupt_number(nlohmann::json& node) {
    const auto value = node.get<std::int64_t>();
    for (const std::int64_t other :
         {value + 1, value - 1, -value, value + 2, std::int64_t{4294967295}, std::int64_t{0}})
      if (other != value) try_value(node, other);
    try_value(node, "340282366920938463463374607431768211456");
  }

  void corrupt_string(nlohmann::json& node) {
    for (const char* word : {"safe", "unsafe", "safe_up_to", "unknown", "cutoff", "backward_basis",
                             "pathwise_proof", "linear", "closed_thread_states",
                             "concurrent_places", "=", "<=", "Petri net", "thread system"})
      if (node != word) try_value(node, word);
  }

  void corrupt_array(nlohmann::json& node) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      nlohmann::json shorter = node;
      shorter.erase(i);
      try_value(node, shorter);
      nlohmann::json longer = node;
      longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(i), node[i]);
      try_value(node, longer);
      if (i > 0 && node[i] != node[i - 1]) {
        nlohmann::json swapped = node;
        std::swap(swapped[i], swapped[i - 1]);
        try_value(node, swapped);
      }
    }
    for (nlohmann::json& item : node) corrupt(item);
  }

  void corrupt_object(nlohmann::json& node) {
    const nlohmann::json original = node;
    for (const auto& entry : original.items()) {
      nlohmann::json smaller = node;
      smaller.erase(entry.key());
      try_value(node, smaller);
      smaller[entry.key() + "x"] = entry.value();
      try_value(node, smaller);
    }
    for (nlohmann::json& value : node) corrupt(value);
  }

  nlohmann::json document_;
  std::function<void(const nlohmann::json&)> visit_;
};

}  // namespace heddle::check
