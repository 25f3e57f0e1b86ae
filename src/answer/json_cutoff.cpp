#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;

namespace {

json or_null(const auto& optional) { return optional ? json(*optional) : json(nullptr); }

/// `[counter, count, …]`, ascending.
json counts_to_json(const model::Counts& counts) {
  json list = json::array();
  for (const auto& [counter, count] : counts.entries()) {
    list.push_back(counter.value);
    list.push_back(integer_to_json(count));
  }
  return list;
}

json node_to_json(const WitnessNode& node) {
  if (!node.parent) return {{"initial", configuration_to_json(node.initial)}};
  json object = node.step ? step_to_json(*node.step) : json::object();
  object["parent"] = *node.parent;
  if (!node.births.empty()) object["births"] = counts_to_json(node.births);
  return object;
}

json candidate_to_json(const UnrealizableCandidate& candidate) {
  json passive = nullptr;
  if (candidate.passive) passive = candidate.passive->value;
  return json::array({candidate.transition.value, std::move(passive),
                      candidate.missing.shared.value, candidate.missing.local.value,
                      or_null(candidate.excluded_by)});
}

json weighting_to_json(const ThreadWeighting& weighting) {
  json shared = json::array();
  for (const auto& [state, weight] : weighting.shared) {
    shared.push_back(state.value);
    shared.push_back(integer_to_json(weight));
  }
  return {{"shared", std::move(shared)},
          {"local", counts_to_json(weighting.counters)},
          {"pool", integer_to_json(weighting.pool)}};
}

json proof_to_json(const TooFewThreads& proof) {
  json minimal = json::array();
  for (const PooledDemand& element : proof.minimal)
    minimal.push_back(json::array({element.pool, configuration_to_json(element.demand)}));
  json states = json::array(), weightings = json::array();
  for (const model::ThreadState& state : proof.states) {
    states.push_back(state.shared.value);
    states.push_back(state.local.value);
  }
  for (const ThreadWeighting& weighting : proof.weightings)
    weightings.push_back(weighting_to_json(weighting));
  return {{"threads", proof.threads},
          {"states", std::move(states)},
          {"minimal", std::move(minimal)},
          {"weightings", std::move(weightings)}};
}

model::ThreadState state_from_json(const JsonNode& node, std::size_t at) {
  return {model::SharedState(node.item(at).number()),
          model::LocalState(node.item(at + 1).number())};
}

/// `[number, count, …]`, numbers ascending, counts positive.
template <class Visit>
void read_counts(const JsonNode& node, Visit&& visit) {
  std::optional<std::uint32_t> last;
  if (node.size() % 2 != 0) node.fail("a count is missing");
  for (std::size_t i = 0; i + 1 < node.size(); i += 2) {
    const std::uint32_t number = node.item(i).number();
    base::Integer count = node.item(i + 1).count();
    if (last && number <= *last) node.item(i).fail("counters should ascend");
    if (count == 0) node.item(i + 1).fail("a count of zero should be left out");
    visit(number, std::move(count));
    last = number;
  }
}

model::Counts counts_from_json(const JsonNode& node) {
  model::Counts counts;
  read_counts(node, [&](std::uint32_t counter, base::Integer count) {
    counts.set(model::Counter(counter), std::move(count));
  });
  return counts;
}

/// A node with a transition is a step with two more fields.
TraceStep step_of_node(const JsonNode& node) {
  TraceStep step;
  step.transition = model::TransitionId(node.field("transition").number());
  if (!node.has("flows")) return step;
  const JsonNode flows = node.field("flows");
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const JsonNode flow = flows.item(i);
    flow.expect_size(3);
    step.flows.push_back({model::LocalState(flow.item(0).number()),
                          model::LocalState(flow.item(1).number()), flow.item(2).count()});
  }
  return step;
}

WitnessNode node_from_json(const JsonNode& node) {
  WitnessNode result;
  if (node.has("initial")) {
    node.expect_fields({"initial"});
    result.initial = configuration_from_json(node.field("initial"));
    return result;
  }
  node.expect_fields({"parent"}, {"births", "transition", "flows"});
  result.parent = node.field("parent").number();
  if (node.has("births")) result.births = counts_from_json(node.field("births"));
  if (node.has("transition")) result.step = step_of_node(node);
  return result;
}

