#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"
#include "model/labels.hpp"

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

/// {"all": [...]}, {"any": [...]}, or {"at_least": least, "sum": [place, weight, ...]}.
json condition_to_json(const model::Condition& condition) {
  json list = json::array();
  if (condition.kind == model::Condition::Kind::AtLeast) {
    for (const auto& [place, weight] : condition.terms) {
      list.push_back(place.value);
      list.push_back(integer_to_json(weight));
    }
    return {{"at_least", integer_to_json(condition.least)}, {"sum", std::move(list)}};
  }
  for (const model::Condition& part : condition.parts) list.push_back(condition_to_json(part));
  return {{condition.kind == model::Condition::Kind::All ? "all" : "any", std::move(list)}};
}

model::Condition inequality_from_json(const JsonNode& node) {
  node.expect_fields({"at_least", "sum"});
  const JsonNode sum = node.field("sum");
  if (sum.size() % 2 != 0) sum.fail("expected pairs of a place and its weight");
  std::vector<model::WeightedPlace> terms;
  for (std::size_t i = 0; i + 1 < sum.size(); i += 2) {
    model::WeightedPlace term{model::PlaceId(sum.item(i).number()), sum.item(i + 1).integer()};
    if (!terms.empty() && terms.back().place >= term.place) sum.fail("places should ascend");
    if (term.weight == 0) sum.fail("a weight of zero should be left out");
    terms.push_back(std::move(term));
  }
  return model::Condition::at_least(std::move(terms), node.field("at_least").integer());
}

constexpr unsigned kDeepestCondition = 500;

