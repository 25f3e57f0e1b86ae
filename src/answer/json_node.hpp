#pragma once

/// Strict and total reading of JSON: what the functions of json.hpp share. Private to src/answer.
///
/// Reading code walks down the document with JsonNodes and takes what it expects. The first thing
/// that is not as expected is recorded with the path that leads to it; from then on every accessor
/// gives an empty value and every array is empty, so that the walk ends soon and without branches
/// in the reading code. The caller looks at the problem once, at the end.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/integer.hpp"

namespace heddle::answer {

/// The first thing that was wrong with a document, or nothing.
using JsonProblem = std::optional<std::string>;

/// A value in a document and the way to it. A node refers to its parent node: it must not outlive
/// it, which the deleted overloads for temporaries make hard to get wrong.
class JsonNode {
 public:
  JsonNode(const nlohmann::json& document, JsonProblem& problem)
      : value_(&document), problem_(&problem) {}

  bool failed() const { return problem_->has_value(); }
  void fail(std::string_view message) const;  ///< keeps the first message only

  /// Fails unless this is an object that has all of `required` and nothing beyond `optional`.
  void expect_fields(std::initializer_list<std::string_view> required,
                     std::initializer_list<std::string_view> optional = {}) const;
  bool has(std::string_view key) const;
  bool is_null() const;
  JsonNode field(std::string_view key) const&;
  JsonNode field(std::string_view key) const&& = delete;

  std::size_t size() const;               ///< of an array; fails if it is none
  void expect_size(std::size_t n) const;  ///< fails unless this is an array of n items
  JsonNode item(std::size_t index) const&;
  JsonNode item(std::size_t index) const&& = delete;

  std::string text() const;
  std::string name() const;       ///< a text, made printable
  double real() const;            ///< null stands for a number that JSON cannot write
  base::Integer integer() const;  ///< a JSON integer, or a decimal string
  base::Integer count() const;    ///< an integer ≥ 0
  std::uint32_t number() const;   ///< an integer that fits an id
  /// The index of the text in the list; fails if it is not there.
  std::size_t one_of(std::span<const std::string_view> words) const;
  std::size_t one_of(std::initializer_list<std::string_view> words) const {
    return one_of(std::span(words.begin(), words.size()));
  }

 private:
  JsonNode(const JsonNode& parent, const nlohmann::json* value, std::string_view key,
           std::size_t index)
      : parent_(&parent), value_(value), key_(key), index_(index), problem_(parent.problem_) {}

  std::string path() const;
  void fail_type(std::string_view expected) const;

  const JsonNode* parent_ = nullptr;
  const nlohmann::json* value_;  ///< null if there is no such value
  std::string_view key_;         ///< empty if this is an item of an array
  std::size_t index_ = 0;
  JsonProblem* problem_;
};

}  // namespace heddle::answer
