#include "engine/pushdown/pre_star.hpp"

#include <algorithm>
#include <map>

#include "base/invariant.hpp"

/// The automaton has a state for each shared state, a state "anything" with a loop for each
/// symbol, and a final state that only the bottom leads to. At first it accepts the target: its
/// shared state and top lead to anything (or, if the stack is to be empty, the bottom leads to the
/// end). Saturation (Bouajjani, Esparza, Maler, CONCUR 1997) adds
///
///    for ⟨p, a⟩ → ⟨p', w⟩ where w leads from p' to q the edge p –a→ q,
///
/// a pop (w is empty) at once: p –a→ p'. For a push w = b c, an edge p' –b→ r is kept half-way
/// until an edge r –c→ q comes, and the other way round.
///
/// It ends: there are finitely many states and symbols. If ⟨p', w v⟩ is accepted, by a path for w
/// to q and one for v from there, then so is ⟨p, a v⟩; so the set is closed under predecessors, and
/// what is outside is closed under steps. Whatever is accepted reaches the target: take an
/// accepting path. If its first edge p –a→ q is one of the target, so are the others, for these
/// lead on from "anything" or the end. Otherwise it is there because of a rule; after the step the
/// path goes over the edges that are its reason in place of it, all of which are older. So the
/// first edges get older, or the path gets shorter, and the steps come to an end, in the target.