UnrealizableCandidate candidate_from_json(const JsonNode& node) {
  node.expect_size(5);
  UnrealizableCandidate candidate{model::TransitionId(node.item(0).number()), std::nullopt,
                                  state_from_json(node, 2), std::nullopt};
  if (!node.item(1).is_null()) candidate.passive = model::Counter(node.item(1).number());
  if (!node.item(4).is_null()) candidate.excluded_by = node.item(4).number();
  return candidate;
}

ThreadWeighting weighting_from_json(const JsonNode& node) {
  node.expect_fields({"shared", "local", "pool"});
  ThreadWeighting weighting;
  read_counts(node.field("shared"), [&](std::uint32_t shared, base::Integer weight) {
    weighting.shared.emplace_back(shared, std::move(weight));
  });
  weighting.counters = counts_from_json(node.field("local"));
  weighting.pool = node.field("pool").count();
  return weighting;
}

TooFewThreads proof_from_json(const JsonNode& node) {
  node.expect_fields({"threads", "states", "minimal", "weightings"});
  TooFewThreads proof{node.field("threads").number(), {}, {}, {}};
  const JsonNode states = node.field("states");
  if (states.size() % 2 != 0) states.fail("a local state is missing");
  for (std::size_t i = 0; i + 1 < states.size(); i += 2)
    proof.states.push_back(state_from_json(states, i));
  const JsonNode minimal = node.field("minimal");
  for (std::size_t i = 0; i < minimal.size(); ++i) {
    const JsonNode element = minimal.item(i);
    element.expect_size(2);
    proof.minimal.push_back({configuration_from_json(element.item(1)), element.item(0).number()});
  }
  const JsonNode weightings = node.field("weightings");
  for (std::size_t i = 0; i < weightings.size(); ++i)
    proof.weightings.push_back(weighting_from_json(weightings.item(i)));
  return proof;
}

BackwardBasis nested_basis_from_json(const JsonNode& node) {
  Certificate certificate = certificate_from_json(node);
  if (auto* basis = std::get_if<BackwardBasis>(&certificate)) return std::move(*basis);
  node.fail("this should be a backward basis");
  return {};
}

ReachedState reached_from_json(const JsonNode& node) {
  node.expect_size(4);
  return {state_from_json(node, 0), node.item(2).number(), node.item(3).number()};
}

template <class T>
std::vector<T> list_from_json(const JsonNode& node, T (*read)(const JsonNode&)) {
  std::vector<T> list;
  list.reserve(node.size());
  for (std::size_t i = 0; i < node.size(); ++i) list.push_back(read(node.item(i)));
  return list;
}

}  // namespace

json cutoff_to_json(const Cutoff& cutoff) {
  if (cutoff.program)
    return {{"threads", cutoff.threads}, {"program", program_states_to_json(*cutoff.program)}};
  json reachable = json::array(), witnesses = json::array(), candidates = json::array(),
       too_few = json::array();
  for (const ReachedState& r : cutoff.reachable)
    reachable.push_back(
        json::array({r.state.shared.value, r.state.local.value, r.threads, r.witness}));
  for (const WitnessNode& node : cutoff.witnesses) witnesses.push_back(node_to_json(node));
  for (const UnrealizableCandidate& candidate : cutoff.candidates)
    candidates.push_back(candidate_to_json(candidate));
  for (const TooFewThreads& proof : cutoff.too_few) too_few.push_back(proof_to_json(proof));
  return {{"threads", cutoff.threads},
          {"reachable", std::move(reachable)},
          {"witnesses", std::move(witnesses)},
          {"candidates", std::move(candidates)},
          {"uncoverable", certificate_to_json(cutoff.uncoverable)},
          {"too_few", std::move(too_few)}};
}

Cutoff cutoff_from_json(const JsonNode& node) {
  if (node.has("program")) {
    node.expect_fields({"verdict", "threads", "program"});
    Cutoff of_program;
    of_program.threads = node.field("threads").number();
    of_program.program = program_states_from_json(node.field("program"));
    return of_program;
  }
  node.expect_fields(
      {"verdict", "threads", "reachable", "witnesses", "candidates", "uncoverable", "too_few"});
  Cutoff cutoff;
  cutoff.threads = node.field("threads").number();
  cutoff.reachable = list_from_json(node.field("reachable"), reached_from_json);
  cutoff.witnesses = list_from_json(node.field("witnesses"), node_from_json);
  cutoff.candidates = list_from_json(node.field("candidates"), candidate_from_json);
  cutoff.uncoverable = nested_basis_from_json(node.field("uncoverable"));
  cutoff.too_few = list_from_json(node.field("too_few"), proof_from_json);
  return cutoff;
}

}  // namespace heddle::answer
