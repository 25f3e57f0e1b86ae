#include <algorithm>
#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;

namespace {

/// `[shared, counter, count, counter, null, …]`, counters ascending; null is unbounded.
json element_to_json(const OmegaConfiguration& element) {
  json result = json::array({element.shared.value});
  auto unbounded = element.unbounded.begin();
  const auto put_unbounded_before = [&](std::uint64_t counter) {
    for (; unbounded != element.unbounded.end() && unbounded->value < counter; ++unbounded) {
      result.push_back(unbounded->value);
      result.push_back(nullptr);
    }
  };
  for (const auto& [counter, count] : element.counts.entries()) {
    put_unbounded_before(counter.value);
    result.push_back(counter.value);
    result.push_back(integer_to_json(count));
  }
  put_unbounded_before(std::uint64_t{1} << 32);
  return result;
}

OmegaConfiguration element_from_json(const JsonNode& node) {
  OmegaConfiguration element;
  if (node.size() % 2 == 0) node.fail("this should be a shared state and pairs of numbers");
  if (node.failed()) return element;
  element.shared = model::SharedState(node.item(0).number());
  std::optional<model::Counter> last;
  for (std::size_t i = 1; i < node.size(); i += 2) {
    const JsonNode first = node.item(i);
    const JsonNode second = node.item(i + 1);
    const model::Counter counter(first.number());
    if (last && !(*last < counter)) first.fail("counters should ascend");
    last = counter;
    if (second.is_null()) {
      element.unbounded.push_back(counter);
      continue;
    }
    base::Integer count = second.count();
    if (count == 0) second.fail("a count of zero should be left out");
    if (node.failed()) return element;
    element.counts.set(counter, std::move(count));
  }
  return element;
}

}  // namespace

json to_fields(const ForwardCover& cover) {
  json maximal = json::array();
  for (const OmegaConfiguration& element : cover.maximal)
    maximal.push_back(element_to_json(element));
  return {{"maximal", std::move(maximal)}};
}

void read_fields(const JsonNode& node, ForwardCover& cover) {
  node.expect_fields({"kind", "maximal"});
  const JsonNode maximal = node.field("maximal");
  for (std::size_t i = 0; i < maximal.size(); ++i)
    cover.maximal.push_back(element_from_json(maximal.item(i)));
}

}  // namespace heddle::answer
