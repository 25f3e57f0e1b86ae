#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using base::Integer;
using nlohmann::json;

namespace {

json bound_to_json(const model::CounterBound& bound) {
  return json::array({bound.counter.value, integer_to_json(bound.lower),
                      bound.upper ? integer_to_json(*bound.upper) : json(nullptr)});
}

model::CounterBound bound_from_json(const JsonNode& node) {
  node.expect_size(3);
  model::CounterBound bound{model::Counter(node.item(0).number()), node.item(1).count(), {}};
  const JsonNode upper = node.item(2);
  if (!upper.is_null()) bound.upper = upper.count();
  if (bound.upper && *bound.upper < bound.lower) upper.fail("the upper bound is below the lower");
  return bound;
}

json region_to_json(const model::Region& region) {
  json bounds = json::array();
  for (const model::CounterBound& bound : region.bounds) bounds.push_back(bound_to_json(bound));
  return {{"shared", region.shared.value}, {"bounds", std::move(bounds)}};
}

model::Region region_from_json(const JsonNode& node) {
  node.expect_fields({"shared", "bounds"});
  model::Region region{model::SharedState(node.field("shared").number()), {}};
  const JsonNode bounds = node.field("bounds");
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const JsonNode item = bounds.item(i);
    model::CounterBound bound = bound_from_json(item);
    if (!region.bounds.empty() && region.bounds.back().counter >= bound.counter)
      item.fail("counters should ascend");
    region.bounds.push_back(std::move(bound));
  }
  return region;
}

json regions_to_json(const std::vector<model::Region>& regions) {
  json list = json::array();
  for (const model::Region& region : regions) list.push_back(region_to_json(region));
  return list;
}

std::vector<model::Region> regions_from_json(const JsonNode& node) {
  std::vector<model::Region> regions;
  for (std::size_t i = 0; i < node.size(); ++i) regions.push_back(region_from_json(node.item(i)));
  return regions;
}

}  // namespace

json configuration_to_json(const model::Configuration& configuration) {
  json flat = json::array();
  flat.get_ref<json::array_t&>().reserve(1 + 2 * configuration.counts.entries().size());
  flat.push_back(configuration.shared.value);
  for (const auto& [counter, count] : configuration.counts.entries()) {
    flat.push_back(counter.value);
    flat.push_back(integer_to_json(count));
  }
  return flat;
}

model::Configuration configuration_from_json(const JsonNode& node) {
  if (node.size() % 2 == 0) {
    node.fail("expected a shared state and then pairs of a counter and its count");
    return {};
  }
  model::Configuration configuration{model::SharedState(node.item(0).number()), {}};
  for (std::size_t i = 1; i < node.size(); i += 2) {
    const JsonNode key = node.item(i);
    const JsonNode value = node.item(i + 1);
    const model::Counter counter(key.number());
    const auto& entries = configuration.counts.entries();
    if (!entries.empty() && entries.back().first >= counter) key.fail("counters should ascend");
    Integer count = value.count();
    if (count == 0) value.fail("a count of zero should be left out");
    configuration.counts.set(counter, std::move(count));
  }
  return configuration;
}

json question_to_json(const model::Question& question) {
  json object = {{"initial", regions_to_json(question.initial)},
                 {"targets", regions_to_json(question.targets)}};
  if (question.contexts) object["contexts"] = *question.contexts;
  if (!question.labels.empty()) object["labels"] = question.labels;
  return object;
}

model::Question question_from_json(const JsonNode& node) {
  node.expect_fields({"initial", "targets"}, {"contexts", "labels"});
  model::Question question{regions_from_json(node.field("initial")),
                           regions_from_json(node.field("targets"))};
  if (node.has("labels")) {
    const JsonNode labels = node.field("labels");
    for (std::size_t i = 0; i < labels.size(); ++i)
      question.labels.push_back(labels.item(i).name());
  }
  if (!node.has("contexts")) return question;
  const JsonNode contexts = node.field("contexts");
  question.contexts = contexts.number();
  if (*question.contexts == 0) contexts.fail("a thread needs at least one context");
  return question;
}

}  // namespace heddle::answer
