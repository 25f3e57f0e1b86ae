#include <nlohmann/json.hpp>

#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;

namespace {

/// `[accepting, symbol, target, symbol, target, …]`
json automaton_to_json(const StackAutomaton& automaton) {
  json states = json::array();
  for (const StackAutomaton::State& state : automaton.states) {
    json flat = json::array({state.accepting ? 1 : 0});
    for (const auto& [symbol, target] : state.edges) {
      flat.push_back(symbol.value);
      flat.push_back(target);
    }
    states.push_back(std::move(flat));
  }
  return states;
}

StackAutomaton::State stack_state_from(const JsonNode& node) {
  if (node.size() % 2 == 0) {
    node.fail("expected 0 or 1 and then pairs of a symbol and a state");
    return {};
  }
  const JsonNode accepting = node.item(0);
  if (accepting.number() > 1) accepting.fail("expected 0 or 1");
  StackAutomaton::State state{accepting.number() == 1, {}};
  for (std::size_t i = 1; i < node.size(); i += 2) {
    const JsonNode key = node.item(i);
    const model::StackSymbol symbol(key.number());
    if (!state.edges.empty() && symbol <= state.edges.back().first)
      key.fail("symbols should ascend");
    state.edges.emplace_back(symbol, node.item(i + 1).number());
  }
  return state;
}

StackAutomaton automaton_from(const JsonNode& node) {
  StackAutomaton automaton;
  for (std::size_t i = 0; i < node.size(); ++i)
    automaton.states.push_back(stack_state_from(node.item(i)));
  return automaton;
}

StackProduct product_from(const JsonNode& node) {
  if (node.size() < 2) {
    node.fail("expected a turn, a shared state and a state per thread");
    return {};
  }
  StackProduct product;
  product.turn = node.item(0).number();
  product.shared = model::SharedState(node.item(1).number());
  for (std::size_t i = 2; i < node.size(); ++i) product.stacks.push_back(node.item(i).number());
  return product;
}

}  // namespace

json stack_sets_to_json(const PushdownInvariant& invariant) {
  json automata = json::array();
  for (const StackAutomaton& automaton : invariant.automata)
    automata.push_back(automaton_to_json(automaton));
  json products = json::array();
  for (const StackProduct& product : invariant.products) {
    json flat = json::array({product.turn, product.shared.value});
    for (const std::uint32_t state : product.stacks) flat.push_back(state);
    products.push_back(std::move(flat));
  }
  return {{"automata", std::move(automata)}, {"products", std::move(products)}};
}

PushdownInvariant stack_sets_from_json(const JsonNode& node) {
  PushdownInvariant invariant;
  const JsonNode automata = node.field("automata");
  for (std::size_t i = 0; i < automata.size(); ++i)
    invariant.automata.push_back(automaton_from(automata.item(i)));
  const JsonNode products = node.field("products");
  for (std::size_t i = 0; i < products.size(); ++i)
    invariant.products.push_back(product_from(products.item(i)));
  return invariant;
}

json to_fields(const PushdownInvariant& invariant) { return stack_sets_to_json(invariant); }

void read_fields(const JsonNode& node, PushdownInvariant& invariant) {
  node.expect_fields({"kind", "automata", "products"});
  invariant = stack_sets_from_json(node);
}

/// `shared` lists values, `frames` pairs of a node and values in a row.
json to_fields(const ProgramStacks& stacks) {
  json out = stack_sets_to_json(stacks.sets);
  json& shared = out["shared"] = json::array();
  for (const auto& values : stacks.shared) shared.push_back(values_to_json(values));
  json& frames = out["frames"] = json::array();
  for (const StackFrame& frame : stacks.frames) {
    frames.push_back(frame.node.value);
    frames.push_back(values_to_json(frame.values));
  }
  return out;
}

void read_fields(const JsonNode& node, ProgramStacks& out) {
  node.expect_fields({"kind", "shared", "frames", "automata", "products"});
  const JsonNode shared = node.field("shared");
  for (std::size_t i = 0; i < shared.size(); ++i)
    out.shared.push_back(values_from_json(shared.item(i)));
  const JsonNode frames = node.field("frames");
  if (frames.size() % 2 != 0) frames.fail("expected pairs of a node and values");
  for (std::size_t i = 0; i + 1 < frames.size(); i += 2)
    out.frames.push_back(
        {model::boolean::NodeId(frames.item(i).number()), values_from_json(frames.item(i + 1))});
  out.sets = stack_sets_from_json(node);
}

}  // namespace heddle::answer
