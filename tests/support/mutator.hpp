#pragma once

/// Corrupts stored evidence of any kind: one change at one place of the JSON document.

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/random.hpp"

namespace heddle::test {

class Mutator {
 public:
  using Visit = std::function<void(const nlohmann::json&)>;
  enum class Changes {
    All,       ///< values of another type, too, which no reader should let through
    WellTyped  ///< values of the same type: what only a check can tell
  };

  Mutator(nlohmann::json document, Visit visit, Changes changes = Changes::All);

  /// Visits every corruption of every place. Quadratic in the document.
  void run();
  /// Visits about `count` of them, chosen at random.
  void run(Random& random, unsigned count);

 private:
  template <class Make>
  void offer(nlohmann::json& node, Make make);
  void collect_words(const nlohmann::json& node);
  void corrupt(nlohmann::json& node);
  void corrupt_number(nlohmann::json& node);
  void corrupt_string(nlohmann::json& node);
  void corrupt_array(nlohmann::json& node);
  void corrupt_object(nlohmann::json& node);

  nlohmann::json document_;
  Visit visit_;
  Changes changes_;
  std::set<std::string> words_;  ///< those of the document and of the formats
  std::size_t offered_ = 0;
  std::function<bool(std::size_t)> is_chosen_;
};

}  // namespace heddle::test