model::Condition condition_from_json(const JsonNode& node, unsigned depth = 0) {
  if (node.has("sum")) return inequality_from_json(node);
  model::Condition condition;
  const bool is_all = node.has("all");
  condition.kind = is_all ? model::Condition::Kind::All : model::Condition::Kind::Any;
  node.expect_fields({is_all ? "all" : "any"});
  const JsonNode parts = node.field(is_all ? "all" : "any");
  if (depth >= kDeepestCondition) {
    node.fail("the condition is nested too deep");
    return condition;
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    condition.parts.push_back(condition_from_json(parts.item(i), depth + 1));
  return condition;
}

json region_to_json(const model::Region& region) {
  json bounds = json::array();
  for (const model::CounterBound& bound : region.bounds) bounds.push_back(bound_to_json(bound));
  json object = {{"shared", region.shared.value}, {"bounds", std::move(bounds)}};
  if (!region.condition.is_true()) object["condition"] = condition_to_json(region.condition);
  return object;
}

model::Region region_from_json(const JsonNode& node) {
  node.expect_fields({"shared", "bounds"}, {"condition"});
  model::Region region{model::SharedState(node.field("shared").number()), {}};
  if (node.has("condition")) region.condition = condition_from_json(node.field("condition"));
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

}  // namespace

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

namespace {

Integer top_to_number(const model::Top& top) { return top ? Integer(top->value) + 1 : Integer(0); }

model::Top top_from_number(const JsonNode& node, const Integer& number) {
  if (number == 0) return std::nullopt;
  const auto symbol = base::to_uint32(number - 1);
  if (!symbol) node.fail("there is no such stack symbol");
  return model::StackSymbol(symbol.value_or(0));
}

/// The regions that evidence files have in the place of what is asked about a kind of model.
const std::vector<model::Region>& as_regions(const std::vector<model::Region>& regions) {
  return regions;
}

std::vector<model::Region> as_regions(const std::vector<model::ThreadsInMain>& numbers) {
  std::vector<model::Region> out;
  for (const model::ThreadsInMain& threads : numbers)
    out.push_back({{}, {{model::Counter(0U), threads.least, threads.most}}});
  return out;
}

std::vector<model::Region> as_regions(const std::vector<model::Failure>& failures) {
  return std::vector<model::Region>(failures.size());
}

std::vector<model::Region> as_regions(const std::vector<model::VisibleState>& states) {
  std::vector<model::Region> out;
  for (const model::VisibleState& state : states) {
    model::Region& region = out.emplace_back(model::Region{state.shared, {}});
    for (const auto& [thread, top] : state.tops)
      region.bounds.push_back({model::Counter(thread), top_to_number(top), top_to_number(top)});
  }
  return out;
}

void read_regions(const JsonNode& node, std::vector<model::Region>& out) {
  out = regions_from_json(node);
}

void read_regions(const JsonNode& node, std::vector<model::ThreadsInMain>& out) {
  for (const model::Region& region : regions_from_json(node)) {
    const model::CounterBound* bound = region.find(model::Counter(0U));
    if (region.bounds.size() > (bound ? 1U : 0U) || region.shared.value != 0 ||
        !region.condition.is_true()) {
      node.fail("expected a number of threads");
      return;
    }
    out.push_back(bound ? model::ThreadsInMain{bound->lower, bound->upper}
                        : model::ThreadsInMain{0, Integer(0)});
  }
}

void read_regions(const JsonNode& node, std::vector<model::Failure>& out) {
  for (const model::Region& region : regions_from_json(node)) {
    if (region != model::Region()) node.fail("the target of a program is a failure");
    out.emplace_back();
  }
}

void read_regions(const JsonNode& node, std::vector<model::VisibleState>& out) {
  for (const model::Region& region : regions_from_json(node)) {
    model::VisibleState& state = out.emplace_back(model::VisibleState{region.shared, {}});
    if (!region.condition.is_true()) node.fail("a visible state has no condition");
    for (const model::CounterBound& bound : region.bounds) {
      if (bound.upper != bound.lower) node.fail("a top is a range of stack symbols");
      state.tops.push_back({bound.counter.value, top_from_number(node, bound.lower)});
    }
  }
}

std::vector<model::Region> as_regions(const std::vector<model::EntryCall>& calls) {
  return std::vector<model::Region>(calls.size());
}

void read_regions(const JsonNode& node, std::vector<model::EntryCall>& out) {
  out.clear();
  for (const model::Region& region : regions_from_json(node)) {
    if (region != model::Region()) node.fail("a C program begins with a call of its entry");
    out.emplace_back();
  }
}

template <class Alternative>
json alternatives_to_json(const std::vector<Alternative>& alternatives) {
  return regions_to_json(as_regions(alternatives));
}

json alternatives_to_json(const std::vector<model::c::Property>& properties) {
  json list = json::array();
  for (const model::c::Property property : properties)
    list.push_back(std::string(model::c::to_string(property)));
  return list;
}

void read_regions(const JsonNode& node, std::vector<model::c::Property>& out) {
  for (std::size_t i = 0; i < node.size(); ++i) {
    const JsonNode item = node.item(i);
    const auto property = model::c::parse_property(item.text());
    if (!property) item.fail("there is no such property");
    out.push_back(property.value_or(model::c::Property::Reach));
  }
}

template <class Question>
void read_labels(const JsonNode& node, Question& question) {
  if (!node.has("labels")) return;
  if constexpr (model::HasLabels<Question>) {
    const JsonNode labels = node.field("labels");
    for (std::size_t i = 0; i < labels.size(); ++i)
      question.labels.push_back(labels.item(i).name());
  } else {
    node.fail("only Boolean programs have labels");
  }
}

template <class Question>
Question read_question(const JsonNode& node) {
  node.expect_fields({"initial", "targets"}, {"contexts", "labels"});
  Question question;
  read_regions(node.field("initial"), question.initial);
  read_regions(node.field("targets"), question.targets);
  read_labels(node, question);
  if (!node.has("contexts")) return question;
  const JsonNode contexts = node.field("contexts");
  question.contexts = contexts.number();
  if (*question.contexts == 0) contexts.fail("a thread needs at least one context");
  return question;
}

}  // namespace

json visible_state_to_json(const model::VisibleState& state) {
  json flat = json::array({state.shared.value});
  for (const auto& [thread, top] : state.tops) {
    if (!top) continue;
    flat.push_back(thread);
    flat.push_back(integer_to_json(top_to_number(top)));
  }
  return flat;
}

model::VisibleState visible_state_from_json(const JsonNode& node) {
  const model::Configuration numbers = configuration_from_json(node);
  model::VisibleState state{numbers.shared, {}};
  for (const auto& [thread, number] : numbers.counts.entries())
    state.tops.push_back({thread.value, top_from_number(node, number)});
  return state;
}

json question_to_json(const model::AnyQuestion& any) {
  return std::visit(
      [](const auto& question) {
        json object = {{"initial", alternatives_to_json(question.initial)},
                       {"targets", alternatives_to_json(question.targets)}};
        if (question.contexts) object["contexts"] = *question.contexts;
        if constexpr (model::HasLabels<std::decay_t<decltype(question)>>)
          if (!question.labels.empty()) object["labels"] = question.labels;
        return object;
      },
      any);
}

model::AnyQuestion question_from_json(const JsonNode& node, const model::AnyKind& kind) {
  return std::visit(
      [&]<class Model>(model::Tag<Model>) -> model::AnyQuestion {
        return read_question<model::QuestionOf<Model>>(node);
      },
      kind);
}

}  // namespace heddle::answer