namespace heddle::engine::pushdown {

namespace {

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

}  // namespace

PreStar::PreStar(const ThreadRules& rules, const std::vector<TargetTops>& targets,
                 base::RunContext& context)
    : rules_(rules) {
  final_ = new_state();
  for (std::uint32_t i = 0; i < rules.rules().size(); ++i) {
    const Rule& rule = rules.rules()[i];
    const State from = state_of(rule.from);
    if (rule.size == 0) {
      add(from, rule.top, state_of(rule.to), {i, kNone, kNone});
    } else {
      writers_[pair_key(rule.to, rule.pushed[0])].push_back(i);
    }
  }
  add_targets(targets);
  saturate(context);
}

PreStar::State PreStar::new_state() {
  all_out_.emplace_back();
  shared_of_.emplace_back();
  return static_cast<State>(all_out_.size() - 1);
}

PreStar::State PreStar::state_of(Shared shared) {
  const auto it = state_of_shared_.find(shared);
  if (it != state_of_shared_.end()) return it->second;
  const State state = new_state();
  shared_of_[state] = shared;
  return state_of_shared_[shared] = state;
}

void PreStar::add(State from, Symbol symbol, State to, Reason reason) {
  std::vector<Edge>& known = out_[pair_key(from, symbol)];
  if (std::ranges::any_of(known, [&](Edge edge) { return edges_[edge].to == to; })) return;
  const auto edge = static_cast<Edge>(edges_.size());
  known.push_back(edge);
  all_out_[from].push_back(edge);
  edges_.push_back({from, symbol, to, reason});
}

void PreStar::add_targets(const std::vector<TargetTops>& targets) {
  const State anything = new_state();
  const auto lead = [&](State from, Symbol symbol) {
    add(from, symbol, symbol == rules_.bottom() ? final_ : anything, {});
  };
  for (Symbol symbol = 0; symbol < rules_.symbol_count(); ++symbol) lead(anything, symbol);
  for (const TargetTops& target : targets) {
    const State from = state_of(target.shared);
    for (Symbol symbol = 0; symbol < rules_.symbol_count(); ++symbol)
      if (!target.tops[0] || *target.tops[0] == symbol) lead(from, symbol);
  }
}

void PreStar::saturate(base::RunContext& context) {
  for (Edge edge = 0; edge < edges_.size(); ++edge) {
    stopped_ = context.step();
    if (stopped_) return;
    if (const auto& shared = shared_of_[edges_[edge].from]) apply_rules(edge, *shared);
    apply_half_way(edge);
  }
}

/// Rules whose upper symbol the edge leads over.
void PreStar::apply_rules(Edge edge, Shared shared) {
  const auto writers = writers_.find(pair_key(shared, edges_[edge].symbol));
  if (writers == writers_.end()) return;
  for (const std::uint32_t index : writers->second) {
    const Rule& rule = rules_.rules()[index];
    const State to = edges_[edge].to;
    if (rule.size == 1) {
      add(state_of(rule.from), rule.top, to, {index, edge, kNone});
      continue;
    }
    half_way_[pair_key(to, rule.pushed[1])].push_back({index, edge});
    const std::vector<Edge> ready = out_[pair_key(to, rule.pushed[1])];
    for (const Edge second : ready)
      add(state_of(rule.from), rule.top, edges_[second].to, {index, edge, second});
  }
}

/// Rules whose lower symbol the edge leads over.
void PreStar::apply_half_way(Edge edge) {
  const auto waiting = half_way_.find(pair_key(edges_[edge].from, edges_[edge].symbol));
  if (waiting == half_way_.end()) return;
  const std::vector<HalfWay> ready = waiting->second;
  for (const auto& [index, first] : ready) {
    const Rule& rule = rules_.rules()[index];
    add(state_of(rule.from), rule.top, edges_[edge].to, {index, first, edge});
  }
}

/// An accepting path, the last edge first; nothing if there is none.
std::optional<std::vector<PreStar::Edge>> PreStar::path(Shared shared,
                                                        const std::vector<Symbol>& stack) const {
  const auto start = state_of_shared_.find(shared);
  if (start == state_of_shared_.end()) return std::nullopt;
  std::vector<std::map<State, Edge>> layers{{{start->second, kNone}}};
  std::vector<Symbol> word = stack;
  word.push_back(rules_.bottom());
  for (const Symbol symbol : word) {
    std::map<State, Edge> next;
    for (const auto& entry : layers.back()) {
      const auto edges = out_.find(pair_key(entry.first, symbol));
      if (edges == out_.end()) continue;
      for (const Edge edge : edges->second) next.try_emplace(edges_[edge].to, edge);
    }
    layers.push_back(std::move(next));
  }
  std::vector<Edge> out;
  State state = final_;
  for (std::size_t i = word.size(); i > 0; --i) {
    const auto it = layers[i].find(state);
    if (it == layers[i].end()) return std::nullopt;
    out.push_back(it->second);
    state = edges_[it->second].from;
  }
  return out;
}

bool PreStar::holds(Shared shared, const std::vector<Symbol>& stack) const {
  return path(shared, stack).has_value();
}

std::vector<model::TransitionId> PreStar::witness(Shared shared,
                                                  const std::vector<Symbol>& stack) const {
  auto rest = path(shared, stack);
  HEDDLE_INVARIANT(rest, "a configuration should reach the target before it is explained");
  std::vector<model::TransitionId> steps;
  while (edges_[rest->back()].reason.rule != kNone) {
    const Reason reason = edges_[rest->back()].reason;
    rest->pop_back();
    steps.push_back(rules_.rules()[reason.rule].id);
    if (reason.second != kNone) rest->push_back(reason.second);
    if (reason.first != kNone) rest->push_back(reason.first);
  }
  return steps;
}

/// Subsets of states that a stack may lead to; the empty one is a state, too, and accepts here.
std::expected<answer::PushdownInvariant, base::StopReason> PreStar::complement(
    Shared shared_count, base::RunContext& context) const {
  std::map<std::vector<State>, std::uint32_t> numbers;
  std::vector<std::vector<State>> subsets;
  const auto number = [&](std::vector<State> subset) {
    const auto [it, fresh] =
        numbers.try_emplace(std::move(subset), static_cast<std::uint32_t>(subsets.size()));
    if (fresh) subsets.push_back(it->first);
    return it->second;
  };
  answer::PushdownInvariant out;
  for (Shared shared = 0; shared < shared_count; ++shared) {
    const auto it = state_of_shared_.find(shared);
    std::vector<State> start;
    if (it != state_of_shared_.end()) start.push_back(it->second);
    out.products.push_back({model::SharedState(shared), {number(std::move(start))}, 0});
  }
  answer::StackAutomaton& automaton = out.automata.emplace_back();
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    if (const auto stop = context.step()) return std::unexpected(*stop);
    std::vector<std::vector<State>> successors(rules_.symbol_count());
    for (const State state : subsets[i])
      for (const Edge edge : all_out_[state])
        successors[edges_[edge].symbol].push_back(edges_[edge].to);
    auto& made = automaton.states.emplace_back();
    made.accepting = successors[rules_.bottom()].empty();
    for (Symbol symbol = 0; symbol < rules_.bottom(); ++symbol) {
      std::ranges::sort(successors[symbol]);
      const auto repeated = std::ranges::unique(successors[symbol]);
      successors[symbol].erase(repeated.begin(), repeated.end());
      made.edges.emplace_back(rules_.name(symbol), number(std::move(successors[symbol])));
    }
  }
  return out;
}

}  // namespace heddle::engine::pushdown
